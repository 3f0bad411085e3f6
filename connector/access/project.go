package access

import (
	"slices"

	"github.com/dynasql/dynasql/connector/schema"
)

// projection turns the wanted paths into paths that one ProjectionExpression
// takes: distinct, none inside another. A path ends before its first list
// position, since DynamoDB closes the gaps of the lists that it projects. It is
// never empty; keys are added to it.
func projection(columns []Path, keys ...string) []Path {
	out := make([]Path, 0, len(columns)+len(keys))
	for _, name := range keys {
		out = append(out, Path{Attribute: name})
	}
	for _, path := range columns {
		path = upToList(path)
		if !slices.ContainsFunc(out, func(p Path) bool { return p.holds(path) }) {
			out = append(slices.DeleteFunc(out, path.holds), path)
		}
	}
	return out
}

func upToList(p Path) Path {
	for i, e := range p.Elems {
		if _, position := e.(int); position {
			return Path{p.Attribute, p.Elems[:i]}
		}
	}
	return p
}

// holds reports whether q is p or a place inside it.
func (p Path) holds(q Path) bool {
	return p.Attribute == q.Attribute && len(p.Elems) <= len(q.Elems) &&
		slices.Equal(p.Elems, q.Elems[:len(p.Elems)])
}

func (p Path) equal(q Path) bool {
	return p.Attribute == q.Attribute && slices.Equal(p.Elems, q.Elems)
}

// fits reports whether a ProjectionExpression has room for the paths.
func fits(paths []Path) bool {
	n := 0
	for _, p := range paths {
		n += p.chars()
	}
	return n <= maxExpression
}

// lacks returns a wanted attribute that the space does not hold.
func (s *space) lacks(req *Request) (attribute string, lacks bool) {
	if s.index == nil || s.index.All {
		return "", false
	}
	if req.All {
		return "the rest of each item", true
	}
	for _, p := range req.Columns {
		if !s.projects(p.Attribute) {
			return p.Attribute, true
		}
	}
	return "", false
}

// project sets what the plan fetches.
func (p *Plan) project() {
	req, t := p.Request, p.Table
	switch {
	case p.Count || req.All && !p.countOnly():
		return
	}
	columns := req.Columns
	if p.countOnly() {
		columns = nil
	}
	var keys []string
	if p.Complete || p.Op == BatchGetItem || len(columns) == 0 {
		keys = names(t.Key)
	}
	if p.Merge && !p.Complete {
		keys = append(keys, p.Key().Sort.Name)
	}
	if paths := projection(columns, distinct(keys)...); fits(paths) {
		p.Project = paths
		return
	}
	p.Reasons = append(p.Reasons, "whole items are fetched: a projection of all columns would be too long for DynamoDB")
}

// countOnly reports whether the rows' values do not matter.
func (p *Plan) countOnly() bool {
	return p.Request.Count && len(p.Residual) == 0 && p.Request.Opaque == 0
}

// IndexProject are the paths that a Complete plan reads from the index: the key
// of the table, and the sort key by which rows are merged.
func (p *Plan) IndexProject() []Path {
	keys := names(p.Table.Key)
	if p.Merge {
		keys = append(keys, p.Key().Sort.Name)
	}
	return projection(nil, distinct(keys)...)
}

func names(k schema.Key) []string {
	if k.HasSort() {
		return []string{k.Hash.Name, k.Sort.Name}
	}
	return []string{k.Hash.Name}
}

func distinct(in []string) []string {
	var out []string
	for _, s := range in {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
