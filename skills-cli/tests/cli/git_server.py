"""Serves the git repositories below a directory over https, for tests: `git http-backend` behind TLS.

What is below its directory `www` is served as files. Below /moved/ everything is redirected to the same path without
it, below /away/ to the same on 127.0.0.1, below /loop/ to itself, and below /plain/ to the same over http, which is
served too. The port of https is printed; every request is a line of the log.
"""

import http.server
import os
import ssl
import subprocess
import sys
import threading

ROOT, CERTIFICATE, KEY, LOG = sys.argv[1:5]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def answer(self, status, headers, body=b""):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_request(self):
        body = self.body()
        with open(LOG, "a") as log:
            scheme = "https" if isinstance(self.connection, ssl.SSLSocket) else "http"
            log.write(f"{scheme} {self.command} {self.path}\n")
        host = self.headers["Host"]
        for prefix, to in (
            ("/moved/", f"https://{host}/"),
            ("/away/", f"https://127.0.0.1:{server.server_address[1]}/"),
            ("/loop/", f"https://{host}/loop/"),
            ("/plain/", f"http://localhost:{plain.server_address[1]}/"),
        ):
            if self.path.startswith(prefix):
                return self.answer(301, [("Location", to + self.path[len(prefix):])])
        path, _, query = self.path.partition("?")
        file = os.path.join(ROOT, "www", path.lstrip("/"))
        if os.path.isfile(file):
            with open(file, "rb") as content:
                return self.answer(200, [], content.read())
        env = dict(
            os.environ,
            GIT_PROJECT_ROOT=ROOT,
            GIT_HTTP_EXPORT_ALL="1",
            REQUEST_METHOD=self.command,
            PATH_INFO=path,
            QUERY_STRING=query,
            CONTENT_TYPE=self.headers.get("Content-Type", ""),
            CONTENT_LENGTH=str(len(body)),
            HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""),
            GIT_PROTOCOL=self.headers.get("Git-Protocol", ""),
        )
        said = subprocess.run(["git", "http-backend"], input=body, env=env, stdout=subprocess.PIPE).stdout
        head, _, rest = said.partition(b"\r\n\r\n")
        headers = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        self.answer(status, [header for header in headers if header[0] != "Status"], rest)

    do_GET = do_POST = handle_request


plain = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=plain.serve_forever, daemon=True).start()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
