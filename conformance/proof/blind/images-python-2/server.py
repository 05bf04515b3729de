import sys, json, asyncio, threading, os, signal
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import switches
def main():
    av = sys.argv[1:]
    if av == ['--list']: print(json.dumps(switches.listing(), indent=1)); return
    i = 0
    while i < len(av):
        if av[i] == '--on' and i + 1 < len(av) and av[i+1] in switches.NAMES: switches.ON.add(av[i+1]); i += 2
        else: print('unknown switch or argument: ' + av[min(i+1, len(av)-1)], file=sys.stderr); sys.exit(2)
    import httpd
    from app import App, MAXF, BASE
    async def run():
        app = App(); stop = asyncio.Event(); loop = asyncio.get_running_loop()
        for sg in (signal.SIGTERM, signal.SIGINT): loop.add_signal_handler(sg, stop.set)
        for k in ('api', 'batch', 'upload', 'delivery'):
            srv = await asyncio.start_server(lambda r, w, k=k: httpd.serve_conn(r, w, k, app), '127.0.0.1', 0, limit=1 << 17, backlog=512)
            app.ports[k] = srv.sockets[0].getsockname()[1]
        u = lambda k: 'http://127.0.0.1:%d' % app.ports[k]
        print(json.dumps(dict(baseUrl=u('api') + BASE, account=app.a1.id, token=app.t1, limitedToken=app.limited, otherAccount=dict(account=app.a2.id, token=app.t2), batchUrl=u('batch'), batchToken=app.b1, deliveryUrl=app.dbase(), maxFileBytes=MAXF)), flush=True)
        def watch():
            try:
                while sys.stdin.buffer.read(4096): pass
            except Exception: pass
            loop.call_soon_threadsafe(stop.set)
        threading.Thread(target=watch, daemon=True).start()
        await stop.wait()
    asyncio.run(run())
    sys.stdout.flush(); os._exit(0)
main()
