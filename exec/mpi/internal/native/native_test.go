//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/linktest"
)

func TestMain(m *testing.M) {
	launchtest.Rank(map[string]func(){"check": check, "start": start, "manners": manners, "late": late, "abort": abort, "splits": splits})
	os.Exit(m.Run())
}

// begin starts a rank as the variables of a test say.
func begin() *World {
	level := Multiple
	if n, err := strconv.Atoi(os.Getenv("TEST_LEVEL")); err == nil {
		level = Level(n)
	}
	w, err := Start(level)
	if err != nil {
		launchtest.Fail(err)
	}
	if w.Level != level {
		launchtest.Fail(fmt.Errorf("level %d was granted, expected %d", w.Level, level))
	}
	if limit, err := strconv.Atoi(os.Getenv("TEST_LIMIT")); err == nil {
		w.l.limit = limit
	}
	if waits := os.Getenv("TEST_WAITS"); waits != "" {
		w.l.waits = waits == "1"
	}
	return w
}

func must(err error) {
	if err != nil {
		launchtest.Fail(err)
	}
}

func check() {
	w := begin()
	must(linktest.Check(w))
	must(w.Finalize())
}

// Links over real libraries keep the contract: with any number of ranks, at each level, waiting
// in both ways, and with messages that are larger than counts.
func TestLinks(t *testing.T) {
	for _, mpi := range launchtest.MPIs(t) {
		run := func(ranks int, env ...string) {
			t.Run(fmt.Sprintf("%s, %d ranks %v", mpi.Name, ranks, env), func(t *testing.T) {
				for _, assignment := range env {
					name, value, _ := strings.Cut(assignment, "=")
					t.Setenv(name, value)
				}
				output, err := mpi.Run("check", ranks)
				assert.NoError(t, err, output)
			})
		}
		for _, ranks := range []int{1, 2, 3, 7} {
			if ranks < 7 || !testing.Short() {
				run(ranks)
			}
		}
		run(2, "TEST_WAITS=1", "TEST_LIMIT=999")
		run(3, "TEST_WAITS=0", "TEST_LIMIT=999")
		for _, level := range []Level{Single, Funneled, Serialized} {
			run(3, fmt.Sprint("TEST_LEVEL=", level))
		}
	}
}

// splits makes communicators of two others, while other goroutines wait for messages and in collectives:
// in one order on all ranks, or, where the library allows calls of several threads, in any.
func splits() {
	w := begin()
	var from [2]link.Link
	for k := range from {
		var err error
		from[k], err = w.Dup()
		must(err)
	}
	beside, err := w.Dup()
	must(err)
	n, rank := w.Size(), w.Rank()
	stop, stopped := make(chan bool), make(chan bool)
	var rounds atomic.Int64
	go func() { // waits for messages all the time
		defer close(stopped)
		for ended := false; !ended; {
			var mine, all [1]byte
			select {
			case <-stop:
				mine[0] = 1
			default:
			}
			r, err := beside.Irecv((rank+n-1)%n, 0, all[:])
			must(err)
			must(beside.Send((rank+1)%n, 0, mine[:]))
			_, err = r.Wait()
			must(err)
			ends := make([]byte, n)
			must(beside.Allgather(mine[:], ends))
			ended = !bytes.Contains(ends, []byte{0})
			rounds.Add(1)
		}
	}()
	one := func(k, times int) {
		for t := range times {
			for before := rounds.Load(); rank%2 == 1 && rounds.Load() < before+2; { // which takes the others
				runtime.Gosched()
			}
			half, err := from[k].Split((rank+t)%2, -rank)
			must(err)
			ranks := make([]byte, half.Size())
			must(half.Allgather([]byte{byte(rank)}, ranks))
			for at, r := range ranks {
				if int(r)%2 != rank%2 || at > 0 && r >= ranks[at-1] {
					launchtest.Fail(fmt.Errorf("split %d of %d: rank %d is with %v", t, k, rank, ranks))
				}
			}
			must(half.Close())
		}
	}
	const times = 6
	if w.Level == Multiple {
		done := make(chan bool)
		go func() { one(rank%2, times); close(done) }()
		one(1-rank%2, times)
		<-done
	} else {
		for range times {
			one(0, 1)
			one(1, 1)
		}
	}
	close(stop)
	<-stopped
	must(w.Finalize())
}

