"""Entry point of the lighthouse tool server."""
import argparse
import json
import os
import signal
import sys

import http_framing
import legacy_sse
import stdio
import streamable
from facts import FACTS
from switches import declared, turn_on

MODULES_WITH_SWITCHES = (http_framing, legacy_sse, stdio, streamable)


def main():
    parser = argparse.ArgumentParser(description="A tool server with a register of lighthouses.")
    parser.add_argument("--transport", choices=["stdio", "http"], default="stdio")
    parser.add_argument("--on", action="append", default=[], metavar="NAME", help="turn a switch on")
    parser.add_argument("--list", action="store_true", help="print the switches")
    parser.add_argument("--facts", action="store_true", help="print what a tester needs to know")
    options = parser.parse_args()
    if options.list:
        print(json.dumps(declared(), indent=1))
        return 0
    if options.facts:
        print(json.dumps(FACTS, indent=1))
        return 0
    unknown = turn_on(options.on)
    if unknown:
        print("unknown switches: " + ", ".join(unknown), file=sys.stderr)
        return 2
    if options.transport == "stdio":
        stdio.run()
    else:
        serve_http()
    sys.stdout.flush()
    os._exit(0)


def serve_http():
    """Serve until stdin closes or SIGTERM comes."""
    from http_server import start
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    print(json.dumps(start()), flush=True)
    while sys.stdin.buffer.read1(65536):
        pass


if __name__ == "__main__":
    sys.exit(main())
