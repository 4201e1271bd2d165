package arguments

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A program that takes flags only refuses what stands behind them.
func TestParseRefusesOtherArguments(t *testing.T) {
	assert.NoError(t, noneOf(nil))
	assert.EqualError(t, noneOf([]string{"simgpu"}), `arguments ["simgpu"], expected none but flags; -help lists them`)
}
