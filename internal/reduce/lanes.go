package reduce

import "unsafe"

// Begin returns the worker's lanes, each set to the identity as far as a leaf
// of that many items reaches. The number of lanes is a power of two.
func (c *Column) Begin(worker, items int) Lanes {
	lanes := &c.lanes[worker]
	if lanes.at == nil {
		*lanes = c.room(c.laneCount)
	}
	c.fill(lanes.at, min(items, c.laneCount))
	return Lanes{lanes.at, c.laneCount, c.laneCount, c.size}
}

// InLanes reports whether a leaf has several lanes. Open must have been called.
func (c *Column) InLanes() bool { return c.laneCount > 1 }

// End joins the worker's lanes into a slot: lane l with lane l+h for h a half,
// a quarter, and so on of the number of lanes. Lanes that no item has reached
// are left out.
func (c *Column) End(worker, slot, items int) {
	c.endLanes(c.lanes[worker].at, items)
	c.EndLane(worker, 0, slot)
}

// endLanes joins the lanes of a leaf of that many items into the first one.
func (c *Column) endLanes(lanes unsafe.Pointer, items int) {
	if c.laneCount > 1 {
		c.values.joinLanes(lanes, c.laneCount, min(items, c.laneCount))
	}
}

// JoinLanes joins one of the worker's lanes into another, a step of End.
func (c *Column) JoinLanes(worker, dst, src int) {
	c.values.join(c.lane(worker, dst), c.lane(worker, src))
}

// EndLane moves one of the worker's lanes, into which all have been joined, to a slot:
// the last step of End.
func (c *Column) EndLane(worker, lane, slot int) {
	if c.bits {
		c.copy(c.slot(slot), c.lane(worker, lane))
		return
	}
	c.values.swap(c.slot(slot), c.lane(worker, lane)) // two slots must never share memory
}

// lane returns where one of the worker's lanes is.
func (c *Column) lane(worker, lane int) unsafe.Pointer {
	if uint(lane) >= uint(c.laneCount) || c.lanes[worker].at == nil {
		panic("reduce: a leaf has no such lane")
	}
	return c.plus(c.lanes[worker].at, lane)
}
