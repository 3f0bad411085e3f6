//go:build unix

package main

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestServeReloadsUsers at SIGHUP, and keeps them if the file is wrong.
func TestServeReloadsUsers(t *testing.T) {
	users := filepath.Join(t.TempDir(), "users.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(users, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hangUp := func() {
		t.Helper()
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	hash := runProgram(t, "right\n", "hash-password").stdout
	write("users:\n  old:\n    password: " + hash)
	s := startServer(t, "serve", "--demo", "--listen", "127.0.0.1:0", "--users", users, "--tls-self-made")
	in := func(name string) error {
		return selectOne(t, name+":right@tcp("+s.address+")/dynamodb?tls=skip-verify")
	}
	if err := in("old"); err != nil {
		t.Fatal(err)
	}
	write("users:\n  new:\n    pasword: " + hash)
	hangUp()
	s.says(t, "not read again, the users stay as they were: line 3: field pasword is not known")
	if err := in("old"); err != nil {
		t.Errorf("after a wrong file: %v", err)
	}
	write("users:\n  new:\n    password: " + hash)
	hangUp()
	s.says(t, "users.yaml: read again")
	if err := in("new"); err != nil {
		t.Errorf("the new user: %v", err)
	}
	if err := in("old"); err == nil {
		t.Error("the user who was taken out is let in")
	}
	s.stop()
}

// TestServeOnSocket listens where a server has left its socket.
func TestServeOnSocket(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "dynasql.sock")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	s := startServer(t, "serve", "--demo", "--listen", socket)
	if s.address != socket {
		t.Fatalf("listens on %s, want %s", s.address, socket)
	}
	if err := selectOne(t, "me@unix("+socket+")/dynamodb"); err != nil {
		t.Error(err)
	}
	if second := runProgram(t, "", "serve", "--demo", "--listen", socket); second.status != statusFailed {
		t.Errorf("a second server on the socket ended with\n%s", second)
	}
	if end := s.stop(); end.status != statusFine {
		t.Errorf("the server ended with\n%s", end)
	}
	if _, err := os.Stat(socket); !os.IsNotExist(err) {
		t.Errorf("the socket is left: %v", err)
	}
}
