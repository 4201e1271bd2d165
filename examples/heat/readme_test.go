package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The command of the README runs under Open MPI on any number of cores, as root with the variables that are printed below it.
func TestCommandOfTheReadme(t *testing.T) {
	launcher, err := exec.LookPath("mpirun.openmpi")
	if err != nil {
		t.Skip("Open MPI is not installed: apt install openmpi-bin")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	command := regexp.MustCompile(`(?m)^go -C examples build .* && mpirun .*$`).FindString(string(readme))
	variables := regexp.MustCompile("`export (OMPI_[^`]*)`").FindStringSubmatch(string(readme))
	require.NotEmpty(t, command)
	require.Len(t, variables, 2)
	dir := t.TempDir()
	require.NoError(t, os.Symlink(launcher, filepath.Join(dir, "mpirun"))) // mpirun may be another MPI's
	require.Contains(t, command, "/tmp/heat")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // which only a hang meets
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-c", strings.ReplaceAll(command, "/tmp/heat", filepath.Join(dir, "heat")))
	c.Dir = root
	c.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	c.Env = append(c.Env, strings.Fields(variables[1])...)
	var complaints bytes.Buffer
	c.Stderr = &complaints
	got, err := c.Output()
	require.NoError(t, err, complaints.String())
	lines := strings.Split(strings.TrimSpace(string(got)), "\n")
	assert.Len(t, lines, 7, "five lines and two hashes: %s", got)
	assert.True(t, strings.HasPrefix(lines[0], "step 0: heat 0x"), "%s", got)
}
