package gokkos

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
	quoted  = regexp.MustCompile("`[^`\n]*`")
)

// A link from one page to another leads to a file and to a heading that exist.
func TestLinksLeadSomewhere(t *testing.T) {
	all := everyPage(t)
	inside := 0
	for page, text := range all {
		for _, m := range link.FindAllStringSubmatch(quoted.ReplaceAllString(fenced.ReplaceAllString(text, ""), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			inside++
			file, anchor, _ := strings.Cut(m[1], "#")
			to := path.Join(path.Dir(page), file)
			if file == "" {
				to = page
			}
			_, err := os.Stat(to)
			assert.NoError(t, err, "%s links to %s", page, m[1])
			if anchor != "" {
				assert.Contains(t, anchors(all[to]), anchor, "%s links to %s", page, m[1])
			}
		}
	}
	assert.Greater(t, inside, 30)
}

var dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchors returns the names that a page's headings have in links.
func anchors(page string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
		name := dropped.ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(name, " ", "-"))
	}
	return all
}

// Every page of docs is reached from the page that says where to go for what.
func TestPagesAreListed(t *testing.T) {
	for page := range pages(t) {
		if name, ok := strings.CutPrefix(page, "docs/"); ok && name != "README.md" {
			assert.Contains(t, pages(t)["docs/README.md"], "("+name+")", page)
		}
	}
}
