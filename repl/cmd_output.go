package repl

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/dynasql/dynasql/repl/format"
)

func outputCommands() []command {
	const group = "Output"
	return []command{
		{[]string{`\format`}, "[NAME]", "table, vertical, csv, tsv, json, jsonl, markdown, html", group, formatArg, cmdFormat},
		{[]string{`\x`}, "[on|off|auto]", "rows shown vertically", group, switchArg, cmdExpanded},
		{[]string{`\o`}, "[FILE]", "send results to a file; back to the screen", group, fileArg, cmdOut},
		{[]string{`\timing`}, "[on|off]", "show the time that statements take", group, switchArg, cmdTiming},
		{[]string{`\pset`}, "[NAME VALUE]", "how results look: null, width, wrap, border, header, footer, pager", group, settingArg, cmdPset},
	}
}

func cmdFormat(sh *Shell, _ context.Context, args []string) error {
	if len(args) == 0 {
		sh.note("the format is %s", sh.settings.format)
		return nil
	}
	f, err := format.Parse(bare(args[0]))
	if err != nil {
		return err
	}
	if w, isTerminal := sh.out.target(); w != nil && f != format.HTML && !isTerminal && sh.out.report != nil {
		return usagef(`\o FILE starts another file`, "the HTML page is not finished, so the format cannot change within it")
	}
	sh.settings.format = f
	return nil
}

func cmdExpanded(sh *Shell, _ context.Context, args []string) error {
	next := "on"
	if sh.settings.expanded == "on" {
		next = "off"
	}
	if len(args) > 0 {
		next = strings.ToLower(args[0])
		if next != "on" && next != "off" && next != "auto" {
			return usagef(`\x on, \x off or \x auto`, `\x does not know %q`, args[0])
		}
	}
	sh.settings.expanded = next
	sh.note("vertical rows: %s", next)
	return nil
}

func cmdOut(sh *Shell, _ context.Context, args []string) error {
	path := ""
	if len(args) > 0 {
		path = bare(args[0])
	}
	return sh.out.redirect(path)
}

func cmdTiming(sh *Shell, _ context.Context, args []string) error {
	on, err := toggle(sh.settings.timing, args)
	if err != nil {
		return err
	}
	sh.settings.timing = on
	sh.note("timing: %s", onOff(on))
	return nil
}

// toggle reads an optional on or off; without one the value changes.
func toggle(now bool, args []string) (bool, error) {
	if len(args) == 0 {
		return !now, nil
	}
	switch strings.ToLower(args[0]) {
	case "on", "true", "1":
		return true, nil
	case "off", "false", "0":
		return false, nil
	}
	return now, usagef("say on or off", "%q is neither on nor off", args[0])
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// settingNames are the names that \pset knows.
var settingNames = []string{"border", "csvnull", "footer", "header", "null", "pager", "width", "wrap"}

func cmdPset(sh *Shell, ctx context.Context, args []string) error {
	if len(args) == 0 {
		var rows [][]string
		for _, name := range settingNames {
			rows = append(rows, []string{name, sh.setting(name)})
		}
		return sh.list(ctx, []format.Column{{Name: "setting"}, {Name: "value"}}, rows)
	}
	return sh.change(strings.ToLower(args[0]), args[1:])
}

func (sh *Shell) setting(name string) string {
	look := sh.settings.look
	switch name {
	case "border":
		return map[bool]string{true: "ascii", false: "rounded"}[look.ASCII]
	case "csvnull":
		return look.NullCSV
	case "footer":
		return onOff(sh.settings.footer)
	case "header":
		return onOff(!look.NoHeader)
	case "null":
		if look.Null == "" {
			return "NULL"
		}
		return look.Null
	case "pager":
		return onOff(sh.settings.pager)
	case "width":
		if sh.settings.width < 0 {
			return "unlimited"
		}
		if sh.settings.width == 0 {
			return "the terminal's"
		}
		return strconv.Itoa(sh.settings.width)
	case "wrap":
		return onOff(look.Wrap)
	}
	return ""
}

// change sets one setting of \pset.
func (sh *Shell) change(name string, args []string) (err error) {
	look := &sh.settings.look
	switch name {
	case "border":
		switch strings.Join(args, " ") {
		case "ascii":
			look.ASCII = true
		case "rounded":
			look.ASCII = false
		default:
			err = usagef(`\pset border ascii or \pset border rounded`, "there is no such border")
		}
	case "csvnull":
		look.NullCSV = bare(strings.Join(args, " "))
	case "null":
		look.Null = bare(strings.Join(args, " "))
	case "footer":
		sh.settings.footer, err = toggle(sh.settings.footer, args)
	case "header":
		var on bool
		on, err = toggle(!look.NoHeader, args)
		look.NoHeader = !on
	case "pager":
		sh.settings.pager, err = toggle(sh.settings.pager, args)
	case "wrap":
		look.Wrap, err = toggle(look.Wrap, args)
	case "width":
		sh.settings.width, err = widthSetting(args)
	default:
		err = usagef("settings are "+strings.Join(settingNames, ", "), "there is no setting %q", name)
	}
	return err
}

// widthSetting reads the width of tables: 0 or nothing is the terminal's, -1
// stands for no limit.
func widthSetting(args []string) (int, error) {
	if len(args) == 0 || args[0] == "auto" {
		return 0, nil
	}
	if args[0] == "unlimited" || args[0] == "0" {
		return -1, nil
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 20 {
		return 0, usagef(`\pset width 120, \pset width unlimited or \pset width auto`, "%q is not a width of at least 20 columns", args[0])
	}
	return n, nil
}

// ignoreLeft turns a pager that was left into no error.
func ignoreLeft(err error) error {
	if errors.Is(err, errPagerLeft) {
		return nil
	}
	return fmt.Errorf("write the result: %w", err)
}
