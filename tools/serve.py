#!/usr/bin/env python3
"""Serves a folder on this machine alone: serve.py FOLDER [--port N] [--isolated].

Sends the content security policy that the README recommends to hosts, so that what works here works
there; the articles in examples/ may show the playground in frames as well. Prints the address when it is ready. Port 0 takes any free one. With --isolated it sends what
makes a page cross-origin isolated, which threads need.
"""
import argparse
import errno
import functools
import http.server
import sys

POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
          "style-src 'self'; img-src 'self' blob: data:; font-src 'self'; base-uri 'none'; form-action 'none'")
ARTICLE_POLICY = POLICY + "; frame-src 'self'"


ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
             "Cross-Origin-Resource-Policy": "same-origin"}


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    further_headers = {}
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map,
                      ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm",
                      ".ttf": "font/ttf", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
                      ".html": "text/html; charset=utf-8"}

    def end_headers(self):
        article = "/examples/" in self.path.partition("?")[0]
        self.send_header("Content-Security-Policy", ARTICLE_POLICY if article else POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        for name, value in self.further_headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--isolated", action="store_true")
    arguments = parser.parse_args()
    if arguments.isolated:
        Handler.further_headers = ISOLATION
    handler = functools.partial(Handler, directory=arguments.folder)
    http.server.ThreadingHTTPServer.daemon_threads = True
    ports = [0] if arguments.port == 0 else range(arguments.port, min(arguments.port + 100, 65536))
    for port in ports:
        try:
            server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            sys.exit(f"Port {port} cannot be used: {error.strerror}. Choose another one with --port.")
        print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
    sys.exit(f"All ports from {arguments.port} on are taken: choose another one with --port.")


main()
