package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dynasql/dynasql/internal/ddb"
	"github.com/dynasql/dynasql/internal/yamlerr"
)

// configFile is the file of --config: connections beside the default one, each
// of which becomes a SQL database under its name.
type configFile struct {
	Connections map[string]namedConnection `yaml:"connections"`
}

// namedConnection is one entry. Local and Exports are for files in memory,
// relative to the folder of the configuration; the others are for AWS, which
// Exports ask for the keys of tables that have none.
type namedConnection struct {
	Profile     string                 `yaml:"profile"`
	Region      string                 `yaml:"region"`
	EndpointURL string                 `yaml:"endpoint_url"`
	RoleARN     string                 `yaml:"role_arn"`
	ExternalID  string                 `yaml:"external_id"`
	Local       []string               `yaml:"local"`
	Schema      string                 `yaml:"schema"`
	Exports     map[string]namedExport `yaml:"exports"` // by table
}

// namedExport is an export of a table to S3.
type namedExport struct {
	Folder string   `yaml:"folder"`
	Key    []string `yaml:"key"` // hash key first
}

func (n namedConnection) aws() ddb.Config {
	return ddb.Config{
		Profile: n.Profile, Region: n.Region, EndpointURL: n.EndpointURL,
		RoleARN: n.RoleARN, ExternalID: n.ExternalID,
	}
}

// defaultConfigPath is where the configuration lies when --config does not say
// so; empty when the user has no home.
func defaultConfigPath() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "dynasql", "config.yaml")
}

// readConfig reads the file of --config, or the default file if there is one.
func readConfig(path string) (configFile, error) {
	named := path != ""
	if !named {
		path = defaultConfigPath()
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return configFile{}, nil
	}
	if err != nil {
		return configFile{}, fmt.Errorf("configuration %s: %w", path, cause(err))
	}
	c, err := parseConfig(text, filepath.Dir(path))
	if err != nil {
		return configFile{}, fmt.Errorf("configuration %s: %w", path, err)
	}
	return c, nil
}

// parseConfig refuses what it does not know, with the line.
func parseConfig(text []byte, dir string) (configFile, error) {
	var c configFile
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return configFile{}, yamlerr.Plain(err)
	}
	for name, n := range c.Connections {
		if err := n.check(name); err != nil {
			return configFile{}, err
		}
		for table, e := range n.Exports {
			e.Folder = beside(dir, e.Folder)
			n.Exports[table] = e
		}
		for i, local := range n.Local {
			n.Local[i] = beside(dir, local)
		}
		if n.Schema != "" {
			n.Schema = beside(dir, n.Schema)
			c.Connections[name] = n
		}
	}
	return c, nil
}

// beside takes a path of a configuration file from the file's own folder.
func beside(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// reserved are database names that are taken.
var reserved = []string{"dynamodb", "information_schema", "mysql", "performance_schema", "sys"}

func (n namedConnection) check(name string) error {
	switch {
	case name == "":
		return errors.New("a connection has no name")
	case slices.Contains(reserved, strings.ToLower(name)):
		return fmt.Errorf("connection %q: the name is taken; choose another", name)
	case len(n.Local) > 0 && n.aws() != ddb.Config{}:
		return fmt.Errorf("connection %q: local stands alone, without profile, region, endpoint_url and role_arn", name)
	case len(n.Local) > 0 && len(n.Exports) > 0:
		return fmt.Errorf("connection %q: give local or exports", name)
	}
	for table, e := range n.Exports {
		switch {
		case e.Folder == "":
			return fmt.Errorf("connection %q: the export %q has no folder", name, table)
		case len(e.Key) > 2 || len(e.Key) == 0 && n.aws() == ddb.Config{}:
			return fmt.Errorf("connection %q: the export %q needs the key of its table, as in key: [customer, placed], or a region to ask for it", name, table)
		}
	}
	return nil
}
