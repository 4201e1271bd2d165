package native

import (
	"fmt"
	"strconv"
)

// A family is a group of libraries with one binary interface and one name.
type family int

const (
	openMPI family = iota
	mpich
	standard
)

// A launcher is the program that started this process as one rank of several.
type launcher struct {
	name     string   // as its users call it
	variable string   // which told
	families []family // whose library it may be, the likeliest first
	rank     int
	size     int // 0 if the launcher does not tell
}

func (l launcher) String() string {
	if l.size == 0 {
		return fmt.Sprintf("rank %d, by %s (%s is set)", l.rank, l.name, l.variable)
	}
	return fmt.Sprintf("rank %d of %d, by %s (%s is set)", l.rank, l.size, l.name, l.variable)
}

// findLauncher returns who started this process, or false if it was started alone. above has
// the names of the programs above this process, the nearest first.
func findLauncher(getenv func(string) string, above []program) (launcher, bool, error) {
	slurm := getenv("SLURM_STEP_ID") != ""
	ompi := launcher{name: "Open MPI's mpirun", variable: "OMPI_COMM_WORLD_RANK", families: []family{openMPI, standard}}
	pmi := launcher{name: "MPICH's mpiexec", variable: "PMI_RANK", families: []family{mpich, standard}}
	pmix := launcher{name: "a launcher with PMIx", variable: "PMIX_RANK", families: []family{openMPI, mpich, standard}}
	if slurm {
		pmi.name, pmi.families = "srun --mpi=pmi2", []family{mpich, openMPI, standard}
		pmix.name = "srun --mpi=pmix"
	}
	order := []struct {
		launcher
		size string
	}{{ompi, "OMPI_COMM_WORLD_SIZE"}, {pmi, "PMI_SIZE"}, {pmix, "SLURM_STEP_NUM_TASKS"}}
	if nearest(above) == mpich { // one launcher below another: both have left their variables
		order[0], order[1] = order[1], order[0]
	}
	for _, l := range order {
		if getenv(l.variable) == "" {
			continue
		}
		var err error
		if l.rank, err = number(getenv, l.variable); err != nil {
			return launcher{}, false, err
		}
		if getenv(l.size) != "" {
			if l.launcher.size, err = number(getenv, l.size); err != nil {
				return launcher{}, false, err
			}
		}
		return l.launcher, true, nil
	}
	return launcher{}, false, withoutPMI(getenv)
}

// withoutPMI is an error if srun started several processes that do not know of each other.
func withoutPMI(getenv func(string) string) error {
	const tasks = "SLURM_STEP_NUM_TASKS"
	if getenv(tasks) == "" || getenv("SLURM_PROCID") == "" {
		return nil
	}
	n, err := number(getenv, tasks)
	if err != nil || n <= 1 {
		return err
	}
	return fmt.Errorf("mpi: srun started task %s of %d without MPI: call srun --mpi=pmix or srun --mpi=pmi2 (srun --mpi=list tells which there are)", getenv("SLURM_PROCID"), n)
}

func number(getenv func(string) string, variable string) (int, error) {
	n, err := strconv.Atoi(getenv(variable))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("mpi: the launcher set %s to %q, expected a number", variable, getenv(variable))
	}
	return n, nil
}

// A program is one that runs, by where its file is.
type program struct{ folder, name string }

// family returns whose launcher a program is, or -1.
func (p program) family() family {
	switch p.name {
	case "orterun", "orted", "prte", "prterun", "prted", "mpirun.openmpi", "mpiexec.openmpi":
		return openMPI
	case "hydra_pmi_proxy", "mpiexec.hydra", "mpirun.mpich", "mpiexec.mpich", "hydra_bstrap_proxy", "pmi_proxy", "mpiexec.gforker":
		return mpich
	}
	return -1
}

// nearest returns whose launcher is the nearest above, or -1.
func nearest(above []program) family {
	for _, p := range above {
		if f := p.family(); f >= 0 {
			return f
		}
	}
	return -1
}
