package tools

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A label comes back from a trace as it was, however long it is and whatever it has in it.
func TestTraceRoundTripOfAnyLabel(t *testing.T) {
	labels := []string{strings.Repeat("x", 1<<20), strings.Repeat("\x1b\"", 1<<20), "a\nb\tc\x1b[31m\r", "ü\u202e\u2028", ",", "]", "[", ""}
	var file strings.Builder
	stop := Listen(WriteTrace(&file, func(err error) { t.Error(err) }))
	for _, label := range labels {
		require.NoError(t, Do(Event{Kind: For, Label: label, Space: "s"}, func() error { return nil }))
	}
	stop()
	var table Table
	require.NoError(t, table.ReadTrace(strings.NewReader(file.String())))
	for _, label := range labels {
		require.NotNil(t, table.rows[Event{Kind: For, Label: label, Space: "s"}], "%.20q", label)
	}
}

// A table has a line for each row, in its columns, whatever the labels are.
func TestTableEscapesWhatDoesNotPrint(t *testing.T) {
	var table Table
	add := func(e Event) { table.add(e, time.Unix(0, 0), time.Millisecond, false) }
	bad := "a\nb\tc\x1b[31m\x00\x7f\u202e\xffü\u0085\vd"
	add(Event{Kind: For, Label: bad, Code: bad, Space: bad, Region: bad})
	add(Event{Kind: Copy, Label: bad, From: bad, Space: bad})
	add(Event{Kind: Allocation, Label: bad, Space: bad})
	add(Event{Kind: Region, Label: bad})
	add(Event{Kind: Reduce, Label: "f", Region: "not\tmeasured"})
	text := table.String()
	assert.Equal(t, 1+4+1+1, strings.Count(text, "\n"))
	assert.NotContains(t, strings.ReplaceAll(text, "\n", ""), "\t")
	for _, r := range text {
		assert.True(t, r == '\n' || r >= ' ' && r != 0x7f && r != 0x202e && r != 0x85 && r != 0xfffd, "%q", r)
	}
	assert.Contains(t, text, `a\nb\tc\x1b[31m\x00\x7f\u202e\xffü\u0085\vd`)
	assert.Contains(t, text, `region not\tmeasured, not measured`)
}

// endless has bytes without end.
type endless string

func (e endless) Read(p []byte) (int, error) {
	for k := range p {
		p[k] = e[k%len(e)]
	}
	return len(p), nil
}

// What is no trace is an error, and ends even if the file does not.
func TestWhatIsNoTraceIsAnError(t *testing.T) {
	for _, r := range []io.Reader{endless("\x00"), endless("["), endless(","), endless("x\n"), strings.NewReader("hello"), strings.NewReader("{")} {
		require.ErrorContains(t, new(Table).ReadTrace(r), "of the trace: ")
	}
	for _, event := range []string{
		`{"cat":"for","ts":-1}`, `{"cat":"for","dur":-1}`, `{"cat":"for","ts":1e300}`, `{"cat":"for","dur":1e19}`, `{"cat":"for","ts":1e999}`,
		`{"cat":"for","args":{"items":-1}}`, `{"cat":"for","args":{"bytes":-1}}`, `{"cat":"for"} {}`, `{"cat":"for","ts":"x"}`, `null`, `{}`,
	} {
		require.ErrorContains(t, new(Table).ReadTrace(strings.NewReader(event+"\n")), "line 1 of the trace: ", event)
	}
	var table Table
	for _, text := range []string{"", "[", "[\n", "[\n]\n", "\r\n"} {
		require.NoError(t, table.ReadTrace(strings.NewReader(text)))
		require.True(t, table.Empty())
	}
	require.NoError(t, table.ReadTrace(strings.NewReader("[\r\n{\"cat\":\"for\"},\r\n]")))
	require.False(t, table.Empty())
}

// Options come in any order, and none is the name of a file by mistake.
func TestOptionsOfTheVariable(t *testing.T) {
	for set, want := range map[string]struct {
		trace  string
		labels bool
	}{
		"labels": {"", true}, "trace=F": {"F", false}, "labels,trace=F": {"F", true}, "trace=F,labels": {"F", true}, "trace=a=b": {"a=b", false},
	} {
		trace, labels, err := options(set)
		require.NoError(t, err)
		require.Equal(t, want.trace, trace)
		require.Equal(t, want.labels, labels)
	}
	t.Chdir(t.TempDir())
	for _, set := range []string{"", ",", "x", "trace", "trace=", "trace=F,", ",trace=F", "trace=F,label", "trace=F,labels,x", "labels,labels", "trace=F,trace=G", "Trace=F", " labels"} {
		require.ErrorContains(t, fromEnvironment(set), "GOKKOS_TOOLS is ", set)
		require.Zero(t, labelling.Load())
	}
	files, err := filepath.Glob("*")
	require.NoError(t, err)
	require.Empty(t, files)
}
