"""Start the service: python3 server.py [--on NAME]... | --list"""
import argparse
import json
import os
import signal
import sys
import threading

import switches
import choices_http, choices_service, violations_images, violations_access, violations_variants  # noqa: declare


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--on", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    if args.list:
        print(json.dumps(list(switches.TABLE.values()), indent=1))
        return
    for name in args.on:
        switches.enable(name)
    import app
    import store
    import wire
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    world = store.World()
    server = wire.Server(("127.0.0.1", 0), wire.Connection)
    world.root = root = "http://127.0.0.1:%d" % server.server_address[1]
    server.app = app.App(world)
    threading.Thread(target=server.serve_forever, args=(0.5,), daemon=True).start()
    print(json.dumps({
        "baseUrl": root + "/client/v4", "account": world.a.id, "token": world.a.token,
        "limitedToken": world.a.limited,
        "otherAccount": {"account": world.b.id, "token": world.b.token},
        "batchUrl": root + "/batch", "batchToken": world.a.batch, "deliveryUrl": root + "/delivery",
        "maxFileBytes": wire.MAX_FILE, "signingKey": world.signing_key}), flush=True)
    while sys.stdin.buffer.read(65536):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
