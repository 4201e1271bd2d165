package sources

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Stale returns a sentence on the generated kernels of a package, whose files are in a folder, if they are
// made of other declarations than there are now, and "" if not.
func Stale(folder, pkg string) string {
	changes := Changes(folder)
	if len(changes) == 0 {
		return ""
	}
	return fmt.Sprintf("the compiled kernels of package %s are of an older source: %s; go generate %s makes them anew",
		pkg, strings.Join(changes, ", "), pkg)
}

// Changes returns what is not as it was when the generated kernels of a folder were made: none if the folder
// has none.
func Changes(folder string) (changes []string) {
	text, err := os.ReadFile(filepath.Join(folder, Generated+".go"))
	if err != nil {
		return nil
	}
	texts, _ := Overlay(folder) // what cannot be read here stops go build
	if absolute, err := filepath.Abs(folder); err == nil {
		folder = absolute
	}
	folders := map[string]*Folder{}
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, directive)
		fields := strings.Fields(rest)
		if !ok || len(fields) != 4 {
			continue
		}
		of := fields[1]
		if folders[of] == nil {
			folders[of] = Read(filepath.Join(folder, filepath.FromSlash(of)), texts, true)
		}
		for _, change := range folders[of].changes(fields) {
			if of != "." {
				change = strings.Replace(change, " ", " of "+of+" ", 1)
			}
			if !slices.Contains(changes, change) {
				changes = append(changes, change)
			}
		}
	}
	return changes
}

// changes returns what a line has that is not so any more, each a name and a verb.
func (f *Folder) changes(line []string) (changes []string) {
	if name, hash := line[2], line[3]; line[0] == "source" {
		if len(f.named(name)) == 0 {
			return []string{name + " is gone"}
		}
		if !slices.ContainsFunc(f.named(name), func(d *found) bool { return d.hash() == hash }) {
			return []string{name + " has changed"}
		}
		return nil
	}
	for name := range strings.SplitSeq(line[3], ",") {
		switch {
		case line[0] == Undeclared && f.DeclaredIn(line[2], name) != "":
			changes = append(changes, name+" is new")
		case line[0] == Unwritten && f.Written(line[2], name):
			changes = append(changes, name+" is written")
		}
	}
	return changes
}
