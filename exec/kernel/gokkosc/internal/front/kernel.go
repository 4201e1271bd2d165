package front

import (
	"go/token"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// Config says what to compile.
type Config struct {
	Dir    string   // where the patterns are looked up; "" is the current directory
	Inline []string // packages outside of the module whose functions may become part of kernels
	Tags   []string // of the build
	// Overlay has the text of files, by their absolute paths, that are not on disk or not like that.
	Overlay map[string][]byte // besides those of an overlay in GOFLAGS
	// InPlace compiles the functors that reach launches, beside those of constructors: for this build alone.
	InPlace bool
	Rounded bool     // products are rounded, as Go does not fuse them in this build
	Flags   []string // of the go command
	Arch    string   // GOARCH
}

// A Package is the kernels of a package.
type Package struct {
	Name, Path, Dir string
	Imports         map[string]string // path to name, of packages that types of parameters name
	Kernels         []*Kernel         // in the order of files and lines
	Sources         *sources.Folder   // what the package declares in any build, generated files apart
	Imported        map[string]bool   // what imports of its files declare in these, beside the names of packages
	NoAssembly      string            // why there can be no assembly beside the package's files; "" if there can
	Tests           bool              // the functors of its test files: generated files are some of these
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

// A Kernel is a constructor, and what became of it.
type Kernel struct {
	IR      *ir.Kernel // nil if it is refused
	Refused *Refusal   // nil if not
	Others  []*Refusal // why a functor in place is refused, too
	Func    string     // name of the constructor
	Pos     token.Position
	Doc     []string // lines of its comment, with //
	Params  []ir.Param
	Value   *ir.Returned // nil if the functor returns none
	Site    *Site        // nil of a constructor
	Result  string       // type of the functor
	MadeOf  []sources.Declaration
	Builds  []Build // what builds that have loops must fulfil
	Imports map[string]string
	Fuses   token.Position // of a product that Go fuses with a sum where it can, if the kernel has one
	Unfused string         // what to write in place of that product
}

// A Build is what a build must fulfil to have a declaration.
type Build struct {
	Only       []string // constraints, all of which hold
	Loops      []string // those of Only that builds may break in which loops run
	Name, File string   // of the declaration
}

func (b *Build) String() string { return strings.Join(b.Only, " && ") }

// A Site is a functor that is compiled where it stands.
type Site struct {
	*find.Functor
	Captures []Capture // parameters of the kernel, in their order
	Name     string    // of what is called with the captures and the functor
	Types    string    // what type parameters stand for: "T = float64"; "" if there are none
	Path     string    // of the file
	From, To token.Position
}

// A Capture is an argument of the generated constructor of a functor in place, or a variable of a package
// that it knows.
type Capture struct {
	Expr   string // where the functor stands; of a variable of a package, in generated files
	Global bool
}

// Methods are the names of methods of loops, whose fields are the parameters of kernels.
var Methods = []string{"Span", "Runs", "Values", "Map", "Joins", "Leaves", "Planes", "left", "Teams"}

// Maker is the name of the function by which generated code calls constructors.
const Maker = "kernelMaker"
