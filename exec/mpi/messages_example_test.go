package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// one is a view of one number.
func one(x int) views.View1[int] { return views.Must(views.Of1("one", []int{x})) }

func ExampleRun() {
	// With mpirun -n 4 this is printed for each of four ranks.
	err := mpi.Run(func(world *mpi.Comm) error {
		fmt.Printf("rank %d of %d\n", world.Rank(), world.Size())
		return nil
	})
	fmt.Println(err)
	// Not run, as Init is called once in a process.
}

func ExampleInit() {
	world, err := mpi.Init()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rank %d of %d\n", world.Rank(), world.Size())
	fmt.Println(mpi.Finalize())
	// Not run, as Init is called once in a process.
}

func ExampleFinalize() {
	if _, err := mpi.Init(); err == nil {
		exec.Must(mpi.Finalize())
	}
	// Not run, as Init is called once in a process.
}

func ExampleSend() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		a := views.Must(views.New2[float64]("a", 3, 4))
		column := views.Must(a.Sub(views.All(), views.Index(1)))
		if c.Rank() == 0 {
			exec.Must(views.Fill(column, 2.5))
			return mpi.Send(c, 1, 7, column)
		}
		s, err := mpi.Recv(c, 0, 7, column)
		fmt.Println(s, a.Row(2))
		return err
	}))
	// Output: {0 7 24} [0 2.5 0 0]
}

func ExampleRecv() {
	exec.Must(mpi.Local(3, func(c *mpi.Comm) error {
		if c.Rank() != 1 {
			return mpi.Send(c, 1, 0, one(10*c.Rank()))
		}
		x := one(0)
		for range 2 {
			s, err := mpi.Recv(c, mpi.AnySource, 0, x)
			if err != nil || x.At(0) != 10*s.Source {
				return errors.Join(err, fmt.Errorf("%d of rank %d", x.At(0), s.Source))
			}
		}
		fmt.Println("from both")
		return nil
	}))
	// Output: from both
}

func ExampleRecv_context() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		if c.Rank() == 0 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
			defer cancel()
			_, err := mpi.Recv(c, 1, 0, one(0), policy.Launch{}.WithContext(ctx))
			fmt.Println(err)
		}
		return c.Barrier()
	}))
	// Output: mpi: cancelled: context deadline exceeded
}

func ExampleSendrecv() {
	exec.Must(mpi.Local(3, func(c *mpi.Comm) error {
		right, left := (c.Rank()+1)%3, (c.Rank()+2)%3
		x := one(0)
		_, err := mpi.Sendrecv(c, right, one(c.Rank()), left, x, 0)
		if c.Rank() == 0 {
			fmt.Println(x.At(0))
		}
		return err
	}))
	// Output: 2
}

func ExampleProbe() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		if c.Rank() == 0 {
			return mpi.Send(c, 1, 0, views.Must(views.New1[float64]("x", 5)))
		}
		s, err := mpi.Probe(c, 0, 0)
		if err != nil {
			return err
		}
		x := views.Must(views.New1[float64]("x", s.Bytes/8))
		_, err = mpi.Recv(c, 0, 0, x)
		fmt.Println(x.Row())
		return err
	}))
	// Output: [0 0 0 0 0]
}

func ExampleIsend() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		other, x := 1-c.Rank(), one(0)
		in, err := mpi.Irecv(c, other, 0, x)
		if err != nil {
			return err
		}
		out, err := mpi.Isend(c, other, 0, one(c.Rank()+5))
		if err != nil {
			return err
		}
		// What needs no message is computed here.
		err = mpi.WaitAll([]*mpi.Request{in, out})
		if c.Rank() == 0 {
			fmt.Println(x.At(0))
		}
		return err
	}))
	// Output: 6
}

func ExampleIrecv() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		if c.Rank() == 1 {
			return mpi.Send(c, 0, 3, one(42))
		}
		x := one(0)
		in, err := mpi.Irecv(c, 1, 3, x)
		if err != nil {
			return err
		}
		s, err := in.Wait()
		fmt.Println(x.At(0), s.Tag)
		return err
	}))
	// Output: 42 3
}

