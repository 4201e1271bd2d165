.PHONY: check test kernels bench slow

check: ## all that CI does
	.ci/run

test:
	go test ./...

kernels: ## compiles the kernels of tests, and prints the flag of go test that finds them
	@.ci/kernels

bench: ## runs the benchmark: make bench ARGS='-kernels sum -sizes 1e5'
	@go -C examples/bench run $$(.ci/kernels) . $(ARGS)

slow: ## what takes minutes, before a release
	go test -tags gokkos_slow ./exec ./builtin/... ./views/...
	go test -tags gokkos_slow -run 'TestCost$$' ./exec/check # times: on a quiet machine
	go test -run 'TestErrors$$' -v -arguments 10000000 ./exec/kernel/kmath # the table of docs/math.md
	go -C exec/mpi test ./...
	go -C exec/mpi test -tags gokkos_slow ./examples/tables
