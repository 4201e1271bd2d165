package tools

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// variable is the variable of the environment that the comment of the package describes.
const variable = "GOKKOS_TOOLS"

func init() {
	if set := os.Getenv(variable); set != "" {
		if err := fromEnvironment(set); err != nil {
			complain(err)
		}
	}
}

// complain tells of an error that no caller is there to hear of.
func complain(err error) { fmt.Fprintln(os.Stderr, "gokkos:", err) }

func fromEnvironment(set string) error {
	name, labels, err := options(set)
	if err != nil {
		return err
	}
	if labels {
		LabelProfiles()
	}
	if name == "" {
		return nil
	}
	file, err := os.Create(strings.ReplaceAll(name, "%p", strconv.Itoa(os.Getpid())))
	if err != nil {
		return fmt.Errorf("%s is %q: %w; nothing is traced", variable, set, err)
	}
	Listen(WriteTrace(file, complain))
	return nil
}

// options returns the file of a trace, "" for none, and whether profiles are labelled. Each is asked for once.
func options(set string) (trace string, labels bool, err error) {
	for option := range strings.SplitSeq(set, ",") {
		name, ok := strings.CutPrefix(option, "trace=")
		switch {
		case option == "labels" && !labels:
			labels = true
		case ok && name != "" && trace == "":
			trace = name
		default:
			return "", false, fmt.Errorf("%s is %q, where %q is no option or one too many, expected labels, trace=FILE, or both "+
				"with a comma; nothing is traced", variable, set, option)
		}
	}
	return trace, labels, nil
}
