package driver

import (
	"errors"
	"runtime"
	"strings"
	"unsafe"
)

// A Module is what a device has made of a text.
type Module struct {
	device *Device
	handle uintptr
}

// A Function is an entry of a module.
type Function uintptr

// Options of the compiler, as in cuda.h.
const (
	jitErrorLog      = 5
	jitErrorLogBytes = 6
)

// Load compiles a text. The error has what the compiler says.
func (v *Device) Load(text string) (*Module, error) {
	image := append([]byte(text), 0)
	log := make([]byte, 16<<10)
	options := [2]int32{jitErrorLog, jitErrorLogBytes}
	values := [2]uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log))}
	var pin runtime.Pinner
	pin.Pin(&log[0])
	defer pin.Unpin()
	m := &Module{device: v}
	err := v.do(&v.l.f.ModuleLoadDataEx, uintptr(unsafe.Pointer(&m.handle)), uintptr(unsafe.Pointer(&image[0])), uintptr(len(options)), uintptr(unsafe.Pointer(&options)), uintptr(unsafe.Pointer(&values)))
	if err != nil {
		var of *Error
		if errors.As(err, &of) {
			of.Log = strings.TrimSpace(cString(log))
		}
		return nil, err
	}
	return m, nil
}

// Function returns the entry of a name.
func (m *Module) Function(name string) (Function, error) {
	text := append([]byte(name), 0)
	var f Function
	err := m.device.do(&m.device.l.f.ModuleGetFunction, uintptr(unsafe.Pointer(&f)), m.handle, uintptr(unsafe.Pointer(&text[0])))
	return f, err
}

// PlainShared is how much shared memory a block can have of a function that no [Device.AllowShared] was called for, in bytes.
const PlainShared = 48 << 10

// AllowShared lets launches of a function have blocks with so many bytes of shared memory.
func (v *Device) AllowShared(f Function, bytes int) error {
	const maxDynamicSharedSizeBytes = 8 // as in cuda.h
	return v.do(&v.l.f.FuncSetAttribute, uintptr(f), maxDynamicSharedSizeBytes, uintptr(bytes))
}

// Close gives the module back.
func (m *Module) Close() error { return m.device.doAnyway(&m.device.l.f.ModuleUnload, m.handle) }
