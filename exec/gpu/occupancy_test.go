package gpu

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestOccupancyKnown checks values of NVIDIA's occupancy calculator, of AMD's
// table of wavefronts by VGPRs, and of Intel's two register modes.
func TestOccupancyKnown(t *testing.T) {
	for _, tc := range []struct {
		d                               Device
		threads, registers, sharedBytes int
		want                            Occupancy
	}{
		{H200(), 256, 32, 0, Occupancy{8, 64, 1, "warps"}},
		{H200(), 256, 33, 0, Occupancy{6, 48, 0.75, "registers"}},
		{H200(), 256, 0, 0, Occupancy{8, 64, 1, "warps"}},
		{H200(), 32, 0, 0, Occupancy{32, 32, 0.5, "blocks"}},
		{H200(), 1, 0, 0, Occupancy{32, 32, 0.5, "blocks"}},
		{H200(), 33, 0, 0, Occupancy{32, 64, 1, "warps"}},
		{H200(), 96, 168, 0, Occupancy{4, 12, 0.1875, "registers"}},
		{H200(), 1024, 64, 0, Occupancy{1, 32, 0.5, "registers"}},
		{H200(), 256, 255, 0, Occupancy{1, 8, 0.125, "registers"}},
		{H200(), 128, 0, 48 << 10, Occupancy{4, 16, 0.25, "shared memory"}},
		{H200(), 128, 0, 227 << 10, Occupancy{1, 4, 0.0625, "shared memory"}},
		{H200(), 1024, 32, 227 << 10, Occupancy{1, 32, 0.5, "shared memory"}},
		{A100(), 128, 0, 100 << 10, Occupancy{1, 4, 0.0625, "shared memory"}},
		{A100(), 128, 0, 48 << 10, Occupancy{3, 12, 0.1875, "shared memory"}},
		{A100(), 256, 32, 0, Occupancy{8, 64, 1, "warps"}},
		{MI300X(), 256, 64, 0, Occupancy{8, 32, 1, "warps"}},
		{MI300X(), 256, 65, 0, Occupancy{7, 28, 0.875, "registers"}},
		{MI300X(), 256, 128, 0, Occupancy{4, 16, 0.5, "registers"}},
		{MI300X(), 256, 512, 0, Occupancy{1, 4, 0.125, "registers"}},
		{MI300X(), 64, 0, 0, Occupancy{32, 32, 1, "warps"}},
		{MI300X(), 256, 0, 64 << 10, Occupancy{1, 4, 0.125, "shared memory"}},
		{Max1550(), 256, 128, 0, Occupancy{4, 64, 1, "warps"}},
		{Max1550(), 256, 129, 0, Occupancy{2, 32, 0.5, "registers"}},
		{Max1550(), 512, 0, 64 << 10, Occupancy{2, 64, 1, "warps"}},
		{Max1550(), 512, 0, 128 << 10, Occupancy{1, 32, 0.5, "shared memory"}},
	} {
		t.Run(fmt.Sprint(tc.d.Name, tc.threads, tc.registers, tc.sharedBytes), func(t *testing.T) {
			got, err := tc.d.Occupancy(tc.threads, tc.registers, tc.sharedBytes)
			require.NoError(t, err)
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestOccupancyErrors(t *testing.T) {
	for _, tc := range []struct {
		threads, registers, sharedBytes int
		says                            string
	}{
		{0, 0, 0, "gpu: a block of 0 threads, expected 1 to 1024 on H200"},
		{-1, 0, 0, "gpu: a block of -1 threads, expected 1 to 1024 on H200"},
		{1025, 0, 0, "gpu: a block of 1025 threads, expected 1 to 1024 on H200"},
		{32, -1, 0, "gpu: -1 registers per thread, expected 0, if not known, to 255 on H200"},
		{32, 256, 0, "gpu: 256 registers per thread, expected 0, if not known, to 255 on H200"},
		{32, 0, -1, "gpu: -1 bytes of shared memory per block, expected 0 to 232448 on H200"},
		{32, 0, 227<<10 + 1, "gpu: 232449 bytes of shared memory per block, expected 0 to 232448 on H200"},
		{288, 255, 0, "gpu: a block of 288 threads with 255 registers each is 9 warps, expected at most the 8 that the 65536 registers per SM of H200 have room for"},
		{1024, 65, 0, "gpu: a block of 1024 threads with 65 registers each is 32 warps, expected at most the 28 that"},
	} {
		t.Run(tc.says, func(t *testing.T) {
			o, err := H200().Occupancy(tc.threads, tc.registers, tc.sharedBytes)
			assert.ErrorContains(t, err, tc.says)
			assert.Zero(t, o)
		})
	}
}

// resident returns how many blocks one SM holds, found by putting one after the
// other on it until one does not fit.
func resident(d Device, threads, registers, sharedBytes int) int {
	perWarp := 0
	for perWarp < registers*d.SubGroup {
		perWarp += d.RegisterUnit
	}
	perBlock := 0
	for perBlock < sharedBytes+max(0, d.SharedReservedBytes) {
		perBlock += d.SharedUnitBytes
	}
	warps, bytes, free := 0, 0, make([]int, d.WarpUnit)
	for k := range free {
		free[k] = d.Registers / d.WarpUnit
	}
	for blocks := range d.MaxBlocks {
		if bytes += perBlock; bytes > d.SharedPerSMBytes {
			return blocks
		}
		for lane := 0; lane < threads; lane += d.SubGroup {
			if warps++; warps > d.MaxWarps {
				return blocks
			}
			part := slices.IndexFunc(free, func(free int) bool { return free >= perWarp })
			if part < 0 {
				return blocks
			}
			free[part] -= perWarp
		}
	}
	return d.MaxBlocks
}

// request is a block as [Device.Occupancy] takes it.
type request struct{ threads, registers, sharedBytes int }

// anyRequest draws a request that is within the limits of d each on its own.
func anyRequest(t *rapid.T, d Device) request {
	return request{
		rapid.IntRange(1, d.MaxBlock).Draw(t, "threads"),
		rapid.IntRange(0, d.RegistersPerThread).Draw(t, "registers"),
		rapid.IntRange(0, d.SharedPerBlockBytes).Draw(t, "sharedBytes"),
	}
}

func TestOccupancyIsWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := validDevice(t)
		l := anyRequest(t, d)
		want := resident(d, l.threads, l.registers, l.sharedBytes)
		o, err := d.Occupancy(l.threads, l.registers, l.sharedBytes)
		if want == 0 {
			require.Error(t, err)
			require.Zero(t, o)
			return
		}
		require.NoError(t, err)
		require.Equal(t, want, o.Blocks)
		warps := (l.threads + d.SubGroup - 1) / d.SubGroup
		require.Equal(t, want*warps, o.Warps)
		require.LessOrEqual(t, o.Warps, d.MaxWarps)
		require.InDelta(t, float64(o.Warps)/float64(d.MaxWarps), o.Fraction, 1e-15)

		// With more of what binds, and only with that, there is room for more.
		more := d
		switch o.Limit {
		case "warps":
			more.MaxWarps *= 2
		case "blocks":
			more.MaxBlocks *= 2
		case "registers":
			more.Registers *= 2
		case "shared memory":
			more.SharedPerSMBytes *= 2
		default:
			t.Fatalf("limit %q", o.Limit)
		}
		twice, err := more.Occupancy(l.threads, l.registers, l.sharedBytes)
		require.NoError(t, err)
		require.True(t, twice.Blocks > o.Blocks || twice.Limit != o.Limit, "%+v, then %+v", o, twice)
	})
}

// What asks for less of anything is never held less often.
func TestOccupancyIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := validDevice(t)
		l, m := anyRequest(t, d), anyRequest(t, d)
		less := request{min(l.threads, m.threads), min(l.registers, m.registers), min(l.sharedBytes, m.sharedBytes)}
		o, err := d.Occupancy(l.threads, l.registers, l.sharedBytes)
		if err != nil {
			return
		}
		p, err := d.Occupancy(less.threads, less.registers, less.sharedBytes)
		require.NoError(t, err)
		require.GreaterOrEqual(t, p.Blocks, o.Blocks)
	})
}
