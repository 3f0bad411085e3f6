package function

import (
	"fmt"
	"math"
)

// sizes are functions that show sizes and durations for people to read.
var sizes = map[string]definition{
	"format_bytes":     {least: 1, most: 1, typ: text, eval: formatBytes},
	"format_pico_time": {least: 1, most: 1, typ: text, eval: formatPicoTime},
}

// A scale is a unit and how many of the smallest unit it has.
type scale struct {
	name string
	size float64
}

var (
	binaryScales = []scale{{"bytes", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"PiB", 1 << 50}, {"EiB", 1 << 60}}
	timeScales   = []scale{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}, {"min", 60e12}, {"h", 3600e12}, {"d", 86400e12}}
)

func formatBytes(c *call) (any, error) { return shown(c.float(0), binaryScales, "%4d %s"), nil }

func formatPicoTime(c *call) (any, error) { return shown(c.float(0), timeScales, "%3d %s"), nil }

// shown writes a number in the largest unit of which there is at least one; of
// the smallest there are whole ones.
func shown(n float64, scales []scale, whole string) string {
	at := 0
	for at+1 < len(scales) && math.Abs(n) >= scales[at+1].size {
		at++
	}
	value := n / scales[at].size
	switch {
	case at == 0:
		return fmt.Sprintf(whole, int64(value), scales[0].name)
	case math.Abs(value) >= 100000:
		return fmt.Sprintf("%4.2e %s", value, scales[at].name)
	}
	return fmt.Sprintf("%4.2f %s", value, scales[at].name)
}
