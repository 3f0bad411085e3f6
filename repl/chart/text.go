package chart

import (
	"fmt"
	"math"
	"strings"

	"github.com/guptarohit/asciigraph"
	"github.com/mattn/go-runewidth"
)

// maxBars is how many bars a terminal shows.
const maxBars = 60

// Text draws a chart of at most width columns and, for a line, height lines. In
// ASCII it uses no other characters in bars. It ends with a newline.
func Text(d Data, width, height int, ascii bool) (string, error) {
	if err := d.check(); err != nil {
		return "", err
	}
	width = max(width, 40)
	if d.Kind == Line {
		return lineText(d, width, height), nil
	}
	text := d.heading() + "\n" + barText(d.first(maxBars), width, ascii)
	if more := len(d.Values) - maxBars; more > 0 {
		text += fmt.Sprintf("and %d more\n", more)
	}
	return text, nil
}

func lineText(d Data, width, height int) string {
	height = max(5, min(height-6, 20))
	plot := asciigraph.Plot(stretch(d.Values, width-16), asciigraph.Height(height), asciigraph.Precision(precision(d.Values)))
	return fmt.Sprintf("%s\n%s\n%s to %s\n", d.heading(), plot, d.Labels[0], d.Labels[len(d.Labels)-1])
}

// stretch makes values fill a width of columns. Few values keep their exact
// height, with straight lines between them; of too many, each column shows the
// one farthest from the mean, so that no peak is lost.
func stretch(values []float64, width int) []float64 {
	n := len(values)
	if n > width {
		return thin(values, width)
	}
	if n < 2 {
		return values
	}
	step := width / (n - 1)
	if step < 2 {
		return values
	}
	var list []float64
	for i := 0; i < n-1; i++ {
		for j := range step {
			share := float64(j) / float64(step)
			if j == 0 {
				list = append(list, values[i])
				continue
			}
			list = append(list, values[i]*(1-share)+values[i+1]*share)
		}
	}
	return append(list, values[n-1])
}

func thin(values []float64, width int) []float64 {
	sum, n := 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	mean := sum / max(n, 1)
	list := make([]float64, width)
	for i := range list {
		part := values[i*len(values)/width : (i+1)*len(values)/width]
		list[i] = part[0]
		for _, v := range part {
			if math.IsNaN(list[i]) || math.Abs(v-mean) > math.Abs(list[i]-mean) {
				list[i] = v
			}
		}
	}
	return list
}

// precision is the number of decimals that tell the values apart on the axis.
func precision(values []float64) uint {
	low, high := extent(values)
	switch spread := high - low; {
	case spread >= 100 || spread == 0:
		return 0
	case spread >= 1:
		return 2
	}
	return 4
}

// extent is the range of the values.
func extent(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// barText draws one bar a line. Negative values go left of the axis.
func barText(d Data, width int, ascii bool) string {
	labels, numbers := labelWidth(d.Labels, width/3), 0
	for _, v := range d.Values {
		numbers = max(numbers, len(valueText(v)))
	}
	low, high := extent(d.Values)
	low, high = min(low, 0), max(high, 0)
	room := float64(width - labels - numbers - 4)
	scale := 0.0
	if high > low {
		scale = room / (high - low)
	}
	left := int(math.Ceil(-low * scale))
	var b strings.Builder
	for i, v := range d.Values {
		label := runewidth.Truncate(d.Labels[i], labels, "…")
		fmt.Fprintf(&b, "%s %s\n", runewidth.FillLeft(label, labels), oneBar(v, scale, left, ascii))
	}
	return b.String()
}

func labelWidth(labels []string, limit int) int {
	width := 0
	for _, l := range labels {
		width = max(width, runewidth.StringWidth(l))
	}
	return min(width, limit)
}

func valueText(v float64) string {
	if math.IsNaN(v) {
		return "NULL"
	}
	return Number(v)
}

// oneBar draws a bar from the axis, which has room for left columns before it.
func oneBar(v, scale float64, left int, ascii bool) string {
	full, axis := "█", "│"
	if ascii {
		full, axis = "#", "|"
	}
	if math.IsNaN(v) {
		return strings.Repeat(" ", left) + axis + " NULL"
	}
	if v < 0 {
		n := int(math.Round(-v * scale))
		return strings.Repeat(" ", max(0, left-n)) + strings.Repeat(full, min(n, left)) + axis + " " + Number(v)
	}
	eighths := int(math.Round(v * scale * 8))
	bar := strings.Repeat(full, eighths/8)
	if rest := eighths % 8; rest > 0 && !ascii {
		bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	if bar == "" && v > 0 {
		bar = map[bool]string{true: "#", false: "▏"}[ascii]
	}
	return strings.Repeat(" ", left) + axis + bar + " " + Number(v)
}
