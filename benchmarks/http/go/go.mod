module headrace/benchmarks/http

go 1.20
