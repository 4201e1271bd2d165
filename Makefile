.PHONY: check test slow

check: ## all that CI does
	.ci/run

test:
	go test ./...

slow: ## what the compiler takes minutes for; CI does it, too
	go test -tags gokkos_slow ./exec ./builtin/... ./views/...
