.PHONY: check test kernels bench long

check: ## all that CI does
	.ci/run

test:
	go test ./...

kernels: ## compiles the kernels of tests, and prints the flag of go test that finds them
	@.ci/kernels

bench: ## runs the benchmark: make bench ARGS='-kernels sum -sizes 1e5'
	@go -C examples/bench run . $(ARGS)

long: ## what takes an hour, before a release
	.ci/run long
