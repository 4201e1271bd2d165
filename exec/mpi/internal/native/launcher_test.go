package native

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFindLauncher(t *testing.T) {
	type env map[string]string
	ompi := env{"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4", "PMIX_RANK": "2"}
	nested := env{"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1", "PMI_RANK": "3", "PMI_SIZE": "5"}
	hydra, orted, shell := program{"/usr/bin", "hydra_pmi_proxy"}, program{"/usr/bin", "orted"}, program{"/bin", "bash"}
	for name, c := range map[string]struct {
		env   env
		above []program
		want  string // or the error
		first family
	}{
		"alone":             {env{}, []program{shell}, "", 0},
		"batch script":      {env{"SLURM_JOB_ID": "1", "SLURM_NTASKS": "8", "SLURM_PROCID": "0"}, nil, "", 0},
		"one task of srun":  {env{"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"}, nil, "", 0},
		"Open MPI":          {ompi, nil, "rank 2 of 4, by Open MPI's mpirun (OMPI_COMM_WORLD_RANK is set)", openMPI},
		"MPICH":             {env{"PMI_RANK": "1", "PMI_SIZE": "3"}, nil, "rank 1 of 3, by MPICH's mpiexec (PMI_RANK is set)", mpich},
		"MPICH in Open MPI": {nested, []program{shell, hydra, shell, orted}, "rank 3 of 5, by MPICH's mpiexec (PMI_RANK is set)", mpich},
		"Open MPI in MPICH": {nested, []program{orted, hydra}, "rank 0 of 1, by Open MPI's mpirun (OMPI_COMM_WORLD_RANK is set)", openMPI},
		"PMIx":              {env{"PMIX_RANK": "1"}, nil, "rank 1, by a launcher with PMIx (PMIX_RANK is set)", openMPI},
		"srun with PMIx":    {env{"PMIX_RANK": "1", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "2"}, nil, "rank 1 of 2, by srun --mpi=pmix (PMIX_RANK is set)", openMPI},
		"srun with PMI":     {env{"PMI_RANK": "1", "PMI_SIZE": "2", "SLURM_STEP_ID": "0"}, nil, "rank 1 of 2, by srun --mpi=pmi2 (PMI_RANK is set)", mpich},
		"srun without":      {env{"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "8", "SLURM_PROCID": "3"}, nil, "mpi: srun started task 3 of 8 without MPI: call srun --mpi=pmix or srun --mpi=pmi2 (srun --mpi=list tells which there are)", 0},
		"a bad size":        {env{"PMI_RANK": "1", "PMI_SIZE": "many"}, nil, `mpi: the launcher set PMI_SIZE to "many", expected a number`, 0},
		"a bad rank":        {env{"PMI_RANK": "-1", "PMI_SIZE": "2"}, nil, `mpi: the launcher set PMI_RANK to "-1", expected a number`, 0},
	} {
		l, found, err := findLauncher(func(variable string) string { return c.env[variable] }, c.above)
		switch {
		case err != nil:
			assert.EqualError(t, err, c.want, name)
		case found:
			assert.Equal(t, c.want, l.String(), name)
			assert.Equal(t, c.first, l.families[0], name)
		default:
			assert.Empty(t, c.want, name)
		}
		assert.False(t, found && err != nil, name)
	}
}
