package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestHistogram(t *testing.T) {
	d := Histogram("age", []float64{0, 1, 9, 10, 19.5, 20, math.NaN(), 39})
	if want := []string{"0 to 10", "10 to 20", "20 to 30", "30 to 40"}; !reflect.DeepEqual(d.Labels, want) {
		t.Errorf("labels %q, want %q", d.Labels, want)
	}
	if want := []float64{3, 2, 1, 1}; !reflect.DeepEqual(d.Values, want) {
		t.Errorf("counts %v, want %v", d.Values, want)
	}
}

func TestHistogramCountsEveryValueOnce(t *testing.T) {
	for _, values := range [][]float64{{5}, {5, 5, 5}, {-3, 4}, {0.001, 0.0011, 0.00105}, {1e15, 2e15}, {-1e-9, 1e9}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}} {
		sum := 0.0
		d := Histogram("x", values)
		for _, c := range d.Values {
			sum += c
		}
		if sum != float64(len(values)) || len(d.Values) > 21 {
			t.Errorf("%v: %v rows in %d ranges", values, sum, len(d.Values))
		}
	}
}

func TestFrequency(t *testing.T) {
	d := Frequency("city", []string{"Oslo", "Bergen", "Oslo"})
	if !reflect.DeepEqual(d.Labels, []string{"Oslo", "Bergen"}) || !reflect.DeepEqual(d.Values, []float64{2, 1}) {
		t.Errorf("got %q %v", d.Labels, d.Values)
	}
}

func TestTextFitsTheWidth(t *testing.T) {
	d := Data{Kind: Bar, X: "a", Y: "b", Labels: []string{strings.Repeat("long ", 40), "日本", "c"}, Values: []float64{1e6, -5e5, math.NaN()}}
	for _, width := range []int{10, 40, 80, 200} {
		for _, kind := range Kinds() {
			d.Kind = kind
			text, err := Text(d, width, 20, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.Split(text, "\n") {
				if n := len([]rune(line)); kind != Line && n > max(width, 40) {
					t.Errorf("%s at width %d has a line of %d: %s", kind, width, n, line)
				}
			}
		}
	}
}

func TestTextShowsSmallValues(t *testing.T) {
	text, err := Text(Data{Kind: Bar, Labels: []string{"a", "b"}, Values: []float64{1e9, 1}}, 60, 20, true)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "b |# 1\n") {
		t.Errorf("a small value has no bar:\n%s", text)
	}
}

func TestTextOfManyBars(t *testing.T) {
	d := Data{Kind: Bar}
	for range maxBars + 5 {
		d.Labels, d.Values = append(d.Labels, "x"), append(d.Values, 1)
	}
	if text, err := Text(d, 80, 20, false); err != nil || !strings.HasSuffix(text, "and 5 more\n") {
		t.Errorf("%v, ends with %q", err, text[max(0, len(text)-20):])
	}
}

func TestStretch(t *testing.T) {
	if got, want := stretch([]float64{0, 4, 2}, 9), []float64{0, 1, 2, 3, 4, 3.5, 3, 2.5, 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("stretch = %v, want %v", got, want)
	}
	peak := make([]float64, 1000)
	peak[777] = 5
	got := stretch(peak, 50)
	if _, high := extent(got); len(got) != 50 || high != 5 {
		t.Errorf("thinning to %d values lost the peak: %v", len(got), high)
	}
}

func TestImages(t *testing.T) {
	d := Data{X: "city <x>", Y: "revenue & more", Labels: []string{"Oslo", "<Bergen>", "c"}, Values: []float64{1.5, -2, math.NaN()}}
	for _, kind := range Kinds() {
		d.Kind = kind
		svg, err := SVG(d)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		decoder := xml.NewDecoder(bytes.NewReader(svg))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s is not XML: %v\n%s", kind, err, svg)
			}
		}
		if !bytes.Contains(svg, []byte("&lt;Bergen&gt;")) {
			t.Errorf("%s lacks a label", kind)
		}
		image, err := PNG(d)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if picture, err := png.Decode(bytes.NewReader(image)); err != nil || picture.Bounds().Dx() != imageWidth {
			t.Errorf("%s is no PNG of the right size: %v", kind, err)
		}
	}
}

func TestNothingToDraw(t *testing.T) {
	for _, d := range []Data{{Kind: Bar}, {Kind: Line, Y: "name", Labels: []string{"a"}, Values: []float64{math.NaN()}}} {
		if _, err := Text(d, 80, 20, false); err == nil {
			t.Errorf("%+v: Text draws nothing without an error", d)
		}
		if _, err := SVG(d); err == nil {
			t.Errorf("%+v: SVG draws nothing without an error", d)
		}
	}
}

func TestSingleValue(t *testing.T) {
	for _, kind := range Kinds() {
		d := Data{Kind: kind, X: "x", Y: "y", Labels: []string{"a"}, Values: []float64{0}}
		if _, err := Text(d, 80, 20, false); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if _, err := SVG(d); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
