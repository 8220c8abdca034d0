"""What the tests of `put` share."""

import json
import subprocess
import threading

import tool
from http_server import Server


class PutTest(tool.ToolTest):
    def serve(self, script, receive_buffer=None):
        server = Server(script, receive_buffer)
        self.addCleanup(server.close)
        return server

    def serve_answers(self, *answers):
        """A server that takes one whole request after the other, whatever connection it comes by,
        and answers it in order: `Peer.answer`'s arguments. Gives the list of requests too."""
        requests, waiting, lock = [], list(answers), threading.Lock()

        def script(peer):
            while True:
                request = peer.request()
                with lock:
                    requests.append(request)
                    answer = waiting.pop(0)
                peer.answer(*answer)

        return self.serve(script), requests

    def put(self, *arguments, **options):
        return self.run_tool("put", *arguments, json_report=True, **options)

    def put_many(self, *ends):
        """Several files by one command; gives the reports too."""
        file = self.path("reports")
        done = self.run_tool("put", *ends, "--report", "json", "--report-file", file)
        return done, reports(file)

    def put_fed(self, data, *arguments):
        """From standard input, a pipe."""
        reader, writer = self.pipe()
        feeder = subprocess.Popen(["cat", self.make("fed", data)], stdout=writer)
        tool.close_if_open(writer)
        done = self.put("-", *arguments, stdin=reader)
        tool.close_if_open(reader)  # or a feeder with more to give waits for ever
        feeder.wait()
        return done


def reports(path):
    """Those of a file with one to a line."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
