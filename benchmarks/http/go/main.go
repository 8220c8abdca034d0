// Go's net/http as a peer of benchmarks/http/http: uploads of a file, as in Go's own
// BenchmarkFileAndServer, with client and server in one process or apart.
//
//	peer pair FILE COUNT file|nopcloser
//	peer serve                                  ends when standard input does
//	peer put URL FILE COUNT file|nopcloser
//
// One line of JSON: requests, bytes, wall and CPU seconds of this process for them.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"time"
)

type sample struct {
	Requests int     `json:"requests"`
	Bytes    int64   `json:"bytes"`
	Seconds  float64 `json:"seconds"`
	CPU      float64 `json:"cpu"`
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "peer:", err)
	os.Exit(1)
}

func cpu() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

func discard(answer http.ResponseWriter, request *http.Request) {
	if _, err := io.Copy(io.Discard, request.Body); err != nil {
		http.Error(answer, err.Error(), http.StatusInternalServerError)
	}
}

func listen() net.Listener {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	go func() { _ = http.Serve(listener, http.HandlerFunc(discard)) }()
	return listener
}

// The published benchmark hides the file behind io.NopCloser and rewinds it; a bare *os.File is
// closed by the client, so it is opened anew for each request.
func put(url, path, body string) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	status, err := file.Stat()
	if err != nil {
		return 0, err
	}
	var content io.ReadCloser = file
	if body == "nopcloser" {
		content = io.NopCloser(file)
	}
	request, err := http.NewRequest(http.MethodPut, url, content)
	if err != nil {
		return 0, err
	}
	request.ContentLength = status.Size()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0, err
	}
	if answer.StatusCode >= 300 {
		return 0, fmt.Errorf("%s: %s", url, answer.Status)
	}
	return status.Size(), nil
}

func puts(url, path string, count int, body string) {
	if _, err := put(url, path, body); err != nil { // connects; not counted
		fail(err)
	}
	result := sample{Requests: count}
	start, spent := time.Now(), cpu()
	for range make([]struct{}, count) {
		bytes, err := put(url, path, body)
		if err != nil {
			fail(err)
		}
		result.Bytes += bytes
	}
	result.Seconds, result.CPU = time.Since(start).Seconds(), cpu()-spent
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		fail(err)
	}
}

func count(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil {
		fail(err)
	}
	return number
}

func main() {
	arguments := os.Args[1:]
	switch {
	case len(arguments) == 4 && arguments[0] == "pair":
		puts("http://"+listen().Addr().String()+"/upload", arguments[1], count(arguments[2]), arguments[3])
	case len(arguments) == 1 && arguments[0] == "serve":
		fmt.Println("listening on", listen().Addr())
		spent := cpu()
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = json.NewEncoder(os.Stdout).Encode(sample{CPU: cpu() - spent})
	case len(arguments) == 5 && arguments[0] == "put":
		puts(arguments[1], arguments[2], count(arguments[3]), arguments[4])
	default:
		fmt.Fprintln(os.Stderr, "usage: peer pair FILE COUNT BODY | serve | put URL FILE COUNT BODY; BODY is file or nopcloser")
		os.Exit(2)
	}
}
