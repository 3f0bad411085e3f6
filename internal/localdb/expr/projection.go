package expr

import (
	"slices"

	"github.com/dynasql/dynasql/internal/localdb/attr"
)

// Projection is a compiled projection expression; safe for concurrent use.
type Projection struct {
	paths []Path
	tree  *tree
	names []string // of the top-level attributes, ascending
	whole bool     // only top-level attributes are named
}

// ParseProjection compiles a projection expression. Errors are *Error.
func ParseProjection(src string, env *Env) (*Projection, error) {
	p := newParser("ProjectionExpression", src, env)
	nodes := p.paths()
	p.end()
	if p.err != nil {
		return nil, p.err
	}
	for _, n := range nodes {
		p.checkReserved(n.path)
	}
	for _, n := range nodes {
		p.resolvePath(n.path)
	}
	if p.err != nil {
		return nil, p.err
	}
	paths := make([]Path, len(nodes))
	for i, n := range nodes {
		paths[i] = n.path
	}
	if err := checkOverlap(paths); err != nil {
		p.refuse(err.Message)
		return nil, p.err
	}
	return newProjection(paths), nil
}

func newProjection(paths []Path) *Projection {
	pr := &Projection{paths: paths, tree: newTree(paths), whole: true}
	for _, p := range paths {
		pr.names = append(pr.names, p[0].Name)
		pr.whole = pr.whole && len(p) == 1
	}
	slices.Sort(pr.names)
	pr.names = slices.Compact(pr.names)
	return pr
}

// Apply appends the form of the item reduced to the projection: nested as
// in the item, list elements in order and without gaps.
func (p *Projection) Apply(dst []byte, item attr.Form) []byte {
	if p.whole {
		return item.Select(dst, p.names)
	}
	return append(dst, attr.Encode(p.tree.pickMap(item.Attribute))...)
}

// Paths gives the document paths of the projection, in the order written.
func (p *Projection) Paths() []Path { return p.paths }
