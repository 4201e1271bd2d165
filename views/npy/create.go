package npy

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
)

// File is a file that takes the place of another one, or does not: what is
// written goes to a temporary file in the same directory, which [File.Commit]
// renames and [File.Close] removes.
type File struct {
	path string
	temp *os.File // nil after Commit or Close
}

// Create returns a new File for path, where nothing changes before Commit. A
// symbolic link will be replaced. An empty path, and what is there but is no file, are errors.
//
// Errors of Create and of the methods name path, not the temporary file.
func Create(path string) (*File, error) {
	f := &File{path: path}
	if path == "" {
		return nil, errors.New("npy: an empty path, expected the name of a file")
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, f.failed(errors.New("not a regular file"))
	}
	// Unlike os.CreateTemp this leaves the permissions to the umask.
	temp, err := os.OpenFile(fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, f.failed(err)
	}
	f.temp = temp
	return f, nil
}

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) {
	if f.temp == nil {
		return 0, f.failed(fs.ErrClosed)
	}
	n, err := f.temp.Write(p)
	return n, f.failed(err)
}

// Commit puts what was written at the path. If that fails, nothing is left of
// it.
func (f *File) Commit() error {
	if f.temp == nil {
		return f.failed(fs.ErrClosed)
	}
	temp := f.temp
	f.temp = nil
	err := temp.Close()
	if err == nil {
		err = os.Rename(temp.Name(), f.path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return f.failed(err)
}

// Close forgets what was written. After Commit it does nothing, so that it may
// be deferred.
func (f *File) Close() error {
	if f.temp == nil {
		return nil
	}
	temp := f.temp
	f.temp = nil
	return f.failed(errors.Join(temp.Close(), os.Remove(temp.Name())))
}

// failed returns err with the path that the caller knows.
func (f *File) failed(err error) error {
	if err == nil {
		return nil
	}
	var inPath *fs.PathError
	var inLink *os.LinkError
	switch {
	case errors.As(err, &inPath):
		err = inPath.Err
	case errors.As(err, &inLink):
		err = inLink.Err
	}
	return &fs.PathError{Op: "write", Path: f.path, Err: err}
}
