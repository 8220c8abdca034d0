#!/usr/bin/env python3
"""`serve` with few descriptors: files it keeps open give way before anybody is refused."""

import os

import serving
import tool

FILES = 100


class FewDescriptors(serving.ServeTest):
    def setUp(self):
        super().setUp()
        self.root = self.path("root")
        os.makedirs(self.root)
        for number in range(FILES):
            with open(os.path.join(self.root, f"f{number}"), "w", encoding="ascii") as file:
                file.write(str(number))

    def serve_with(self, most, *options):
        limit = ("sh", "-c", f'ulimit -n {most} && exec "$@"', "sh")
        return self.serve("--threads", "1", *options, root=self.root, wrap=limit)

    def test_serve_more_files_than_there_are_descriptors(self):
        for most in (16, 24, 64):
            with self.subTest(most):
                server = self.serve_with(most)
                for number in range(FILES):
                    peer = self.talk_to(server)
                    peer.send(f"GET /f{number} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                    answer = peer.answer()
                    self.assertEqual((answer.status, answer.body), (200, str(number).encode()))
                    peer.socket.close()


if __name__ == "__main__":
    tool.main()
