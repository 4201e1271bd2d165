package front

import (
	"bytes"
	"fmt"
	"go/build"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// A Source has the files of a package with functors in place.
type Source struct {
	in *world
	p  *packages.Package
}

// Text returns the text of a file of the package.
func (s *Source) Text(path string) ([]byte, error) { return s.in.config.text(path) }

// Check type-checks the package with other texts of files, by path. The package gets files that it lacks,
// and loses files whose text is nil. Check returns the first error. It returns nil if the package has errors of its own.
func (s *Source) Check(texts map[string][]byte) error {
	if s.in.listed == nil {
		return nil
	}
	n := slices.IndexFunc(s.in.listed.all, func(l *Listed) bool { return l.ImportPath == s.p.ID })
	if n < 0 || len(s.p.Errors) > 0 || len(s.p.TypeErrors) > 0 {
		return nil
	}
	l, c := *s.in.listed.all[n], *s.in.listed
	c.config.Overlay = maps.Clone(s.in.config.Overlay)
	maps.Copy(c.config.Overlay, texts)
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		l.GoFiles = slices.DeleteFunc(slices.Clone(l.GoFiles), func(name string) bool {
			return texts[path] == nil && filepath.Join(l.Dir, name) == path
		})
		if texts[path] != nil && !slices.Contains(s.p.GoFiles, path) && filepath.Ext(path) == ".go" && c.builds(path) {
			l.GoFiles = append(l.GoFiles, path)
		}
	}
	q, err := c.load(&l)
	switch {
	case err != nil:
		return err
	case len(q.Errors) > 0:
		return q.Errors[0]
	case len(q.TypeErrors) > 0:
		e := q.TypeErrors[0]
		at := c.fset.Position(e.Pos)
		return fmt.Errorf("%s:%d: %s", filepath.Base(at.Filename), at.Line, e.Msg)
	}
	return nil
}

// builds reports whether this build has a file of the overlay. Build tags count as not set, so a file that
// needs one is not checked.
func (c *checker) builds(path string) bool {
	in := build.Default
	if c.config.Arch != "" {
		in.GOARCH = c.config.Arch
	}
	in.OpenFile = func(path string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(c.config.Overlay[path])), nil
	}
	ok, err := in.MatchFile(filepath.Dir(path), filepath.Base(path))
	return ok || err != nil // the check of the package says what is wrong
}
