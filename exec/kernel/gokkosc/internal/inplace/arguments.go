package inplace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Arguments are the parsed arguments of a command: gokkosc's own flags, and the arguments for the go command.
type Arguments struct {
	Command  string   // "build", "run", "test", "vet" or "report"
	Strict   bool     // a functor that stays a closure is an error
	PTX      bool     // compile for NVIDIA's devices, too
	JSON     bool     // report lines of JSON
	Tests    bool     // report functors of test files, too
	Go       []string // arguments of the go command, in their order, but its name
	Load     []string // the flags in Go that select the files and the code of a package: -tags, -mod, -modfile
	Packages []string // patterns or files
	Dir      string   // working directory; "" is the current one
	Overlay  string   // overlay file that the user gives; "" without one
	Plain    string   // a flag, such as -race or -cover, that sees closures only; "" without one
}

// switches are flags of the go command that have no value behind them.
var switches = []string{
	"a", "n", "race", "msan", "asan", "cover", "v", "work", "x", "linkshared", "modcacherw", "trimpath", "buildvcs", "json",
	"c", "i", "short", "failfast", "benchmem", "fullpath", "artifacts", "h", "help",
}

// loading are flags of the go command that say what packages are.
var loading = []string{"tags", "mod", "modfile"}

// plain are flags with which functors run as closures.
var plain = []string{"race", "msan", "asan", "cover", "covermode", "coverpkg", "coverprofile"}

// Parse takes the arguments of a command apart.
func Parse(command string, args []string) (*Arguments, error) {
	a := &Arguments{Command: command}
	for n := 0; n < len(args); n++ {
		arg := args[n]
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			return a, a.behind(args[n:])
		}
		name, value, has := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		if a.own(name) {
			if has {
				return nil, fmt.Errorf("gokkosc: the flag -%s has no value, given %q", name, value)
			}
			continue
		}
		if command == "test" && (name == "args" || arg == "--") {
			a.Go = append(a.Go, args[n:]...)
			break
		}
		if arg == "--" {
			return a, a.behind(args[n+1:])
		}
		given := []string{arg}
		if !has && !slices.Contains(switches, strings.TrimPrefix(name, "test.")) {
			if n++; n == len(args) {
				return nil, fmt.Errorf("gokkosc: the flag %s needs a value", arg)
			}
			given = append(given, args[n])
		}
		a.flag(name, given)
	}
	if len(a.Packages) == 0 {
		a.Packages = []string{"."}
	}
	return a, nil
}

// own takes a flag of gokkosc.
func (a *Arguments) own(name string) bool {
	switch {
	case name == "strict":
		a.Strict = true
	case name == "ptx":
		a.PTX = true
	case name == "json" && a.Command == "report":
		a.JSON = true
	case name == "test" && a.Command == "report":
		a.Tests = true
	default:
		return false
	}
	return true
}

// flag takes a flag of the go command.
func (a *Arguments) flag(name string, given []string) {
	value := given[len(given)-1]
	if len(given) == 1 {
		_, value, _ = strings.Cut(value, "=")
	}
	switch name {
	case "C":
		a.Dir = value
		return
	case "overlay":
		a.Overlay = value
		return
	}
	a.Go = append(a.Go, given...)
	if slices.Contains(loading, name) {
		a.Load = append(a.Load, given...)
	}
	if slices.Contains(plain, name) && !strings.HasSuffix(given[0], "=false") {
		a.Plain = given[0]
	}
}

// behind parses the arguments after the flags: packages or files, and then the arguments of a program to run.
func (a *Arguments) behind(args []string) error {
	a.Go = append(a.Go, args...)
	for n, arg := range args {
		if a.Command == "run" && n > 0 && (!strings.HasSuffix(arg, ".go") || !strings.HasSuffix(args[0], ".go")) {
			break
		}
		if strings.HasPrefix(arg, "-") { // of go test, behind packages
			more, err := Parse(a.Command, args[n:])
			if err != nil {
				return err
			}
			a.Load = append(a.Load, more.Load...)
			a.Plain, a.Overlay = cmp.Or(more.Plain, a.Plain), cmp.Or(more.Overlay, a.Overlay)
			a.Strict, a.PTX = a.Strict || more.Strict, a.PTX || more.PTX
			a.Go = append(a.Go[:len(a.Go)-len(args)+n], more.Go...)
			break
		}
		a.Packages = append(a.Packages, arg)
	}
	return nil
}
