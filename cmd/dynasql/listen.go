package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
)

// listenOn opens the address of --listen.
func listenOn(address string) (net.Listener, error) { return listenAt("--listen", address) }

// listenAt opens an address that a flag names: HOST:PORT, or the path of a unix
// socket, which has a slash.
func listenAt(flag, address string) (net.Listener, error) {
	network := "tcp"
	if strings.Contains(address, "/") {
		network = "unix"
	}
	listener, err := net.Listen(network, address)
	if network == "unix" && errors.Is(err, syscall.EADDRINUSE) && abandoned(address) {
		listener, err = net.Listen(network, address)
	}
	if err == nil {
		return listener, nil
	}
	why := err
	var op *net.OpError
	if errors.As(err, &op) {
		why = op.Err
	}
	return nil, &hintedError{
		what: "cannot listen on " + address + ": " + why.Error(),
		hint: "choose another address with " + flag + ", such as 127.0.0.1:0 for a free port",
	}
}

// abandoned removes the socket of a server that ended without removing it, and
// reports whether it has.
func abandoned(socket string) bool {
	c, err := net.Dial("unix", socket)
	if err == nil {
		c.Close()
		return false
	}
	return errors.Is(err, syscall.ECONNREFUSED) && os.Remove(socket) == nil
}

// hintedError is an error of the command's own with what to do about it.
type hintedError struct{ what, hint string }

func (e *hintedError) Error() string { return e.what }

// Hint says what to do next.
func (e *hintedError) Hint() string { return e.hint }

// grace is how long requests that are being answered may take when the server
// is told to end.
const grace = 5 * time.Second

// serveHTTP serves until ctx ends, then lets the running requests finish.
func serveHTTP(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := server.Shutdown(late)
	if err != nil {
		err = server.Close()
	}
	<-failed // always http.ErrServerClosed
	return err
}
