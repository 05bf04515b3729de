import asyncio, email.utils, random, time
from urllib.parse import unquote, parse_qsl
from switches import on
STAT = {200:'OK',304:'Not Modified',206:'Partial Content',302:'Found',307:'Temporary Redirect',308:'Permanent Redirect',400:'Bad Request',401:'Unauthorized',403:'Forbidden',404:'Not Found',405:'Method Not Allowed',409:'Conflict',410:'Gone',413:'Content Too Large',415:'Unsupported Media Type',416:'Range Not Satisfiable',422:'Unprocessable Content',429:'Too Many Requests',431:'Request Header Fields Too Large',500:'Internal Server Error',501:'Not Implemented',502:'Bad Gateway',204:'No Content'}
HARD = 40 << 20
class Resp:
    def __init__(s, status=200, body=b'', ctype=None, headers=()):
        s.status, s.body, s.headers = status, body, list(headers)
        if ctype: s.headers.insert(0, ('Content-Type', ctype))
class Req: pass
class Bad(Exception):
    def __init__(s, status, msg): s.status, s.msg = status, msg
async def read_req(reader, writer):
    try: head = await reader.readuntil(b'\r\n\r\n')
    except asyncio.LimitOverrunError: raise Bad(431, 'header too large')
    while head.startswith(b'\r\n'): head = head[2:]
    if not head: return await read_req(reader, writer)
    lines = head[:-4].decode('latin-1').split('\r\n')
    try: m, target, ver = lines[0].split(' ')
    except ValueError: raise Bad(400, 'malformed request line')
    if not ver.startswith('HTTP/1.'): raise Bad(400, 'unsupported version')
    r = Req(); r.method, r.ver, r.headers, r.names = m, ver, {}, set()
    for l in lines[1:]:
        k, c, v = l.partition(':')
        if not c or k != k.strip() or not k: raise Bad(400, 'malformed header')
        r.names.add(k); k = k.lower(); v = v.strip()
        if k in r.headers and k in ('host', 'content-length') and (k == 'host' or r.headers[k] != v): raise Bad(400, 'duplicate ' + k)
        r.headers[k] = r.headers[k] + ', ' + v if k in r.headers and k != 'content-length' else v
    if ver == 'HTTP/1.1' and 'host' not in r.headers and not on('http-missing-host-accepted'): raise Bad(400, 'Host header required')
    if target[:7].lower() == 'http://':
        if on('http-absolute-form-refused'): raise Bad(400, 'bad target')
        i = target.find('/', 7); target = '/' if i < 0 else target[i:]
    r.target = target; r.path, _, r.qs = target.partition('?')
    r.query = dict(reversed(parse_qsl(r.qs, keep_blank_values=True)))
    r.body = b''; te = r.headers.get('transfer-encoding', '').lower(); cl = r.headers.get('content-length')
    if te and te != 'chunked': raise Bad(501, 'transfer coding')
    if te or (cl and cl != '0'):
        if cl and not te and not (cl.isascii() and cl.isdigit()): raise Bad(400, 'bad content-length')
        if r.headers.get('expect', '').lower() == '100-continue' and ver == 'HTTP/1.1':
            writer.write(b'HTTP/1.1 100 Continue\r\n\r\n')
        if te:
            buf = []; tot = 0
            while True:
                l = await reader.readuntil(b'\r\n')
                try: n = int(l.split(b';')[0].strip(), 16)
                except ValueError: raise Bad(400, 'bad chunk')
                if n == 0: break
                tot += n
                if tot > HARD: raise Bad(413, 'too large')
                buf.append(await reader.readexactly(n))
                if await reader.readexactly(2) != b'\r\n': raise Bad(400, 'bad chunk')
            while (await reader.readuntil(b'\r\n')) != b'\r\n': pass
            r.body = b''.join(buf)
            if on('http-chunked-request-body-cut') and len(buf) > 1: r.body = buf[0]
        else:
            if int(cl) > HARD: raise Bad(413, 'too large')
            r.body = await reader.readexactly(int(cl))
    return r
def tune(name):
    if on('header-names-lowercase'): return name.lower()
    if on('header-names-uppercase'): return name.upper()
    return name
