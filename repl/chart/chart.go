// Package chart draws one series of values as a bar chart, a line or a
// histogram: in characters for a terminal, as SVG or as PNG. It keeps the
// drawing libraries out of the shell. Values are floats here, since a pixel has
// fewer digits than a float; the tables beside a chart show the exact numbers.
package chart

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// Kind is a kind of chart.
type Kind string

const (
	Bar  Kind = "bar"
	Line Kind = "line"
	Hist Kind = "hist" // how often values occur
)

// Kinds lists the kinds of chart.
func Kinds() []Kind { return []Kind{Bar, Hist, Line} }

// Data is what a chart shows: one value for each label, in order. NaN is a
// value that is missing and leaves a gap.
type Data struct {
	Kind   Kind
	Title  string
	X, Y   string // what labels and values are
	Labels []string
	Values []float64
}

// Histogram counts how often values fall into each of up to 20 ranges of equal
// width, chosen by Sturges' rule. NaN is not counted.
func Histogram(name string, values []float64) Data {
	d := Data{Kind: Hist, X: name, Y: "rows"}
	low, high, n := math.Inf(1), math.Inf(-1), 0
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high, n = min(low, v), max(high, v), n+1
		}
	}
	if n == 0 {
		return d
	}
	step, first := niceStep(low, high, n)
	bins := int(math.Floor((high-first)/step)) + 1
	counts := make([]float64, bins)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			counts[min(bins-1, int((v-first)/step))]++
		}
	}
	for i := range counts {
		d.Labels = append(d.Labels, Number(first+float64(i)*step)+" to "+Number(first+float64(i+1)*step))
	}
	d.Values = counts
	return d
}

// niceStep chooses ranges that begin at round numbers.
func niceStep(low, high float64, n int) (step, first float64) {
	if low == high {
		return 1, low
	}
	want := (high - low) / min(20, math.Ceil(math.Log2(float64(n)))+1)
	magnitude := math.Pow(10, math.Floor(math.Log10(want)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if step = factor * magnitude; step >= want {
			break
		}
	}
	return step, math.Floor(low/step) * step
}

// Frequency counts how often each label occurs, the most frequent first.
func Frequency(name string, labels []string) Data {
	counts := map[string]int{}
	d := Data{Kind: Hist, X: name, Y: "rows"}
	for _, l := range labels {
		if counts[l] == 0 {
			d.Labels = append(d.Labels, l)
		}
		counts[l]++
	}
	sort.SliceStable(d.Labels, func(i, j int) bool { return counts[d.Labels[i]] > counts[d.Labels[j]] })
	for _, l := range d.Labels {
		d.Values = append(d.Values, float64(counts[l]))
	}
	return d
}

// Number writes a value for a label: at most six significant digits.
func Number(v float64) string {
	if math.Abs(v) >= 1e6 && v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// first returns a chart of the first n values.
func (d Data) first(n int) Data {
	if len(d.Values) > n {
		d.Labels, d.Values = d.Labels[:n], d.Values[:n]
	}
	return d
}

// heading is the title, or what the chart shows.
func (d Data) heading() string {
	if d.Title != "" {
		return d.Title
	}
	if d.Kind == Hist {
		return "rows by " + d.X
	}
	return fmt.Sprintf("%s by %s", d.Y, d.X)
}

// check reports why the data cannot be drawn.
func (d Data) check() error {
	for _, v := range d.Values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return nil
		}
	}
	if len(d.Values) == 0 {
		return fmt.Errorf("there are no rows to draw")
	}
	return fmt.Errorf("the column %s holds no numbers to draw", strings.TrimSpace(d.Y))
}