// At each level ranks can make communicators while others of their goroutines wait. Each level is tried with one
// of the libraries.
func TestSplits(t *testing.T) {
	levels := [][]Level{{Single, Multiple}, {Funneled, Serialized}} // a launch of processes takes seconds
	for n, mpi := range launchtest.MPIs(t) {
		for _, level := range levels[n%2] {
			t.Run(fmt.Sprintf("%s, level %d", mpi.Name, level), func(t *testing.T) {
				t.Setenv("TEST_LEVEL", fmt.Sprint(level))
				output, err := mpi.Run("splits", 3)
				assert.NoError(t, err, output)
			})
		}
	}
}

// start says what Start comes to.
func start() {
	w, err := Start(Multiple)
	if err != nil {
		fmt.Printf("Start: %v\n", err)
		return
	}
	fmt.Printf("rank %d of %d of %s, level %d, %s\n", w.Rank(), w.Size(), w.Name(), w.Level, w.Version)
	must(w.Finalize())
}

// The library is that of the launcher, and another one is an error that says so.
func TestLibraryOfTheLauncher(t *testing.T) {
	mpis := launchtest.MPIs(t)
	for _, mpi := range mpis {
		output, err := mpi.Run("start", 2)
		require.NoError(t, err, output)
		want := map[string]string{"Open MPI": "Open MPI v", "MPICH": "MPICH Version:"}[mpi.Name]
		for rank := range 2 {
			assert.Contains(t, output, fmt.Sprintf("rank %d of 2 of world, level 3, %s", rank, want))
		}
		t.Setenv(Variable, "/nowhere/libmpi.so")
		output, err = mpi.Run("start", 1)
		require.NoError(t, err, output)
		assert.Contains(t, output, "Start: mpi: cannot load what GOKKOS_MPI names: ")
		t.Setenv(Variable, "libc.so.6")
		output, err = mpi.Run("start", 1)
		require.NoError(t, err, output)
		assert.Contains(t, output, "Start: mpi: libc.so.6 is no MPI library of version 3 or later: it has no MPI_Get_library_version")
		os.Unsetenv(Variable)
	}
	if len(mpis) < 2 {
		t.Skip("one MPI only: none to mix it up with")
	}
	for k, lib := range []string{"libmpich.so.12", "libmpi.so.40"} {
		t.Setenv(Variable, lib)
		output, err := mpis[k].Run("start", 3)
		assert.Equal(t, 3, strings.Count(output, lib), "%v: %s", err, output)
		assert.Contains(t, output, "Start: mpi: started as rank 2 of 3, by "+[]string{"Open MPI's mpirun (OMPI_COMM_WORLD_RANK is set)", "MPICH's mpiexec (PMI_RANK is set)"}[k]+", but "+lib)
		assert.Contains(t, output, "has a world of 1: call the mpiexec of that library, or set GOKKOS_MPI to the library of the launcher")
	}
}

// manners: what a library must not do to a Go program, and a program not to it.
func manners() {
	before := handlers()
	w := begin()
	if handlers() != before {
		launchtest.Fail(errors.New("the handlers of signals have changed"))
	}
	func() {
		defer func() {
			if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "nil pointer") {
				launchtest.Fail(fmt.Errorf("recovered %v from a nil pointer", err))
			}
		}()
		var p *int
		*p = 1
	}()
	if _, err := Start(Multiple); err == nil || err.Error() != "mpi: initialized twice, expected once in a process" {
		launchtest.Fail(fmt.Errorf("Start again: %v", err))
	}
	must(cmp.Or(forgotten(w), foreign(w)))
	r, err := w.Irecv(w.Rank(), 9, make([]byte, 1))
	must(err)
	if err := w.Finalize(); err == nil || err.Error() != "mpi: Finalize with 1 requests that are not done: each needs a Wait, or a Test that is true" {
		launchtest.Fail(fmt.Errorf("Finalize with a request: %v", err))
	}
	must(w.Send(w.Rank(), 9, []byte{1}))
	_, err = r.Wait()
	must(err)
	if err := w.Close(); err == nil {
		launchtest.Fail(errors.New("the world was closed"))
	}
	must(w.Finalize())
	if err := w.Barrier(); !errors.Is(err, link.ErrClosed) {
		launchtest.Fail(fmt.Errorf("Barrier after Finalize: %v", err))
	}
	if err := w.Finalize(); !errors.Is(err, link.ErrClosed) {
		launchtest.Fail(fmt.Errorf("the second Finalize: %v", err))
	}
	if _, _, err := r.Test(); err != nil {
		launchtest.Fail(fmt.Errorf("Test of a request that was done before Finalize: %v", err))
	}
}

