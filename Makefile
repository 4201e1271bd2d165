.PHONY: check test

check: ## all that CI does
	.ci/run

test:
	go test ./...
