package sources

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// removed is the text of a file of no build.
const removed = "//go:build " + never + "\n\npackage removed\n"

// flag finds the flags in GOFLAGS, which may be in quotes.
var flag = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]\S*`)

// Overlay returns the text of the files of a folder, and of all others, that go build does not read from
// disk: those of an overlay in GOFLAGS, by their absolute paths. Relative paths are relative to the folder,
// or to one around it, as go generate and go test run programs in the folders of packages. A file that the
// overlay removes is in no build. Without such a flag, or in a program that finds no go command, Overlay
// returns none.
func Overlay(folder string) (texts map[string][]byte, err error) {
	cmd := exec.Command("go", "env", "GOFLAGS")
	cmd.Dir = folder
	flags, _ := cmd.Output()
	file := ""
	for _, f := range flag.FindAllString(string(flags), -1) {
		if value, ok := strings.CutPrefix(strings.TrimLeft(strings.Trim(f, `'"`), "-"), "overlay="); ok {
			file = value
		}
	}
	texts = map[string][]byte{}
	if file == "" {
		return texts, nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("-overlay=%s of GOFLAGS: %w", file, err)
		}
	}()
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	// The go command finds relative names of files from where it runs: that is at or above the folder of the package.
	found := func(path string) string {
		if filepath.IsAbs(path) {
			return filepath.Clean(path)
		}
		for at, last := folder, ""; at != last; at, last = filepath.Dir(at), at {
			if _, err := os.Stat(filepath.Join(at, path)); err == nil {
				return filepath.Join(at, path)
			}
		}
		return filepath.Join(folder, path)
	}
	text, err := os.ReadFile(found(file))
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(file) {
		folder = strings.TrimSuffix(found(file), filepath.Clean(file))
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &overlay); err != nil {
		return nil, err
	}
	for path, by := range overlay.Replace {
		switch {
		case by != "":
			texts[found(path)], err = os.ReadFile(found(by))
		case strings.HasSuffix(path, ".go"):
			texts[found(path)] = []byte(removed)
		default:
			err = fmt.Errorf("%s is removed, expected no removed files but those of Go", path)
		}
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}
