package gokkos

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/gokkos/gokkos/"

// layers says which of our packages each package may import, tests apart.
var layers = map[string][]string{
	".":                                   {},
	"reducers":                            {"internal/goexit", "reducers/concept", "internal/reduce", "internal/modified", "internal/typed"},
	"reducers/concept":                    {"internal/modified", "internal/typed"},
	"reducers/reducertest":                {"reducers", "reducers/concept", "internal/laws", "internal/reduce"},
	"internal/laws":                       {"internal/goexit", "internal/modified"},
	"internal/modified":                   {},
	"internal/teams":                      {"exec/space", "internal/lane"},
	"internal/reduce":                     {"reducers/concept", "internal/kind", "internal/laws", "internal/modified", "internal/simd", "internal/tree", "internal/typed"},
	"internal/attached":                   {},
	"internal/brief":                      {},
	"internal/count":                      {},
	"internal/index":                      {},
	"internal/kind":                       {},
	"internal/nest":                       {"internal/memory"},
	"internal/typed":                      {},
	"internal/simd":                       {"internal/kind"},
	"internal/goexit":                     {},
	"internal/hugepage":                   {},
	"internal/tree":                       {"internal/kind"},
	"internal/memory":                     {"exec/space", "exec/space/device", "exec/space/ranks", "internal/hugepage", "internal/watch"},
	"internal/leaktest":                   {"exec"},
	"internal/cardtest":                   {"exec/space", "exec/space/device", "internal/memory"},
	"team":                                {"internal/teams", "internal/watch", "internal/schedule", "reducers/concept", "internal/reduce", "reducers", "exec/space", "internal/lane", "internal/index", "internal/brief", "internal/memory", "internal/tree", "internal/typed", "team/internal/collective"},
	"team/group":                          {"internal/lane", "internal/reduce", "internal/tree", "internal/watch", "reducers", "team", "team/internal/collective"},
	"team/internal/collective":            {"internal/lane", "internal/reduce", "internal/tree", "reducers", "reducers/concept"},
	"policy":                              {"team", "exec/space", "exec/space/device", "internal/index"},
	"views/tensor":                        {"internal/goexit", "reducers/concept", "internal/reduce", "reducers", "builtin", "policy", "exec", "exec/kernel", "exec/space", "exec/space/device", "exec/space/ranks", "internal/kind", "internal/memory", "internal/nest", "internal/reuse", "internal/simd", "internal/tree", "views", "views/tensor/bfloat16", "internal/brief", "internal/watch"},
	"views/tensor/bfloat16":               {},
	"builtin":                             {"reducers/concept", "internal/reduce", "reducers", "internal/kind", "internal/simd", "internal/tree"},
	"builtin/reduction":                   {"reducers/concept", "internal/reduce", "reducers", "builtin", "internal/kind"},
	"views/atomics":                       {"builtin", "internal/kind", "internal/watch"},
	"views/scatter":                       {"reducers/concept", "reducers", "builtin", "policy", "exec", "views", "views/atomics", "internal/memory", "internal/reuse", "internal/simd"},
	"views/random":                        {"builtin", "exec", "views/random/draw", "internal/memory", "policy", "views", "exec/space/device"},
	"views/random/draw":                   {},
	"exec/gpu":                            {"exec/space"},
	"exec/space":                          {"reducers/concept", "internal/tree"},
	"exec/space/device":                   {"exec/space", "internal/attached", "reducers/concept"},
	"exec/space/ranks":                    {"exec/space", "exec/space/device", "internal/tree"},
	"exec/kernel/kmath":                   {},
	"exec/kernel/sources":                 {},
	"exec/kernel":                         {"internal/attached", "internal/simd", "policy", "reducers/concept", "exec/space", "exec/space/device", "team"},
	"internal/reuse":                      {},
	"internal/workers":                    {"exec/space", "internal/reuse"},
	"internal/simt":                       {"exec/gpu", "exec/space", "exec/space/device", "internal/schedule", "internal/tree"},
	"exec":                                {"exec/check", "exec/gpu", "exec/internal/checked", "exec/internal/environment", "exec/internal/folds", "exec/internal/items", "exec/internal/launch", "exec/internal/league", "exec/internal/loops", "exec/internal/scan", "exec/space", "exec/space/device", "exec/space/ranks", "internal/memory", "internal/reduce", "internal/simt", "internal/watch", "internal/workers", "policy", "reducers", "team"},
	"exec/internal/scan":                  {"exec/internal/checked", "exec/internal/environment", "exec/internal/items", "exec/internal/launch", "exec/internal/loops", "exec/kernel", "exec/space", "exec/space/device", "exec/space/ranks", "exec/tools", "internal/goexit", "internal/lane", "internal/reduce", "internal/reuse", "internal/tree", "internal/typed", "internal/workers", "policy", "reducers", "reducers/concept"},
	"exec/internal/loops":                 {"exec/internal/items", "exec/internal/launch", "exec/kernel", "exec/space", "exec/space/device", "internal/reduce", "internal/tree", "internal/typed", "policy"},
	"exec/internal/league":                {"exec/internal/environment", "exec/internal/launch", "exec/internal/loops", "exec/kernel", "exec/space", "exec/space/device", "internal/goexit", "internal/lane", "internal/reduce", "internal/reuse", "internal/teams", "internal/watch", "policy", "team"},
	"exec/internal/launch":                {"exec/check", "exec/internal/environment", "exec/space", "exec/space/device", "exec/space/ranks", "exec/tools", "internal/goexit", "internal/lane", "internal/laws", "internal/reduce", "internal/reuse", "internal/tree", "internal/typed", "internal/watch", "internal/workers", "policy", "team"},
	"exec/internal/items":                 {"exec/internal/launch", "exec/space", "exec/space/device", "internal/reuse", "internal/typed", "policy"},
	"exec/internal/folds":                 {"exec/internal/checked", "exec/internal/environment", "exec/internal/items", "exec/internal/launch", "exec/internal/loops", "exec/kernel", "exec/space", "exec/space/device", "exec/tools", "internal/reduce", "internal/simd", "internal/tree", "internal/typed", "policy", "reducers", "reducers/concept"},
	"exec/internal/environment":           {"exec/space", "internal/memory", "internal/watch", "internal/workers"},
	"exec/internal/checked":               {"exec/check", "exec/gpu", "exec/internal/launch", "internal/reduce", "internal/watch", "policy"},
	"views":                               {"exec/tools", "internal/watch", "policy", "exec", "exec/space", "exec/space/device", "internal/hugepage", "internal/index", "internal/memory", "internal/nest", "internal/brief"},
	"views/algorithms":                    {"reducers/concept", "internal/reduce", "reducers", "builtin", "policy", "exec", "exec/space", "exec/space/device", "views", "internal/kind", "internal/memory", "internal/simd"},
	"exec/space/spacetest/internal/suite": {"exec", "exec/kernel", "exec/space", "exec/space/device", "exec/space/ranks", "policy", "reducers", "reducers/concept", "team"},
	"exec/space/spacetest":                {"exec", "exec/space/spacetest/internal/suite"},
	"exec/exectest/internal/stale":        {"exec/kernel/sources", "internal/attached"},
	"exec/exectest":                       {"exec", "exec/check", "exec/exectest/internal/stale", "exec/gpu", "exec/tools"},
	"internal/lane":                       {"internal/goexit", "internal/schedule"},
	"internal/schedule":                   {},
	"internal/watch":                      {},
	"exec/check":                          {},
	"exec/graph":                          {"internal/goexit", "exec"},
	"exec/tools":                          {},
	"exec/tools/report":                   {"exec/tools"},
	"exec/tools/rate":                     {"builtin", "exec", "policy", "views"},
	"views/crs":                           {"builtin", "exec", "internal/memory", "policy", "views"},
	"views/hashmap":                       {},
	"views/bitset":                        {"views", "views/atomics"},
	"views/token":                         {"views", "views/atomics"},
	"views/npy":                           {"views"},
	"views/mtx":                           {},
	"exec/kernel/ptxtext":                 {},
}

