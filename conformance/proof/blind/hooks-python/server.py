"""python3 server.py [--on NAME ...] | --list | --sentences"""
import argparse
import json
import os
import signal
import sys
import threading
import switches

switches.load()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--on", action="append", default=[], metavar="NAME")
    ap.add_argument("--list", action="store_true", help="the switches as JSON")
    ap.add_argument("--sentences", action="store_true", help="the sentence that each violation breaks")
    args = ap.parse_args()
    if args.list:
        print(json.dumps([{k: s[k] for k in ("name", "kind", "where", "does")} for s in switches.ALL.values()], indent=1))
        return
    if args.sentences:
        print(json.dumps({s["name"]: s["breaks"] for s in switches.ALL.values() if s["breaks"]}, indent=1))
        return
    for name in args.on:
        if name not in switches.ALL:
            ap.error("no such switch: " + name)
    switches.ACTIVE.update(args.on)

    from api import Api, Server, Trigger
    from hooks import Store
    from sender import Sender
    from world import PROJECTS, TOKEN
    store = Store()
    sender = Sender(store)
    ports = []
    for handler in (Api, Trigger):
        srv = Server(("127.0.0.1", 0), handler)
        srv.store, srv.sender = store, sender
        ports.append(srv.server_address[1])
        threading.Thread(target=srv.serve_forever, kwargs=dict(poll_interval=5), daemon=True).start()
    ids = list(PROJECTS)
    print(json.dumps(dict(baseUrl=f"http://127.0.0.1:{ports[0]}/api/v4", project=ids[0], otherProject=ids[1],
                          token=TOKEN, triggerUrl=f"http://127.0.0.1:{ports[1]}/trigger")), flush=True)
    signal.signal(signal.SIGTERM, lambda *a: os._exit(0))
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
