//go:build !unix

package repl

// suspend does nothing where processes cannot be stopped from the keyboard.
func suspend() {}
