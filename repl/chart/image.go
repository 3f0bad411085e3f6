package chart

import (
	"fmt"
	"math"

	"github.com/go-analyze/charts"
)

// The size of images, in pixels. An SVG scales.
const (
	imageWidth  = 960
	imageHeight = 420
)

// maxImageBars is how many bars an image shows legibly.
const maxImageBars = 200

// maxLineLabels is how many labels fit below a line.
const maxLineLabels = 12

// SVG draws a chart as an SVG element without script.
func SVG(d Data) ([]byte, error) { return render(d, charts.ChartOutputSVG) }

// PNG draws a chart as a PNG image.
func PNG(d Data) ([]byte, error) { return render(d, charts.ChartOutputPNG) }

func render(d Data, output string) (image []byte, err error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: output, Width: imageWidth, Height: imageHeight})
	if d.Kind == Line {
		err = p.LineChart(lineOption(d))
	} else {
		err = p.BarChart(barOption(d.first(maxImageBars)))
	}
	if err != nil {
		return nil, fmt.Errorf("draw the chart: %w", err)
	}
	return p.Bytes()
}

func barOption(d Data) charts.BarChartOption {
	o := charts.NewBarChartOptionWithData([][]float64{gaps(d.Values)})
	o.CategoryAxis.Labels, o.CategoryAxis.Title = d.Labels, d.X
	o.ValueAxis = []charts.ValueAxisOption{valueAxis(d)}
	o.Title.Text = d.heading()
	o.ValueFormatter = Number
	return o
}

func lineOption(d Data) charts.LineChartOption {
	o := charts.NewLineChartOptionWithData([][]float64{gaps(d.Values)})
	o.XAxis.Labels, o.XAxis.Title = d.Labels, d.X
	o.XAxis.LabelCount = min(len(d.Labels), maxLineLabels)
	o.YAxis = []charts.YAxisOption{valueAxis(d)}
	o.Title.Text = d.heading()
	o.ValueFormatter = Number
	return o
}

// valueAxis begins at zero for bars: a bar's length is its value.
func valueAxis(d Data) charts.ValueAxisOption {
	axis := charts.ValueAxisOption{Title: d.Y}
	if low, _ := extent(d.Values); d.Kind != Line && low >= 0 {
		axis.Min = charts.Ptr(0.0)
	}
	return axis
}

// gaps replaces missing values by the library's own mark for them.
func gaps(values []float64) []float64 {
	list := make([]float64, len(values))
	for i, v := range values {
		if list[i] = v; math.IsNaN(v) || math.IsInf(v, 0) {
			list[i] = charts.GetNullValue()
		}
	}
	return list
}
