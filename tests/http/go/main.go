// Go's net/http as a peer of the tests: a server of a folder that takes uploads, and a client that
// puts and gets in every way net/http has and checks what comes of it.
//
//	peer serve DIRECTORY      says its address on standard output; ends when standard input does
//	peer client URL FILE      URL ends in /; ends with status 1 at the first thing that is wrong
package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

func expect(good bool, what string, values ...any) {
	if !good {
		check(fmt.Errorf(what, values...))
	}
}

// --- Server ---

func store(path string, request *http.Request) (int, error) {
	_, missing := os.Stat(path)
	file, err := os.Create(path)
	if err != nil {
		return http.StatusInternalServerError, err
	}
	defer file.Close()
	if _, err := io.Copy(file, request.Body); err != nil {
		return http.StatusBadRequest, err
	}
	if missing != nil {
		return http.StatusCreated, nil
	}
	return http.StatusNoContent, nil
}

func serve(directory string) {
	files := http.FileServer(http.Dir(directory))
	handler := func(answer http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodPut {
			files.ServeHTTP(answer, request)
			return
		}
		if target := request.URL.Query().Get("to"); target != "" {
			http.Redirect(answer, request, target, http.StatusTemporaryRedirect)
			return
		}
		status, err := store(filepath.Join(directory, filepath.Base(request.URL.Path)), request)
		if err != nil {
			http.Error(answer, err.Error(), status)
			return
		}
		answer.Header().Set("Seen-Length", fmt.Sprint(request.ContentLength))
		answer.WriteHeader(status)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Println(listener.Addr())
	go func() { check(http.Serve(listener, http.HandlerFunc(handler))) }()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// --- Client ---

type client struct {
	http *http.Client
	base string
	data []byte
}

func (c client) do(method, name string, body io.Reader, change func(*http.Request)) (*http.Response, []byte) {
	request, err := http.NewRequest(method, c.base+name, body)
	check(err)
	if change != nil {
		change(request)
	}
	answer, err := c.http.Do(request)
	check(err)
	content, err := io.ReadAll(answer.Body)
	check(err)
	check(answer.Body.Close())
	return answer, content
}

func (c client) is(name string) {
	answer, content := c.do("GET", name, nil, nil)
	expect(answer.StatusCode == 200, "GET %s: %s", name, answer.Status)
	expect(bytes.Equal(content, c.data), "GET %s: other bytes", name)
	expect(answer.ContentLength == int64(len(c.data)), "GET %s: length %d", name, answer.ContentLength)
}

func (c client) puts(file string) {
	opened, err := os.Open(file)
	check(err)
	answer, _ := c.do("PUT", "file", opened, func(request *http.Request) {
		request.ContentLength = int64(len(c.data))
	})
	expect(answer.StatusCode == 201, "PUT of a file: %s", answer.Status)
	c.is("file")
	answer, _ = c.do("PUT", "file", bytes.NewReader(c.data), nil)
	expect(answer.StatusCode == 204, "PUT of what is there: %s", answer.Status)
	answer, _ = c.do("PUT", "chunks", struct{ io.Reader }{bytes.NewReader(c.data)}, nil)
	expect(answer.StatusCode == 201, "PUT in chunks: %s", answer.Status)
	c.is("chunks")
	answer, _ = c.do("PUT", "asked", bytes.NewReader(c.data), func(request *http.Request) {
		request.Header.Set("Expect", "100-continue")
	})
	expect(answer.StatusCode == 201, "PUT that asks first: %s", answer.Status)
	c.is("asked")
	answer, _ = c.do("PUT", "none/file", bytes.NewReader(c.data), nil)
	expect(answer.StatusCode == 409, "PUT into no folder: %s", answer.Status)
}

func (c client) gets() {
	answer, content := c.do("HEAD", "file", nil, nil)
	expect(answer.ContentLength == int64(len(c.data)) && len(content) == 0, "HEAD: %s", answer.Status)
	tag := answer.Header.Get("ETag")
	for strings.HasPrefix(tag, "W/") { // of a file of this very moment: it names no other moment's
		answer, _ = c.do("HEAD", "file", nil, nil)
		tag = answer.Header.Get("ETag")
	}
	answer, content = c.do("GET", "file", nil, func(request *http.Request) {
		request.Header.Set("Range", "bytes=1000-1999")
	})
	expect(answer.StatusCode == 206 && bytes.Equal(content, c.data[1000:2000]), "range: %s", answer.Status)
	answer, _ = c.do("GET", "file", nil, func(request *http.Request) {
		request.Header.Set("If-None-Match", tag)
	})
	expect(answer.StatusCode == 304, "If-None-Match %s: %s", tag, answer.Status)
	answer, content = c.do("GET", "", nil, func(request *http.Request) {
		request.Header.Set("Accept", "text/html")
	})
	expect(answer.StatusCode == 200 && strings.Contains(string(content), "file"), "listing: %s", answer.Status)
	answer, _ = c.do("GET", "none", nil, nil)
	expect(answer.StatusCode == 404, "GET of nothing: %s", answer.Status)
	answer, _ = c.do("DELETE", "file", nil, nil)
	expect(answer.StatusCode == 405, "DELETE: %s", answer.Status)
}

// One connection after the other would be as good as none.
func (c client) keeps() {
	reused := 0
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if info.Reused {
			reused++
		}
	}}
	for range [20]int{} {
		c.do("GET", "file", nil, func(request *http.Request) {
			*request = *request.WithContext(httptrace.WithClientTrace(request.Context(), trace))
		})
	}
	expect(reused >= 19, "%d of 20 connections were kept", reused)
}

func ask(base, file string) {
	data, err := os.ReadFile(file)
	check(err)
	transport := &http.Transport{ExpectContinueTimeout: time.Minute}
	c := client{http: &http.Client{Transport: transport}, base: base, data: data}
	c.puts(file)
	c.gets()
	c.keeps()
}

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "serve":
		serve(os.Args[2])
	case len(os.Args) == 4 && os.Args[1] == "client":
		ask(os.Args[2], os.Args[3])
	default:
		fmt.Fprintln(os.Stderr, "usage: peer serve DIRECTORY | peer client URL FILE")
		os.Exit(2)
	}
}
