package witness

import "go/types"

// An object is a variable, or what a pointer, a slice or a map refers to.
type object struct {
	id, shape uint64
	owner     int  // the depth of the actor that made it, 0 for what all share
	zero      bool // the object began with zeros
	version   uint64
	name      string
	data      any // data that a model keeps for the object
}

// A cell is the content of a place.
type cell struct {
	v       value
	version uint64
	depth   int // of the actor that stored it
}

// A change is the earlier content of a place, or the earlier version of an object.
type change struct {
	key uint64
	old cell
	had bool
	obj *object
}

// memory has what was stored, and can go back.
type memory struct {
	cells map[uint64]cell
	log   []change
}

func (m *memory) set(key uint64, c cell) {
	old, had := m.cells[key]
	m.log = append(m.log, change{key: key, old: old, had: had})
	m.cells[key] = c
}

// forget drops the known contents of an object.
func (m *memory) forget(o *object) {
	m.log = append(m.log, change{obj: o, old: cell{version: o.version}})
	o.version++
}

// back goes back to an earlier length of the log. If now is not nil, it gets the cells stored since then, by
// place.
func (m *memory) back(to int, now map[uint64]cell) {
	for len(m.log) > to {
		c := m.log[len(m.log)-1]
		m.log = m.log[:len(m.log)-1]
		if c.obj != nil {
			c.obj.version = c.old.version
			continue
		}
		if _, later := now[c.key]; !later && now != nil {
			now[c.key] = m.cells[c.key]
		}
		if c.had {
			m.cells[c.key] = c.old
		} else {
			delete(m.cells, c.key)
		}
	}
}

// objectOf returns the object that an unknown pointer refers to.
func (m *machine) objectOf(id, shape uint64) *object {
	o := m.objects[id]
	if o == nil {
		o = &object{id: id, shape: shape}
		m.objects[id] = o
	}
	return o
}

// allocate makes an object.
func (m *machine) allocate(shape uint64, name string) *object {
	m.allocated++
	m.visits++
	return &object{
		id: mix(shape, m.allocated) | 1, shape: mix(shape, m.visits), owner: m.depth, zero: true, name: name,
	}
}

func to(o *object) value {
	return value{kind: pointer, obj: o, id: o.id, shape: o.shape, tag: o.name}
}

// field returns the place of a field.
func (v value) field(k int) value {
	v.id, v.shape = mix(v.id, uint64(k)+1), mix(v.base(), uint64(k)+1)
	return v
}

// base is form of the place that a slice begins at.
func (v value) base() uint64 {
	if v.shape != 0 {
		return v.shape
	}
	return v.id
}

// element returns the place of an element of an array or a slice.
func (v value) element(k value) value {
	form := k.form()
	if s, ok := v.x.(extent); ok && (s.off.n != 0 || s.off.mark != 0) {
		if k.n, k.mark = k.n+s.off.n, k.mark|s.off.mark; k.mark&item != 0 {
			form = mix(mix(form, s.off.form()), 19)
		} else {
			form = integer(k.n).form()
		}
	}
	return value{
		kind: pointer, n: v.at(), obj: v.obj, tag: v.tag, mark: v.mark&passed | k.mark&passed,
		id: mix(v.id, uint64(k.n)+1<<40), shape: mix(v.base(), form),
	}
}

// at returns n of a pointer, and 0 of a slice.
func (v value) at() int64 {
	if v.kind == pointer {
		return v.n
	}
	return 0
}

// load returns the value of a place.
func (m *machine) load(p value, t types.Type) value {
	if p.kind != pointer || p.obj == nil {
		return m.unknown(t, mix(p.hash(), 23), mix(p.form(), 23), p.mark, p.tag)
	}
	switch u := under(t).(type) {
	case *types.Struct:
		if m.foreign(t) {
			break
		}
		list := make([]value, u.NumFields())
		for k := range list {
			list[k] = m.load(p.field(k), u.Field(k).Type())
		}
		v := several(list...)
		v.tag = p.tag
		return v
	case *types.Array:
		if u.Len() > most {
			break
		}
		list := make([]value, u.Len())
		for k := range list {
			list[k] = m.load(p.element(integer(int64(k))), u.Elem())
		}
		return several(list...)
	}
	shared := p.obj.owner == 0 && m.depth > 0
	of := p.mark & passed
	switch {
	case shared && len(m.held) > 0:
		of |= claim
	case p.obj.owner > 0:
		of |= item
	}
	data := shared && p.obj.name == "makeslice" // which launches and loops fill
	if c, ok := m.mem.cells[p.id]; ok && c.version == p.obj.version && (c.depth > 0 || !data) {
		if shared && p.tag != "" {
			c.v.tag = p.tag
		}
		if c.depth == 0 {
			c.v.mark |= of & claim
		}
		return m.fusing.load(p, c.v)
	}
	if p.obj.zero && p.obj.version == 0 && !data {
		return m.zero(t)
	}
	v := m.unknown(t, mix(p.id, p.obj.version), mix(p.base(), p.obj.version), of, p.tag)
	if p.mark&item != 0 && (isInteger(t) || isText(t)) {
		v.mark |= datum
	}
	return v
}

// store sets the value of a place.
func (m *machine) store(p, v value, t types.Type) {
	if p.kind != pointer || p.obj == nil {
		return
	}
	switch u := under(t).(type) {
	case *types.Struct:
		if m.foreign(t) {
			break
		}
		for k := range u.NumFields() {
			m.store(p.field(k), m.part(v, k, u.Field(k).Type()), u.Field(k).Type())
		}
		return
	case *types.Array:
		if u.Len() > most {
			break
		}
		for k := range int(u.Len()) {
			m.store(p.element(integer(int64(k))), m.part(v, k, u.Elem()), u.Elem())
		}
		return
	}
	v.mark |= m.region()
	if m.judge != nil {
		m.judge.stored[p.id] = true
	}
	m.fusing.store(p, v)
	m.mem.set(p.id, cell{v, p.obj.version, m.depth})
}

// part returns a field or an element of a value.
func (m *machine) part(v value, k int, t types.Type) value {
	if list := v.parts(); k < len(list) {
		p := list[k]
		p.mark |= v.mark
		return p
	}
	return m.unknown(t, mix(v.hash(), uint64(k)+29), mix(v.form(), uint64(k)+29), v.mark, v.tag)
}

// havoc drops the known contents of all objects that a value leads to.
func (m *machine) havoc(v value, depth int) {
	if depth > 3 {
		return
	}
	switch x := v.x.(type) {
	case []value:
		for _, p := range x {
			m.havoc(p, depth+1)
		}
	case value:
		m.havoc(x, depth+1)
	case *closure:
		for _, p := range x.bound {
			m.havoc(p, depth+1)
		}
	}
	if (v.kind == pointer || v.kind == slice) && v.obj != nil && v.obj.data == nil {
		if c, ok := m.mem.cells[v.obj.id]; ok && c.version == v.obj.version {
			m.havoc(c.v, depth+1)
		}
		m.mem.forget(v.obj)
	}
}
