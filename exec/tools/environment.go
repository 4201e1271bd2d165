package tools

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Variable is the variable of the environment that writes a trace of a program, "trace=FILE", labels its
// profiles, "labels", see [LabelProfiles], or both: "labels,trace=FILE". A %p in the name becomes the number of
// the process, for programs of several.
const Variable = "GOKKOS_TOOLS"

func init() {
	if set := os.Getenv(Variable); set != "" {
		if err := fromEnvironment(set); err != nil {
			complain(err)
		}
	}
}

// complain tells of an error that no caller is there to hear of.
func complain(err error) { fmt.Fprintln(os.Stderr, "gokkos:", err) }

func fromEnvironment(set string) error {
	rest, both := strings.CutPrefix(set, "labels,")
	if both || set == "labels" {
		LabelProfiles()
	}
	if set == "labels" {
		return nil
	}
	name, ok := strings.CutPrefix(rest, "trace=")
	if !ok || name == "" {
		return fmt.Errorf("%s is %q, expected labels, trace=FILE, or labels,trace=FILE; nothing is traced", Variable, set)
	}
	file, err := os.Create(strings.ReplaceAll(name, "%p", strconv.Itoa(os.Getpid())))
	if err != nil {
		return fmt.Errorf("%s is %q: %w; nothing is traced", Variable, set, err)
	}
	Listen(WriteTrace(file, complain))
	return nil
}
