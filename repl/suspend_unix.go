//go:build unix

package repl

import "syscall"

// suspend stops this process group, as Ctrl-Z does.
func suspend() { syscall.Kill(0, syscall.SIGTSTP) }