func TestImportDirections(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != "." && (ignored(d.Name()) || isModule(path)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		seen[pkg] = true
		allowed, known := layers[pkg]
		require.True(t, known, "package %s has no place in the layers", pkg)
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if ours, ok := strings.CutPrefix(name, module); ok {
				assert.Contains(t, allowed, ours, "%s imports it", path)
			}
		}
		return nil
	})
	require.NoError(t, err)
	for pkg := range layers {
		assert.True(t, seen[pkg], "package %s does not exist", pkg)
	}
}

// Nested modules are what users' own modules are: they know nothing internal.
func TestModulesImportNothingInternal(t *testing.T) {
	modules := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && ignored(d.Name()):
			return filepath.SkipDir
		case d.IsDir() && path != "." && isModule(path):
			modules++
			return filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(path, ".go") {
					file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
					require.NoError(t, err)
					for _, spec := range file.Imports {
						assert.NotContains(t, spec.Path.Value, "/gokkos/internal/", "%s imports it", path)
					}
				}
				return err
			})
		}
		return nil
	})
	require.NoError(t, err)
	assert.GreaterOrEqual(t, modules, 4)
}

// ignored reports whether the go command leaves out folders of that name.
func ignored(folder string) bool {
	return strings.ContainsAny(folder[:1], "._") || folder == "testdata"
}

// isModule reports whether a folder is that of another module.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}
