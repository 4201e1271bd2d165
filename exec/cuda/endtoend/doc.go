// Package endtoend has tests that need no card: package cuda launches what gokkosc writes, a stand-in for the
// driver gives each entry to the machine that executes PTX, and all bits are those of exec.Serial. It is a module
// of its own, so that neither package cuda nor gokkosc needs the other one.
package endtoend