// forgotten: memory that a library may write to is kept, also if nothing refers to it any more.
func forgotten(w *World) error {
	var gone atomic.Int32
	func() {
		b := make([]byte, 1<<16)
		runtime.AddCleanup(&b[0], func(int) { gone.Add(1) }, 0)
		_, err := w.Irecv(w.Rank(), 8, b)
		must(err)
	}()
	for range 4 {
		runtime.GC()
	}
	if gone.Load() != 0 {
		return errors.New("the buffer of a receive was collected")
	}
	if err := w.Send(w.Rank(), 8, bytes.Repeat([]byte{1}, 1<<16)); err != nil {
		return err
	}
	for r := range w.l.open {
		if _, err := r.Wait(); err != nil {
			return err
		}
		break
	}
	if len(w.l.open) != 0 {
		return fmt.Errorf("%d requests are kept, expected none", len(w.l.open))
	}
	return nil
}

// foreign: memory that is not Go's, as that of a mapped file.
func foreign(w *World) error {
	b, err := syscall.Mmap(-1, 0, 1<<16, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return err
	}
	r, err := w.Irecv(w.Rank(), 8, b)
	if err != nil {
		return err
	}
	sent := bytes.Repeat([]byte{7}, len(b))
	if err := w.Send(w.Rank(), 8, sent); err != nil {
		return err
	}
	if _, err := r.Wait(); err != nil {
		return err
	}
	if !bytes.Equal(b, sent) {
		return errors.New("mapped memory has other bytes")
	}
	return syscall.Munmap(b)
}

func TestManners(t *testing.T) {
	for _, mpi := range launchtest.MPIs(t) {
		for _, ranks := range []int{2, 3} { // waits in the library, and by polls
			output, err := mpi.Run("manners", ranks)
			assert.NoError(t, err, output)
		}
	}
}

// late: the other rank comes once this one has left the core often.
func late() {
	w := begin()
	path, pauses, sleep := os.Getenv("TEST_PAUSED"), 0, pause
	pause = func() {
		if pauses++; pauses == 100 {
			must(os.WriteFile(path, nil, 0o600))
		}
		sleep()
	}
	if w.Rank() == 0 {
		for _, err := os.Stat(path); err != nil; _, err = os.Stat(path) {
			time.Sleep(time.Millisecond)
		}
	}
	must(w.Barrier())
	must(w.Finalize())
}

// Ranks that share a core leave it to others while they wait.
func TestWaitsLeaveTheCore(t *testing.T) {
	t.Setenv("TEST_WAITS", "0")
	for _, mpi := range launchtest.MPIs(t) {
		t.Setenv("TEST_PAUSED", filepath.Join(t.TempDir(), "paused"))
		output, err := mpi.Run("late", 2)
		assert.NoError(t, err, output)
	}
}

// abort: rank 1 ends the job while others wait for it.
func abort() {
	w := begin()
	if w.Rank() == 1 {
		w.Abort(7, "enough of it")
	}
	must(w.Barrier())
}

func TestAbortEndsAllRanks(t *testing.T) {
	for _, mpi := range launchtest.MPIs(t) {
		output, err := mpi.Run("abort", 3)
		var status interface{ ExitCode() int }
		require.ErrorAs(t, err, &status, "%s: %s", mpi.Name, output)
		assert.Equal(t, 7, status.ExitCode(), "%s: %s", mpi.Name, output)
		assert.Contains(t, output, "mpi: rank 1 of world aborts the job: enough of it", mpi.Name)
	}
}

