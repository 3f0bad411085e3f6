package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/dynasql/dynasql/repl/format"
)

// statements are the flags that say what is run and how its results look. They
// belong to the shell and to the demo.
type statements struct {
	execute []string
	file    []string
	output  string
	format  string
	vars    []string
	title   string
	force   bool
	quiet   bool
	ascii   bool
	stats   bool
}

func (s *statements) register(flags *pflag.FlagSet) {
	flags.StringArrayVarP(&s.execute, "execute", "e", nil, "run the `SQL` and leave; may be repeated")
	flags.StringArrayVarP(&s.file, "file", "f", nil, "run the statements in `FILE` and leave; - is standard input; may be repeated")
	flags.StringVarP(&s.output, "output", "o", "", "write the results to `FILE`; its ending says the format (.csv, .json, .html, ...)")
	flags.StringVar(&s.format, "format", "", "results as `FORMAT`: "+formatNames()+" (default table on a terminal, else tsv)")
	flags.StringArrayVar(&s.vars, "var", nil, "the value of a parameter :NAME in the statements, as `NAME=VALUE`; may be repeated")
	flags.StringVar(&s.title, "title", "", "`TITLE` of an HTML page")
	flags.BoolVar(&s.force, "force", false, "go on after a statement that failed")
	flags.BoolVarP(&s.quiet, "quiet", "q", false, "no line about rows, requests and cost after each result")
	flags.BoolVar(&s.stats, "stats", false, "after each statement a line of JSON about its requests on standard error, instead of the line for people")
	flags.BoolVar(&s.ascii, "ascii", false, "draw tables with ASCII characters")
	flags.SortFlags = false
}

func formatNames() string {
	var names []string
	for _, f := range format.All() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// check refuses what cannot be run together.
func (s *statements) check() error {
	if len(s.execute) > 0 && len(s.file) > 0 {
		return usagef("put the statements into the file, or run dynasql twice", "-e and -f were both given")
	}
	if s.format != "" {
		if _, err := format.Parse(s.format); err != nil {
			return usagef("", "--format: %s", err)
		}
	}
	_, err := s.parameters()
	return err
}

// endings are the formats by the ending of the name of a file.
var endings = map[string]format.Format{
	".csv": format.CSV, ".tsv": format.TSV, ".json": format.JSONArray, ".jsonl": format.JSONLines,
	".md": format.Markdown, ".html": format.HTML, ".htm": format.HTML, ".txt": format.Table,
}

// shape is the format that the flags ask for; empty is for the shell to choose.
func (s *statements) shape() format.Format {
	if s.format == "" {
		return endings[strings.ToLower(filepath.Ext(s.output))]
	}
	f, _ := format.Parse(s.format) // was checked
	return f
}

// parameters splits the values of --var.
func (s *statements) parameters() (map[string]string, error) {
	values := map[string]string{}
	for _, v := range s.vars {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return nil, usagef("write it as --var NAME=VALUE", "--var %s has no name and value", v)
		}
		values[name] = value
	}
	return values, nil
}

// script is one source of statements. Its name is for messages; empty for -e.
type script struct {
	name string
	text io.Reader
}

// scripts opens what -e and -f name; without either, standard input is the one
// script. The result must be closed with the second value. No file is opened
// when one of them cannot be.
func (s *statements) scripts(stdin io.Reader) ([]script, func(), error) {
	var all []script
	for _, sql := range s.execute {
		all = append(all, script{"", strings.NewReader(sql)})
	}
	if len(s.execute) == 0 && len(s.file) == 0 {
		all = append(all, script{"", stdin})
	}
	var files []*os.File
	closeAll := func() {
		for _, f := range files {
			f.Close() // read only
		}
	}
	for _, name := range s.file {
		if name == "-" {
			all = append(all, script{"standard input", stdin})
			continue
		}
		f, err := openScript(name)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		files = append(files, f)
		all = append(all, script{name, f})
	}
	return all, closeAll, nil
}

func openScript(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("-f %s: %w", name, cause(err))
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("-f %s: it is a folder; name a file with statements", name)
	}
	return f, nil
}
