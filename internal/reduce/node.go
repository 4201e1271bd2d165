package reduce

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Layout returns the layout of the values, see [concept.Form], or why they cannot leave the process.
// It chooses their form, for AppendSlot and SetSlot.
func (c *Column) Layout() (layout string, err error) {
	if c.err != nil {
		return "", c.err
	}
	layout, err = c.values.form()
	c.formed = err == nil
	return layout, err
}

var errNoForm = errors.New("reducers: Layout was not called, or returned an error, expected the layout of a form")

// AppendSlot appends the bytes of a slot's value to buf. Layout must have returned no error.
func (c *Column) AppendSlot(buf []byte, slot int) ([]byte, error) {
	if !c.formed {
		return buf, errNoForm
	}
	longer, err := c.values.append(buf, c.slot(slot))
	if err != nil {
		return buf, err
	}
	return longer, nil
}

// SetSlot sets a slot from the beginning of data, which it does not keep, and returns what
// follows. After an error the slot holds the identity. Layout must have returned no error.
func (c *Column) SetSlot(slot int, data []byte) (rest []byte, err error) {
	if !c.formed {
		return nil, errNoForm
	}
	c.Clear(slot)
	rest, err = c.values.set(c.slot(slot), data)
	if err != nil {
		c.Clear(slot)
		return nil, err
	}
	return rest, nil
}

// AppendNode appends a node of the reduction tree to buf: what the columns have in a slot.
// After an error buf is as it was.
func AppendNode(buf []byte, columns []*Column, slot int) ([]byte, error) {
	longer := buf
	for _, c := range columns {
		var err error
		if longer, err = c.AppendSlot(longer, slot); err != nil {
			return buf, err
		}
	}
	return longer, nil
}

// SetNode sets a slot of the columns to a node made by [AppendNode], of all of data. After
// an error it holds the identities.
func SetNode(columns []*Column, slot int, data []byte) error {
	rest, err := setNode(columns, slot, data)
	if err == nil && len(rest) > 0 {
		clearNode(columns, slot)
		return fmt.Errorf("reducers: %d bytes were given for a node, expected %d", len(data), len(data)-len(rest))
	}
	return err
}

// setNode is SetNode of the beginning of data. It returns what follows.
func setNode(columns []*Column, slot int, data []byte) (rest []byte, err error) {
	for _, c := range columns {
		if data, err = c.SetSlot(slot, data); err != nil {
			clearNode(columns, slot)
			return nil, err
		}
	}
	return data, nil
}

// SetLeaf is [SetNode] of a leaf of that many items. Data may also have the lanes that these have reached, one behind the
// other, each of the columns that have so many: they are joined then, as [Column.End] does. If items are teams of several members,
// it may have the accumulators of all members, team by team. After an error the slot holds
// the identities.
func SetLeaf(columns []*Column, worker, slot, items, members int, data []byte) error {
	rest, err := setNode(columns, slot, data)
	if err != nil || len(rest) == 0 {
		return err
	}
	clearNode(columns, slot)
	most, lanes := 0, make([]Lanes, len(columns))
	for k, c := range columns {
		lanes[k] = c.Begin(worker, items)
		most = max(most, min(lanes[k].N, items))
	}
	if members > 1 {
		rest, err = setTeams(columns, lanes, items, members, data)
	} else {
		rest, err = setLanes(columns, lanes, most, data)
	}
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("reducers: %d bytes were given for a leaf of %d items in %d lanes, expected %d", len(data), items, most, len(data)-len(rest))
	}
	if err != nil {
		return err
	}
	for _, c := range columns {
		c.End(worker, slot, items)
	}
	return nil
}

// setLanes sets lanes from the beginning of data, and returns what follows.
func setLanes(columns []*Column, lanes []Lanes, most int, data []byte) (_ []byte, err error) {
	for lane := range most {
		for k, c := range columns {
			if lane >= lanes[k].N {
				continue
			}
			if data, err = c.values.set(lanes[k].Lane(lane), data); err != nil {
				return nil, fmt.Errorf("reducers: lane %d of %d of a leaf: %w", lane, most, err)
			}
		}
	}
	return data, nil
}

// setTeams joins the members of teams from the beginning of data into lanes, and returns what follows.
func setTeams(columns []*Column, lanes []Lanes, items, members int, data []byte) (_ []byte, err error) {
	accs := make([]Lanes, len(columns))
	for k, c := range columns {
		accs[k] = c.Make(members)
	}
	for item := range items {
		for rank := range members {
			for k, c := range columns {
				if data, err = c.values.set(accs[k].Lane(rank), data); err != nil {
					return nil, fmt.Errorf("reducers: member %d of %d of team %d of a leaf: %w", rank, members, item, err)
				}
			}
		}
		for k, c := range columns {
			c.JoinTree(accs[k])
			c.JoinValues(lanes[k].OfItem(item), accs[k].At)
		}
	}
	return data, nil
}

// AppendIdentity appends the bytes of what lanes begin as. Layout must have returned no error.
func (c *Column) AppendIdentity(buf []byte) ([]byte, error) {
	if !c.formed {
		return buf, errNoForm
	}
	unit := c.values.make(1)
	c.values.identity(unit)
	return c.values.append(buf, unit)
}

func clearNode(columns []*Column, slot int) {
	for _, c := range columns {
		c.Clear(slot)
	}
}

// AppendFingerprint appends the machine, and the reducer and the layout of each column, one on a
// line. Nodes of one process can be set in another if the fingerprints of their launches are
// equal. It returns the error of the first column whose values cannot leave the process.
//
// It must be called before [AppendNode] and [SetNode].
func AppendFingerprint(buf []byte, columns []*Column) ([]byte, error) {
	longer := append(buf, machine...)
	for _, c := range columns {
		layout, err := c.Layout()
		if err != nil {
			return buf, err
		}
		longer = append(append(append(append(longer, '\n'), c.Name()...), ": "...), layout...)
	}
	return longer, nil
}

// Machine returns what numbers are to this machine: the size of int, and the order of bytes.
func Machine() string { return machine }

var machine = func() string {
	order := "big-endian"
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		order = "little-endian"
	}
	return fmt.Sprintf("%d-bit %s", bits.UintSize, order)
}()
