package generate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// An Overlay holds loops outside of the folders of their packages, and go build -overlay finds them there. A package
// keeps its constructors, which return closures in a build without the overlay.
type Overlay struct {
	file    string
	Replace map[string]string // the path that Go sees, to the path of the file that replaces it
}

// OpenOverlay reads the file of an overlay, which may be new. The loops lie in a folder .loops beside the file.
func OpenOverlay(file string) (*Overlay, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, fmt.Errorf("gokkosc: %w", err)
	}
	o := &Overlay{file: file, Replace: map[string]string{}}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return o, nil
	}
	if err == nil {
		err = json.Unmarshal(text, o)
	}
	if err != nil {
		return nil, fmt.Errorf("gokkosc: the overlay %s: %w", file, err)
	}
	if o.Replace == nil {
		o.Replace = map[string]string{}
	}
	return o, nil
}

// Move puts the loops of a package into the overlay, in place of older loops of the package. The package
// keeps the constructors.
func (o *Overlay) Move(c *Package) error {
	for path := range o.Replace {
		if filepath.Dir(path) == c.Dir {
			delete(o.Replace, path)
		}
	}
	folder := filepath.Join(filepath.Dir(o.file), ".loops", filepath.FromSlash(c.Path)) // go looks for no packages there
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("gokkosc: %w", err)
	}
	for name, text := range c.Files {
		if name == sources.Generated+".go" {
			continue
		}
		path := filepath.Join(folder, name)
		if err := write(path, text); err != nil {
			return fmt.Errorf("gokkosc: %w", err)
		}
		o.Replace[filepath.Join(c.Dir, name)] = path
		delete(c.Files, name)
	}
	return nil
}

// Write writes the file of the overlay.
func (o *Overlay) Write() error { return o.WriteTo(o.file) }

// WriteTo writes the overlay to a file.
func (o *Overlay) WriteTo(file string) error {
	text, err := json.MarshalIndent(o, "", "\t")
	if err != nil {
		return fmt.Errorf("gokkosc: %w", err)
	}
	return Put(file, append(text, '\n'))
}

// Put writes a file, and makes its folder if necessary.
func Put(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return write(path, text)
}

// write writes a file unless it has the text already.
func write(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return os.WriteFile(path, text, 0o644)
}
