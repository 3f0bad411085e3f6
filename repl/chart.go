package repl

import (
	"context"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/dynasql/dynasql/repl/chart"
	"github.com/dynasql/dynasql/repl/format"
)

var chartKinds = func() []string {
	var list []string
	for _, k := range chart.Kinds() {
		list = append(list, string(k))
	}
	return list
}()

// chartSpec is a chart as asked for: its kind and columns.
type chartSpec struct {
	kind  chart.Kind
	x, y  string
	title string
	file  string
}

const chartUsage = `\chart bar|line|hist [X [Y]] [> FILE.svg or FILE.png]; in a comment: -- chart: bar x=COLUMN y=COLUMN title="TEXT"`

// parseChart reads "bar", "bar X Y", "bar x=X y=Y title=T" and "> FILE".
func parseChart(args []string) (chartSpec, error) {
	if len(args) == 0 {
		return chartSpec{}, usagef(chartUsage, `\chart needs a kind of chart`)
	}
	spec := chartSpec{kind: chart.Kind(strings.ToLower(args[0]))}
	if spec.kind != chart.Bar && spec.kind != chart.Line && spec.kind != chart.Hist {
		return spec, usagef(chartUsage, "there is no chart of kind %q", args[0])
	}
	for i := 1; i < len(args); i++ {
		name, value, named := strings.Cut(args[i], "=")
		switch {
		case args[i] == ">" && i+1 < len(args):
			i++
			spec.file = bare(args[i])
		case strings.HasPrefix(args[i], ">"):
			spec.file = args[i][1:]
		case named && name == "x":
			spec.x = value
		case named && name == "y":
			spec.y = value
		case named && name == "title":
			spec.title = value
		case spec.x == "":
			spec.x = bare(args[i])
		case spec.y == "":
			spec.y = bare(args[i])
		default:
			return spec, usagef(chartUsage, "%q is one column too many", args[i])
		}
	}
	return spec, nil
}

// cmdChart draws the rows of the last statement.
func cmdChart(sh *Shell, _ context.Context, args []string) error {
	if _, err := sh.last(); err != nil {
		return err
	}
	spec, err := parseChart(args)
	if err != nil {
		return err
	}
	data, err := sh.chartData(spec)
	if err != nil {
		return err
	}
	if spec.file != "" {
		return sh.chartFile(spec.file, data)
	}
	width, height := sh.settings.look.Width, 20
	if sh.terminal != nil {
		width, height = sh.terminal.Size()
	}
	if width == 0 {
		width = 80
	}
	text, err := chart.Text(data, width, height, sh.settings.look.ASCII)
	if err != nil {
		return err
	}
	return sh.text(text)
}

func (sh *Shell) chartFile(path string, data chart.Data) error {
	draw := map[string]func(chart.Data) ([]byte, error){".svg": chart.SVG, ".png": chart.PNG}[strings.ToLower(suffix(path))]
	if draw == nil {
		return usagef("end it with .svg or .png", "the name %s does not say what to draw", path)
	}
	err := writeFile(path, func(w io.Writer) error {
		image, err := draw(data)
		if err == nil {
			_, err = w.Write(image)
		}
		return err
	})
	if err == nil {
		sh.note("chart written to %s", path)
	}
	return err
}

func suffix(path string) string {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[i:]
	}
	return ""
}

// drawSVG draws the chart that a comment asks for.
func (sh *Shell) drawSVG(text string) (string, error) {
	args, err := chartWords(text)
	if err != nil {
		return "", err
	}
	spec, err := parseChart(args)
	if err != nil {
		return "", err
	}
	data, err := sh.chartData(spec)
	if err != nil {
		return "", err
	}
	svg, err := chart.SVG(data)
	return string(svg), err
}

// chartWords splits the text of a chart comment; a value may be quoted.
func chartWords(text string) ([]string, error) {
	var list []string
	for _, part := range strings.Fields(text) {
		open := len(list) > 0 && strings.Count(list[len(list)-1], `"`) == 1
		if open {
			list[len(list)-1] += " " + part
			continue
		}
		list = append(list, part)
	}
	for i, w := range list {
		if strings.Count(w, `"`) == 1 {
			return nil, usagef(chartUsage, "a quote in the chart comment is not closed")
		}
		list[i] = strings.ReplaceAll(w, `"`, "")
	}
	return list, nil
}

// chartData takes the columns of a chart out of the rows that were kept.
func (sh *Shell) chartData(spec chartSpec) (chart.Data, error) {
	r := sh.result
	if r == nil || len(r.columns) == 0 {
		return chart.Data{}, usagef("run a SELECT first", "there are no rows to draw")
	}
	if !r.complete {
		return chart.Data{}, usagef("GROUP BY or LIMIT makes it smaller", "the result is too large to draw: more than %d rows or %s", keptRows, bytesText(keptBytes))
	}
	x, err := r.column(spec.x, spec.kind == chart.Hist, -1)
	if err != nil {
		return chart.Data{}, err
	}
	if spec.kind == chart.Hist {
		data := r.distribution(x)
		data.Title = spec.title
		return data, nil
	}
	y, err := r.column(spec.y, true, x)
	if err != nil {
		return chart.Data{}, err
	}
	return chart.Data{Kind: spec.kind, Title: spec.title, X: r.columns[x].Name, Y: r.columns[y].Name, Labels: r.labels(x), Values: r.numbers(y)}, nil
}

// column finds a column by name. Without a name it is the first one that holds
// numbers, or that holds none, other than the given one; else just the first.
func (r *result) column(name string, numeric bool, other int) (int, error) {
	for i, c := range r.columns {
		if name != "" && strings.EqualFold(c.Name, name) {
			return i, nil
		}
	}
	if name != "" {
		return 0, usagef("columns are "+strings.Join(columnNames(r.columns), ", "), "the result has no column %q", name)
	}
	fallback := -1
	for i, c := range r.columns {
		if i == other {
			continue
		}
		if (c.Kind == format.Number) == numeric {
			return i, nil
		}
		if fallback < 0 {
			fallback = i
		}
	}
	if fallback < 0 {
		return 0, usagef("select a column for x and one for y", "the result has only one column")
	}
	return fallback, nil
}

func (r *result) labels(column int) []string {
	list := make([]string, len(r.rows))
	for i, row := range r.rows {
		if list[i] = format.Visible(row[column].Text); row[column].Null {
			list[i] = "NULL"
		}
	}
	return list
}

// numbers are the values of a column; what is no number is missing.
func (r *result) numbers(column int) []float64 {
	list := make([]float64, len(r.rows))
	for i, row := range r.rows {
		v, err := strconv.ParseFloat(row[column].Text, 64)
		if err != nil || row[column].Null {
			v = math.NaN()
		}
		list[i] = v
	}
	return list
}

func (r *result) distribution(column int) chart.Data {
	if r.columns[column].Kind == format.Number {
		return chart.Histogram(r.columns[column].Name, r.numbers(column))
	}
	return chart.Frequency(r.columns[column].Name, r.labels(column))
}