async def serve_conn(reader, writer, kind, app):
    n = 0
    try:
        while True:
            bad = None
            try: req = await read_req(reader, writer)
            except Bad as e: bad = e; req = Req(); req.method, req.ver, req.headers = 'GET', 'HTTP/1.1', {}
            n += 1
            if bad: resp = app.bad(kind, bad.status, bad.msg)
            else:
                if on('delay-each-response'): await asyncio.sleep(.03)
                if on('delay-jitter'): await asyncio.sleep(random.random()*.15)
                resp = await app.dispatch(kind, req)
            conn = [t.strip().lower() for t in req.headers.get('connection', '').split(',')]
            close = bool(bad) or 'close' in conn or (req.ver == 'HTTP/1.0' and 'keep-alive' not in conn)
            if on('http-connection-close-ignored') and 'close' in conn: close = False
            if on('close-after-each-response') or (on('close-after-ten-responses') and n >= 10): close = True
            if on('close-after-error') and resp.status >= 400: close = True
            H = list(resp.headers)
            if not on('http-date-missing'):
                H.append(('Date', time.strftime('%Y-%m-%d %H:%M:%S') if on('http-date-not-imf') else email.utils.formatdate(usegmt=True)))
            if on('server-header'): H.append(('Server', 'imghost/3.1'))
            if on('request-id-header'): H.append(('X-Request-Id', '%016x' % random.getrandbits(64)))
            if on('cors-on-api') and kind != 'delivery': H.append(('Access-Control-Allow-Origin', '*'))
            if on('no-store-on-api') and kind != 'delivery': H.append(('Cache-Control', 'no-store'))
            if on('security-headers'): H += [('X-Content-Type-Options', 'nosniff'), ('Strict-Transport-Security', 'max-age=1')]
            if on('set-cookie-on-api') and kind != 'delivery': H.append(('Set-Cookie', '__lb=a1; Path=/; HttpOnly'))
            if on('vary-header'): H.append(('Vary', 'Accept, Accept-Encoding'))
            if on('rate-limit-headers') and kind == 'api': H += [('RateLimit-Limit', '1200'), ('RateLimit-Remaining', '1199')]
            if on('close-announced-never') : pass
            body = resp.body; head_only = req.method == 'HEAD' or resp.status in (204, 304)
            chunked = False
            if resp.status == 204: pass
            elif resp.status == 304: pass
            elif (on('chunked-responses') or (on('chunked-json-only') and kind != 'delivery')) and req.ver == 'HTTP/1.1': chunked = True; H.append(('Transfer-Encoding', 'chunked'))
            elif on('http-chunked-to-http10') and req.ver == 'HTTP/1.0': chunked = True; H.append(('Transfer-Encoding', 'chunked'))
            else:
                ln = len(body)
                if on('http-content-length-in-characters') and kind != 'delivery':
                    try: ln = len(body.decode()); body = body[:ln]
                    except UnicodeDecodeError: pass
                H.append(('Content-Length', str(ln)))
            if close: H.append(('Connection', 'close'))
            elif on('keep-alive-header') or req.ver == 'HTTP/1.0': H += [('Connection', 'keep-alive'), ('Keep-Alive', 'timeout=30')]
            if on('header-order-reversed'): H.reverse()
            reason = STAT.get(resp.status, '') if not on('empty-reason-phrase') else ''
            out = ('HTTP/1.1 %d %s\r\n' % (resp.status, reason) + ''.join('%s: %s\r\n' % (tune(k), v) for k, v in H) + '\r\n').encode('latin-1', 'replace')
            if req.method == 'HEAD' and ((kind == 'delivery' and on('http-head-with-body-on-delivery')) or (kind == 'api' and on('http-head-with-body-on-api'))): head_only = False
            if resp.status == 304 and on('http-304-with-body'): head_only = False; body = resp.full
            if not head_only:
                if chunked:
                    step = max(1, len(body)//3) if len(body) < 65536 else 16384
                    body = b''.join(b'%x\r\n%s\r\n' % (len(body[i:i+step]), body[i:i+step]) for i in range(0, len(body), step)) + b'0\r\n\r\n'
                if on('split-writes'):
                    writer.write(out[:20]); await writer.drain(); await asyncio.sleep(.003)
                    writer.write(out[20:]); await writer.drain(); await asyncio.sleep(.003); out = b''
                    h = len(body)//2; writer.write(body[:h]); await writer.drain(); await asyncio.sleep(.003); body = body[h:]
                out += body
            writer.write(out); await writer.drain()
            if close: break
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError): pass
    finally:
        try: writer.close()
        except Exception: pass
