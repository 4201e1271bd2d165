package generate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// Functors of test files have generated test files, beside the generated files of the package. Their names
// end in _test.go, and functions that kernels share have other names in them. Assembly is in no test file, so
// all builds of the package assemble it.

// inTests gives the generated files of tests their names.
func (c *Package) inTests() error {
	shared, err := c.shared()
	if err != nil {
		return err
	}
	suffix := "_test"
	if strings.HasSuffix(c.Name, "_test") { // an external test package may be beside the package's own tests
		suffix = "_outside_test"
	}
	files := map[string][]byte{}
	for name, text := range c.Files {
		if shared != nil {
			text = shared.ReplaceAll(text, []byte("${0}InTests"))
		}
		if ext := filepath.Ext(name); ext == ".go" {
			name = strings.TrimSuffix(name, ext) + suffix + ext
		} else {
			name = strings.Replace(name, "z_kernels_", "z_kernels_test_", 1)
		}
		files[name] = text
	}
	c.Files = files
	return nil
}

// shared finds the names that generated files declare for all kernels, nil if there are none.
func (c *Package) shared() (*regexp.Regexp, error) {
	var names []string
	for name, text := range c.Files {
		if filepath.Ext(name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("gokkosc: generated code: %w", err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && strings.HasPrefix(d.Name.Name, "kernel") {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && strings.HasPrefix(v.Names[0].Name, "kernel") {
						names = append(names, v.Names[0].Name)
					}
				}
			}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`), nil
}
