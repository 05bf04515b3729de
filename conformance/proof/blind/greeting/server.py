#!/usr/bin/python3
"""A greeting server with named switches. See README.md."""

import argparse
import asyncio
import json
import os
import signal
import sys
import threading

import registry

METHOD = "BidirectionalGreeting"
SYSTEM_PYTHON = "/usr/bin/python3"      # Debian installs grpcio for this one


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true",
                        help="print the switches as JSON and exit")
    parser.add_argument("--on", action="append", default=[], metavar="NAME",
                        help="turn a switch on (may be given many times)")
    parser.add_argument("--service", default="GreetingService", metavar="NAME",
                        help="name of the service in the package examples")
    return parser.parse_args()


class GreetingServer:
    """The switches that are on, and what all streams share."""

    def __init__(self, names, service):
        self.on = set(names)
        self.service = service
        self.shared = {}
        self.streams = []       # open streams, oldest first
        self.opened = 0
        self._stages = {}
        for name, switch in registry.SWITCHES.items():
            if name in self.on:
                for stage, run in switch.stages.items():
                    self._stages.setdefault(stage, []).append(run)

    def stage(self, name):
        return self._stages.get(name, ())

    def count_stream(self):
        self.opened += 1
        return self.opened

    async def handle(self, _requests, context):
        from stream import Stream
        await Stream(self, context).run()


def options(on):
    out = [("grpc.so_reuseport", 0)]
    if "one-stream-per-connection" in on:
        out.append(("grpc.max_concurrent_streams", 1))
    if "connection-age" in on:
        out.append(("grpc.max_connection_age_ms", 1000))
    if "small-messages-only" in on:
        out.append(("grpc.max_receive_message_length", 1024))
    return out


async def serve(names, service):
    import grpc
    from routes import Routes

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    loop.add_signal_handler(signal.SIGINT, stop.set)

    def watch_stdin():
        try:
            while os.read(0, 4096):
                pass
        except OSError:
            pass
        loop.call_soon_threadsafe(stop.set)

    greeting = GreetingServer(names, service)
    compression = None
    if "gzip-responses" in greeting.on:
        compression = grpc.Compression.Gzip
    server = grpc.aio.server(options=options(greeting.on),
                             compression=compression)
    server.add_generic_rpc_handlers((Routes(greeting, METHOD),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    threading.Thread(target=watch_stdin, daemon=True).start()
    print(json.dumps({"address": "127.0.0.1:%d" % port}), flush=True)
    await stop.wait()
    try:
        await asyncio.wait_for(server.stop(0), 0.5)
    except asyncio.TimeoutError:
        pass
    os._exit(0)     # do not wait for streams that never end


def main():
    registry.load_all()
    wanted = arguments()
    if wanted.list:
        print(json.dumps([switch.as_json() for switch
                          in registry.SWITCHES.values()], indent=1))
        return 0
    unknown = [name for name in wanted.on if name not in registry.SWITCHES]
    if unknown:
        print("unknown switch: " + ", ".join(unknown), file=sys.stderr)
        return 2
    try:
        import grpc  # noqa: F401
    except ImportError:
        if (os.path.realpath(sys.executable)
                == os.path.realpath(SYSTEM_PYTHON)):
            print("python3-grpcio is not installed", file=sys.stderr)
            return 1
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON] + sys.argv)
    asyncio.run(serve(wanted.on, wanted.service))
    return 0


if __name__ == "__main__":
    sys.exit(main())
