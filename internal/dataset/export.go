package dataset

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The files of an export, as "DynamoDB table export output format" in the
// DynamoDB Developer Guide has them. The data files are below dataFolder.
const (
	summaryFile = "manifest-summary.json"
	listFile    = "manifest-files.json"
	dataFolder  = "data"
	dataEnding  = ".json.gz"
)

// Export is a full export of one table to S3, as DynamoDB JSON, in a folder of
// this machine.
type Export struct {
	Table string    // its name in DynamoDB; "" where there is no manifest
	Taken time.Time // the moment whose items it has; zero where there is no manifest
	Items int64     // how many there are; -1 where there is no manifest
	dir   string
	files []dataFile
}

type dataFile struct {
	name  string // below the folder, as messages show it
	items int64  // -1 where there is no manifest
	md5   []byte // of the compressed file; nil where there is no manifest
}

// Files is the number of data files.
func (e *Export) Files() int { return len(e.files) }

// OpenExport finds the files of an export: in dir, or in the only export below
// it, as DynamoDB puts them into AWSDynamoDB/ID. A folder without a manifest is
// one of data files. It reads the manifests alone.
func OpenExport(dir string) (*Export, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("export %s: there is no such folder", dir)
	case err != nil:
		return nil, fmt.Errorf("export %s: %w", dir, err)
	case !info.IsDir():
		return nil, fmt.Errorf("export %s: this is a file; give the folder that has %s and %s", dir, summaryFile, dataFolder)
	}
	found, err := exportFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", dir, err)
	}
	e := &Export{dir: found, Items: -1}
	if err := e.read(); err != nil {
		return nil, fmt.Errorf("export %s: %w", found, err)
	}
	return e, nil
}

// exportFolder is dir, or the folder below it that has the manifest.
func exportFolder(dir string) (string, error) {
	if exists(filepath.Join(dir, summaryFile)) {
		return dir, nil
	}
	var found []string
	for _, below := range []string{"*", filepath.Join("*", "*"), filepath.Join("*", "*", "*")} {
		names, err := filepath.Glob(filepath.Join(dir, below, summaryFile))
		if err != nil {
			return "", err
		}
		found = append(found, names...)
	}
	switch len(found) {
	case 0:
		return dir, nil
	case 1:
		return filepath.Dir(found[0]), nil
	}
	for i, name := range found {
		found[i] = filepath.Dir(name)
	}
	return "", fmt.Errorf("there are several exports below it; give one of %s", strings.Join(found, ", "))
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func (e *Export) read() error {
	summary, err := os.ReadFile(filepath.Join(e.dir, summaryFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return e.readFolder()
	case err != nil:
		return err
	}
	if err := e.readSummary(summary); err != nil {
		return err
	}
	return e.readList()
}

// readFolder takes the data files that there are.
func (e *Export) readFolder() error {
	for _, folder := range []string{dataFolder, "."} {
		names, err := filepath.Glob(filepath.Join(e.dir, folder, "*"+dataEnding))
		if err != nil {
			return err
		}
		for _, name := range names {
			e.files = append(e.files, dataFile{name: path.Join(folder, filepath.Base(name)), items: -1})
		}
		if ion, _ := filepath.Glob(filepath.Join(e.dir, folder, "*.ion.gz")); len(names) == 0 && len(ion) > 0 {
			return errIon
		}
		if len(names) > 0 {
			return nil
		}
	}
	return fmt.Errorf("there is neither %s nor a file *%s here or in %s", summaryFile, dataEnding, dataFolder)
}

var errIon = errors.New("its items are in Amazon Ion, which is not read; export the table with the format DynamoDB JSON")

// readSummary reads manifest-summary.json.
func (e *Export) readSummary(text []byte) error {
	var m struct {
		TableArn     string
		ExportTime   time.Time
		ItemCount    int64
		OutputFormat string
		ExportType   string
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return &Error{File: summaryFile, Line: lineAt(text, int(offsetOf(err, 0))), Problem: jsonProblem(err)}
	}
	_, name, _ := strings.Cut(m.TableArn, ":table/")
	switch {
	case m.OutputFormat == "ION":
		return errIon
	case m.OutputFormat != "DYNAMODB_JSON":
		return fmt.Errorf("%s: outputFormat is %q; DYNAMODB_JSON is read", summaryFile, m.OutputFormat)
	case m.ExportType == "INCREMENTAL_EXPORT":
		return errIncremental
	}
	e.Table, e.Taken, e.Items = name, m.ExportTime.UTC(), m.ItemCount
	return nil
}

var errIncremental = errors.New("this is an incremental export: it has changes and not the items of a table; give a full export")

// readList reads manifest-files.json, which has a line for each data file.
func (e *Export) readList() error {
	text, err := os.ReadFile(filepath.Join(e.dir, listFile))
	if err != nil {
		return fmt.Errorf("%s says that there is a file %s: %w", summaryFile, listFile, err)
	}
	var items int64
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		f, err := parseFile(line)
		if err != nil {
			return &Error{File: listFile, Line: i + 1, Problem: err.Error()}
		}
		if !exists(filepath.Join(e.dir, filepath.FromSlash(f.name))) {
			return &Error{File: listFile, Line: i + 1, Problem: "the file " + f.name + " is not there: the folder is not complete"}
		}
		items += f.items
		e.files = append(e.files, f)
	}
	if items != e.Items {
		return fmt.Errorf("%s counts %d items, the files of %s have %d", summaryFile, e.Items, listFile, items)
	}
	slices.SortFunc(e.files, func(a, b dataFile) int { return strings.Compare(a.name, b.name) })
	return nil
}

func parseFile(line []byte) (dataFile, error) {
	var m struct {
		ItemCount     int64
		MD5Checksum   string `json:"md5Checksum"`
		DataFileS3Key string
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return dataFile{}, errors.New(jsonProblem(err))
	}
	if m.DataFileS3Key == "" {
		return dataFile{}, errors.New("dataFileS3Key is missing")
	}
	f := dataFile{name: path.Join(dataFolder, path.Base(m.DataFileS3Key)), items: m.ItemCount}
	if m.MD5Checksum != "" {
		var err error
		if f.md5, err = base64.StdEncoding.DecodeString(m.MD5Checksum); err != nil {
			return f, errors.New("md5Checksum is not base64")
		}
	}
	return f, nil
}
