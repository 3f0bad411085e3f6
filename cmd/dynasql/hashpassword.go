package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/dynasql/dynasql/engine/mysqld"
)

func (p *program) hashPasswordCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "hash-password",
		Short: "The hash of a password, for a file of users",
		Long: `Asks for a password, or reads the first line of standard input, and prints the
hash that stands for it in the file of dynasql serve --users.`,
		Example: `  dynasql hash-password
  dynasql hash-password < password.txt`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return p.hashPassword() },
	}
}

func (p *program) hashPassword() error {
	read := p.readPassword
	if isTerminal(p.in) {
		read = p.askPassword
	}
	password, err := read()
	if err != nil {
		return err
	}
	if password == "" {
		return &hintedError{what: "the password is empty", hint: "type one, or give it as the first line of standard input"}
	}
	_, err = fmt.Fprintln(p.out, mysqld.HashPassword(password))
	return err
}

func (p *program) readPassword() (string, error) {
	line, err := bufio.NewReader(p.in).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("read the password: %w", cause(err))
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// askPassword asks twice, without echo.
func (p *program) askPassword() (string, error) {
	first, err := p.prompt("Password: ")
	if err != nil {
		return "", err
	}
	second, err := p.prompt("Again: ")
	if err == nil && first != second {
		err = errors.New("the two passwords differ")
	}
	return first, err
}

func (p *program) prompt(text string) (string, error) {
	fmt.Fprint(p.err, text)
	defer fmt.Fprintln(p.err)
	password, err := term.ReadPassword(int(p.in.(*os.File).Fd()))
	if err != nil {
		return "", fmt.Errorf("read the password: %w", cause(err))
	}
	return string(password), nil
}
