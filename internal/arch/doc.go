// Package arch keeps the layout of this repository: its tests fail when a
// package imports what it must not, when a folder appears at the top, or when a
// package does not say what it is for. There is no code to use here.
package arch
