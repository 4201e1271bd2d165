package front

import (
	"fmt"
	"go/token"
	"os"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// Config says what to compile.
type Config struct {
	Dir    string   // directory of relative patterns; "" is the current directory
	Inline []string // packages outside of the module whose functions may become part of kernels
	Tags   []string // of the build
	// Overlay has the text of files by their absolute paths. It takes the place of the text on disk.
	Overlay map[string][]byte // adds to an overlay in GOFLAGS
	// InPlace also compiles functors that reach launches without a constructor, for this build alone.
	InPlace bool
	Rounded bool     // products are rounded, as Go does not fuse them in this build
	Flags   []string // of the go command
	Arch    string   // GOARCH
}

// text returns the text of a file.
func (c Config) text(path string) ([]byte, error) {
	if text, ok := c.Overlay[path]; ok {
		return text, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("gokkosc: %w", err)
	}
	return text, nil
}

// A Package is the kernels of a package.
type Package struct {
	Name, Path, Dir string
	Imports         map[string]string // path to name, of packages that types of parameters name
	Kernels         []*Kernel         // in the order of files and lines
	Sources         *sources.Folder   // declarations of the package in all builds, without generated files
	Imported        map[string]bool   // names that imports declare in its files: packages, and exported names of dot imports
	NoAssembly      string            // why there can be no assembly beside the package's files; "" if there can
	Tests           bool              // the package holds the functors of test files; its generated files are test files
	Source          *Source           // the files of a package with functors in place; else nil
}

// Constraints returns the build constraints of all that kernels are made of, for files of loops or for files
// of texts for devices.
func (p *Package) Constraints(loops bool) []string {
	var only []string
	for _, k := range p.Kernels {
		for _, b := range k.Builds {
			if of := map[bool][]string{false: b.Only, true: b.Loops}; k.IR != nil {
				only = append(only, of[loops]...)
			}
		}
	}
	slices.Sort(only)
	return slices.Compact(only)
}

// A Kernel is a constructor or a functor in place, with its representation or its refusal.
type Kernel struct {
	IR      *ir.Kernel // nil if it is refused
	Refused *Refusal   // nil if not
	Others  []*Refusal // why a functor in place is refused, too
	Func    string     // name of the constructor
	Pos     token.Position
	Doc     []string // lines of its comment, with //
	Params  []ir.Param
	Value   *ir.Returned // nil if the functor returns no value
	Site    *Site        // nil of a constructor
	Result  string       // type of the functor
	MadeOf  []sources.Declaration
	Builds  []Build // constraints of builds that have loops
	Imports map[string]string
	Fuses   token.Position // of a product that Go fuses with a sum where it can, if the kernel has one
	Unfused string         // text to write in place of that product
}

// A Build is the constraint that a build must fulfil to have a declaration.
type Build struct {
	Only       []string // constraints, all of which hold
	Loops      []string // the constraints of Only that concern builds in which loops run
	Name, File string   // of the declaration
}

func (b *Build) String() string { return strings.Join(b.Only, " && ") }

// A Site is a functor that is compiled where it stands.
type Site struct {
	*find.Functor
	Captures []Capture // parameters of the kernel, in their order
	Name     string    // name of the generated constructor, which gets the captures and the functor
	Types    string    // type arguments: "T = float64"; "" if there are none
	Path     string    // of the file
	Held     *Held     // nil unless the functor is a method of the value of an expression
	Body     *Body     // nil if no loop can have the functor's body as it stands
	From, To token.Position
	Top      token.Position // of the file's package clause
}

// A Capture is an argument of the generated constructor of a functor in place, or a variable of a package
// that it knows.
type Capture struct {
	Expr   string // text at the functor's place; for a variable of a package, text in generated files
	Global bool
}

// Methods are the names of methods of loops. Fields of loops, which are the parameters of kernels, cannot
// have these names.
var Methods = []string{"Span", "Runs", "Values", "Map", "Joins", "Leaves", "Planes", "left", "Teams"}

// Maker is the name of the function by which generated code calls constructors.
const Maker = "kernelMaker"
