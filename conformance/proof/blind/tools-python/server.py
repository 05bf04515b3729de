"""A conforming MCP tool server for a made-up museum, with switches."""
import argparse
import json
import os
import signal
import sys
import threading

import switches


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--on", action="append", default=[], metavar="SWITCH")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--facts", action="store_true")
    parser.add_argument("--transport", choices=["http", "streamable_http", "stdio"], default="http")
    options = parser.parse_args()
    switches.activate(options.on)
    if options.list:
        print(json.dumps(switches.listing(), indent=1))
        return
    import facts
    import tooldefs
    tooldefs.apply_switches()
    if options.facts:
        print(json.dumps(facts.facts(), ensure_ascii=False))
        return
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if options.transport == "stdio":
        import stdio_transport
        stdio_transport.run()
        os._exit(0)
    import http_transport
    server, url = http_transport.start()
    print(json.dumps(facts.facts(url)), flush=True)
    # The end of stdin is the end of the server.
    ended = threading.Event()

    def watch():
        while sys.stdin.buffer.read1(4096):
            pass
        ended.set()

    threading.Thread(target=watch, daemon=True).start()
    ended.wait()
    os._exit(0)


if __name__ == "__main__":
    main()
