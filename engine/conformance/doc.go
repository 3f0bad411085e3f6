// Package conformance runs the read tests that the engine library has for its
// users against an engine of ours whose tables live in the embedded store. It
// has tests alone; the library's test texts stay in the library.
package conformance