func ExampleRequest_Wait() {
	exec.Must(mpi.Local(1, func(c *mpi.Comm) error {
		in, err := mpi.Irecv(c, 0, 0, one(0))
		if err != nil {
			return err
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(errors.New("nobody sends"))
		_, err = in.Wait(policy.Launch{}.WithContext(ctx))
		fmt.Println(err)
		return nil
	}))
	// Output: mpi: cancelled: nobody sends
}

func ExampleRequest_Test() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		if c.Rank() == 1 {
			return mpi.Send(c, 0, 0, one(1))
		}
		in, err := mpi.Irecv(c, 1, 0, one(0))
		for done := false; !done && err == nil; {
			// What there is to do in the meantime.
			done, _, err = in.Test()
		}
		fmt.Println(err)
		return err
	}))
	// Output: <nil>
}

func ExampleWaitAll() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		requests, x := make([]*mpi.Request, 2), one(0)
		var err, err2 error
		requests[0], err = mpi.Irecv(c, 1-c.Rank(), 0, x)
		requests[1], err2 = mpi.Isend(c, 1-c.Rank(), 0, one(7))
		if err := errors.Join(err, err2, mpi.WaitAll(requests)); err != nil || c.Rank() == 1 {
			return err
		}
		fmt.Println(x.At(0))
		return nil
	}))
	// Output: 7
}

func ExampleBcast() {
	exec.Must(mpi.Local(3, func(c *mpi.Comm) error {
		x := one(c.Rank())
		err := mpi.Bcast(c, x, 2)
		if c.Rank() == 0 {
			fmt.Println(x.At(0))
		}
		return err
	}))
	// Output: 2
}

func ExampleGather() {
	exec.Must(mpi.Local(3, func(c *mpi.Comm) error {
		if c.Rank() != 0 {
			return mpi.Gather(c, nil, one(c.Rank()), 0)
		}
		all := views.Must(views.New2[int]("all", c.Size(), 1))
		err := mpi.Gather(c, all, one(9), 0)
		fmt.Println(all.Slice())
		return err
	}))
	// Output: [9 1 2] true
}

func ExampleAllgather() {
	exec.Must(mpi.Local(3, func(c *mpi.Comm) error {
		all := views.Must(views.New2[int]("all", c.Size(), 1))
		err := mpi.Allgather(c, all, one(c.Rank()*c.Rank()))
		if c.Rank() == 1 {
			fmt.Println(all.Slice())
		}
		return err
	}))
	// Output: [0 1 4] true
}

func ExampleScatter() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		part := views.Must(views.New1[int]("part", 3))
		if c.Rank() == 0 {
			all := views.Must(views.Of2("all", []int{1, 2, 3, 4, 5, 6}, 2, 3))
			return mpi.Scatter(c, part, all, 0)
		}
		err := mpi.Scatter(c, part, nil, 0)
		fmt.Println(part.Row())
		return err
	}))
	// Output: [4 5 6]
}

func ExampleAlltoall() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		src := views.Must(views.Of1("src", []int{10 * c.Rank(), 10*c.Rank() + 1}))
		dst := views.Must(views.New1[int]("dst", 2))
		err := mpi.Alltoall(c, dst, src)
		if c.Rank() == 1 {
			fmt.Println(dst.Row())
		}
		return err
	}))
	// Output: [1 11]
}

func ExampleComm_Barrier() {
	ready := make([]bool, 4)
	exec.Must(mpi.Local(4, func(c *mpi.Comm) error {
		ready[c.Rank()] = true
		if err := c.Barrier(); err != nil || c.Rank() > 0 {
			return err
		}
		fmt.Println(ready)
		return nil
	}))
	// Output: [true true true true]
}

func ExampleComm_Split() {
	exec.Must(mpi.Local(4, func(c *mpi.Comm) error {
		half, err := c.Split(c.Rank()/2, 0)
		if err != nil {
			return err
		}
		if c.Rank() == 3 {
			fmt.Printf("rank %d of %d\n", half.Rank(), half.Size())
		}
		return half.Close()
	}))
	// Output: rank 1 of 2
}

func ExampleComm_Close() {
	exec.Must(mpi.Local(2, func(c *mpi.Comm) error {
		alone, err := c.Split(c.Rank(), 0)
		if err != nil {
			return err
		}
		return alone.Close()
	}))
	fmt.Println("closed")
	// Output: closed
}

func ExampleComm_Abort() {
	err := mpi.Local(2, func(c *mpi.Comm) error {
		if c.Rank() == 0 {
			c.Abort(3, errors.New("the input is wrong"))
		}
		return c.Barrier()
	})
	fmt.Println(err != nil)
	// Output: true
}
