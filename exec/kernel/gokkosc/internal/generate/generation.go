package generate

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// Files of the same generation share a name, which contains the hash of all loops. The main file declares the
// name, and each file with loops needs it. So loops and constructors of one build have the same generation,
// even if an overlay or a commit mixes files. Otherwise the error of the compiler or the assembler shows the
// name.

// generationName is the name of a generation: it says what to do if it is not declared.
const generationName = "staleKernels_run_go_generate_or_gokkosc_%x"

// The texts of the files of a generation.
const (
	declaresGeneration = "\n// %[1]s\n// is a name that the loops need.\nconst %[1]s = true\n"
	needsGeneration    = "\nconst _ = %[1]s\n"
	// An instruction that there is none of, unless the package declares the name.
	needsGenerationAsm = "#include \"go_asm.h\"\n#ifndef const_%[1]s\n\t%[1]s\n#endif\n"
)

// generation lets the loops of a package need the name of their generation, and returns its declaration: ""
// if there are no loops.
func (c *Package) generation() string {
	if len(c.Files) == 0 {
		return ""
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(c.Files[name]), c.Files[name])
	}
	generation := fmt.Sprintf(generationName, h.Sum(nil)[:8])
	for name, text := range c.Files {
		needs := needsGeneration
		if filepath.Ext(name) == ".s" {
			needs = needsGenerationAsm
		}
		c.Files[name] = fmt.Appendf(slices.Clip(text), needs, generation)
	}
	return fmt.Sprintf(declaresGeneration, generation)
}