// What a library changes about signals is put back.
func TestHandlersAreRestored(t *testing.T) {
	before := handlers()
	for _, s := range faults {
		changed := before[0]
		changed[0] ^= 1 << 20
		_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&changed)), 0, 8, 0, 0)
		require.Zero(t, errno)
	}
	changed := handlers()
	restore(before)
	assert.NotEqual(t, before, changed)
	assert.Equal(t, before, handlers())
}

// A warning is about cores that are there and not used.
func TestWarningOfABinding(t *testing.T) {
	for _, c := range []struct {
		own, theirs, ranks int
		want               string
	}{
		{1, 32, 2, "mpi: the launcher has bound each of the 2 ranks on this node to one of 32 cores: with mpirun --bind-to none they use all of them"},
		{1, 2, 1, "mpi: the launcher has bound the rank on this node to one of 2 cores: with mpirun --bind-to none it uses all of them"},
		{1, 32, 17, ""}, // not two for each
		{2, 32, 2, ""},  // as the user has asked for
		{1, 1, 1, ""},
		{32, 32, 2, ""},
		{1, 0, 1, ""}, // those of the launcher are not known
	} {
		assert.Equal(t, c.want, warning(c.own, c.theirs, c.ranks), "%+v", c)
	}
	assert.Equal(t, runtime.NumCPU(), affinity(0).cores())
	assert.Zero(t, affinity(-1).cores())
}

// A rank that is bound by the real launcher is told.
func TestBindingByTheLauncher(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("one core: none to leave idle")
	}
	for _, mpi := range launchtest.MPIs(t) {
		if mpi.Name == "Open MPI" { // MPICH's does not bind
			output, err := mpi.Run("start", 1, "--bind-to", "core")
			require.NoError(t, err, output)
			assert.Contains(t, output, "with mpirun --bind-to none it uses all of them")
			output, err = mpi.Run("start", 1)
			require.NoError(t, err, output)
			assert.NotContains(t, output, "--bind-to none")
		}
	}
}

// What is loaded is beside the launcher, if it is there, and what the system finds otherwise.
func TestCandidates(t *testing.T) {
	folder := t.TempDir()
	for _, lib := range []string{"lib", "lib64"} {
		require.NoError(t, os.MkdirAll(folder+"/"+lib, 0o777))
	}
	require.NoError(t, os.WriteFile(folder+"/lib64/libmpi.so.40", nil, 0o666))
	require.NoError(t, os.WriteFile(folder+"/lib/libmpi_abi.so.0", nil, 0o666))
	l := launcher{families: []family{openMPI, standard}}
	system := []string{"libmpi.so.40", "libmpi_abi.so.0", "libmpi_abi.so"}
	shell := program{"/bin", "bash"}
	beside := []string{folder + "/lib64/libmpi.so.40", folder + "/lib/libmpi_abi.so.0"}
	assert.Equal(t, append(beside, system...), candidates(l, []program{shell, {folder + "/bin", "orted"}}, ""))
	assert.Equal(t, system, candidates(l, []program{shell}, ""))
	assert.Equal(t, system, candidates(l, []program{{"/none/bin", "orted"}, {folder + "/bin", "orted"}}, ""), "the nearest launcher is the one")
	assert.Equal(t, []string{"x"}, candidates(l, []program{{folder + "/bin", "orted"}}, "x"))

	parent, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", os.Getppid()))
	require.NoError(t, err)
	got := above()
	assert.Equal(t, parent, got[0].folder+"/"+got[0].name)
	assert.Greater(t, len(got), 1, "and what started that")
}

// A launcher whose library is not there: what was tried, and what to do.
func TestMissingLibrary(t *testing.T) {
	l := launcher{name: "a launcher", variable: "RANK", families: []family{standard}, rank: 1, size: 4}
	_, path, err := open(l, nil)
	if err == nil {
		t.Skip("there is ", path)
	}
	assert.ErrorContains(t, err, "mpi: started as rank 1 of 4, by a launcher (RANK is set), whose library cannot be loaded: install an MPI with the standard binary interface, or set GOKKOS_MPI to the path of its library:\n")
	for _, name := range names[standard] {
		assert.ErrorContains(t, err, name)
	}
}
