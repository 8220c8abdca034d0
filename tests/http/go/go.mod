module headrace/tests/http

go 1.20
