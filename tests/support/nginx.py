"""nginx as a test needs one: in a folder of its own, on a port that was free, taking PUT by WebDAV.

    server = nginx.start(test, root)     # a tool.ToolTest; ends with it
    server.url("/f")
"""

import os
import shutil
import socket
import subprocess

import tool

NGINX = shutil.which("nginx") or ("/usr/sbin/nginx" if os.path.exists("/usr/sbin/nginx") else None)
ATTEMPTS = 20  # somebody else may take the port between our look and its bind

CONFIGURATION = """
daemon off; master_process off; error_log DIR/error.log; pid DIR/pid; USER
events { worker_connections 256; }
http {
  default_type application/octet-stream; access_log DIR/access.log; sendfile on; keepalive_timeout 60s;
  client_max_body_size 64m; client_body_temp_path DIR/body; proxy_temp_path DIR/proxy;
  fastcgi_temp_path DIR/fastcgi; uwsgi_temp_path DIR/uwsgi; scgi_temp_path DIR/scgi;
  server {
    listen 127.0.0.1:PORT; root ROOT;
    dav_methods PUT; create_full_put_path on;
    location /301/ { rewrite ^/301/(.*) /$1 permanent; }
    location /302/ { rewrite ^/302/(.*) /$1 redirect; }
    location /303/ { return 303 /answer; }
    location /307/ { return 307 /moved; }
    location /308/ { return 308 /moved; }
    location /small/ { client_max_body_size 1k; }
    location /never/ { return 403 "not here\\n"; }
    MORE
  }
}
"""


class Server:
    def __init__(self, started, port, folder):
        self.started, self.port, self.folder = started, port, folder

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.port}{path}"

    def log(self):
        with open(os.path.join(self.folder, "access.log"), encoding="utf-8") as file:
            return file.read()


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _listens(started, port):
    """True: it takes connections; False: it has ended."""
    def answers():
        if started.process.poll() is not None:
            return "ended"
        with socket.socket() as probe:
            return "listens" if probe.connect_ex(("127.0.0.1", port)) == 0 else None

    return tool.until(answers, "nginx listens") == "listens"


def start(test, root, more=""):
    folder = test.make_folder("nginx")
    user = "user root;" if tool.IS_ROOT else ""  # files that the test makes are its own
    for _ in range(ATTEMPTS):
        port = _free_port()
        text = CONFIGURATION
        for word, value in (("MORE", more), ("DIR", folder), ("ROOT", root), ("USER", user),
                            ("PORT", str(port))):
            text = text.replace(word, value)
        path = test.make("nginx.conf", text.encode())
        started = test.program(NGINX, "-e", os.path.join(folder, "error.log"), "-c", path,
                               stdout=subprocess.DEVNULL)
        if _listens(started, port) and started.process.poll() is None:
            return Server(started, port, folder)
        started.finish()
        with open(os.path.join(folder, "error.log"), encoding="utf-8") as log:
            why = log.read()
        if "Address already in use" not in why:
            raise AssertionError(why)
    raise AssertionError(f"no port was free in {ATTEMPTS} attempts")
