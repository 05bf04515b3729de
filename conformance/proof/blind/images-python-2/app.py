import asyncio, json, re, time, uuid, os, random, secrets, hashlib, http.client, email.utils
from datetime import datetime, timezone, timedelta
from urllib.parse import unquote, quote, urlsplit, urljoin
from switches import on
from httpd import Resp
import codec
MAXF = 2 << 20
BASE = '/client/v4'
FITS = ('scale-down', 'contain', 'cover', 'crop', 'pad'); METAS = ('none', 'copyright', 'keep')
CTYPES = ('image/png', 'image/jpeg', 'image/gif', 'image/webp')
class Err(Exception):
    def __init__(s, status, msg, code=5400, headers=()): s.status, s.msg, s.code, s.headers = status, msg, code, list(headers)
def bad(msg, code=5400): return Err(422 if on('invalid-is-422') else 400, msg, code)
class Account: pass
class Image: pass
def iso(t):
    d = datetime.fromtimestamp(t, timezone.utc)
    if on('uploaded-seconds-precision'): return d.strftime('%Y-%m-%dT%H:%M:%SZ')
    if on('uploaded-microseconds'): return d.strftime('%Y-%m-%dT%H:%M:%S.%fZ')
    if on('uploaded-plus-zero-offset'): return d.isoformat(timespec='milliseconds')
    if on('uploaded-other-offset'): return d.astimezone(timezone(timedelta(hours=2))).isoformat(timespec='milliseconds')
    return d.strftime('%Y-%m-%dT%H:%M:%S.') + '%03dZ' % (d.microsecond//1000)
def parse_iso(s):
    if not isinstance(s, str) or not re.fullmatch(r'\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[+-]\d\d(:?\d\d)?)?)?', s): raise bad('expiry must be an ISO 8601 timestamp')
    t = s.upper().replace(',', '.').replace('Z', '+00:00')
    try: d = datetime.fromisoformat(t)
    except ValueError: raise bad('expiry must be an ISO 8601 timestamp')
    if on('direct-expiry-offset-ignored'): d = d.replace(tzinfo=None)
    return (d if d.tzinfo else d.replace(tzinfo=timezone.utc)).timestamp()
def noconst(x): raise ValueError(x)
def loads(t): return json.loads(t, parse_constant=noconst)
def multipart(req):
    ct = req.headers.get('content-type', '')
    low = ct if on('multipart-media-type-case-sensitive') else ct.lower()
    if not low.lstrip().startswith('multipart/form-data'): raise bad('Content-Type must be multipart/form-data')
    m = re.search(r';\s*boundary=(?:"((?:\\.|[^"\\])*)"|([^;\s]+))', ct, re.I)
    if not m: raise bad('no boundary')
    b = m[1] if m[1] is not None else m[2]
    if m[1] is not None and on('multipart-quoted-boundary-refused'): b = '"' + b + '"'
    b = b.encode('latin-1')
    body = req.body
    if on('multipart-preamble-refused') and not body.startswith(b'--' + b): raise bad('bad multipart')
    segs = (b'\r\n' + body).split(b'\r\n--' + b); parts = []; cur = None; closed = False
    for i, s in enumerate(segs):
        if i == 0: continue
        if s.startswith(b'--') and (len(s) == 2 or s[2:4] == b'\r\n' or s[2:].strip() == b''):
            closed = True
            break
        m2 = re.match(rb'[ \t]*\r\n', s)
        if m2: parts.append(s[m2.end()-2:])
        elif parts: parts[-1] += b'\r\n--' + b + s
        else: raise bad('bad multipart')
    if not closed: raise bad('unterminated multipart body')
    out = []
    for p in parts:
        h, sep, data = p.partition(b'\r\n\r\n')
        if not sep: raise bad('bad part')
        hd = {}
        for l in h.decode('utf-8', 'replace').split('\r\n'):
            k, _, v = l.partition(':')
            if on('multipart-part-header-case-sensitive') and k.strip().lower() == 'content-disposition' and k.strip() != 'Content-Disposition': continue
            hd[k.strip().lower()] = v.strip()
        cd = hd.get('content-disposition', '')
        if on('filename-cut-at-semicolon'): pr = {k.lower(): v.strip('"') for k, v in re.findall(r';\s*([\w*]+)=("?[^;]*)', cd)}
        else: pr = {k.lower(): (re.sub(r'\\(["\\])', r'\1', q) if raw.startswith('"') else raw) for k, raw, q in re.findall(r';\s*([\w*]+)\s*=\s*("((?:\\.|[^"\\])*)"|[^;\s]*)', cd)}
        fn = pr.get('filename')
        if 'filename*' in pr and pr['filename*'].lower().startswith("utf-8''"): fn = unquote(pr['filename*'][7:])
        if fn is not None and on('filename-mojibake'): fn = fn.encode().decode('latin-1')
        if 'name' in pr: out.append((pr['name'], fn, hd.get('content-type'), data))
    return out
class App:
    def __init__(s):
        s.accounts, s.tokens, s.batch, s.tickets = {}, {}, {}, {}
        s.seq = 0; s.cache = {}; s.urlcache = {}; s.last_meta = None; s.last_img = None; s.reqs = []; s.tomb = {}; s.deleted_ids = set()
        s.ports = {}
        s.a1 = s.mkacct(); s.a2 = s.mkacct()
        s.t1 = s.mktok(s.a1, True); s.limited = s.mktok(s.a1, False); s.t2 = s.mktok(s.a2, True)
        s.b1 = secrets.token_urlsafe(30); s.batch[s.b1] = (s.a1, time.time() + 86400)
    def mktok(s, a, edit):
        t = ''.join(random.choice('abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789') for _ in range(40)); s.tokens[t] = (a, edit); return t
    def mkacct(s):
        a = Account(); a.id = secrets.token_hex(16); a.hash = secrets.token_urlsafe(16).replace('-', 'x').replace('_', 'y'); a.images, a.variants, a.flex = {}, {}, False
        a.created = time.time(); a.deleted = {}; a.lcache = {}; a.oldvar = {}; a.oldmeta = {}; a.oldbytes = {}
        def v(i, f, w, h, m='none', n=False): a.variants[i] = dict(id=i, options=dict(fit=f, width=w, height=h, metadata=m), never=n, hist=[])
        if not on('no-default-variant'): v('public', 'scale-down', 1366, 768)
        if on('several-default-variants'): v('thumbnail', 'cover', 150, 150); v('avatar', 'crop', 64, 64, 'none', True)
        s.accounts[a.id] = a; return a
    def dbase(s): return 'http://127.0.0.1:%d%s' % (s.ports['delivery'], '/cdn/imagedelivery' if on('delivery-path-prefix') else '')
    # ---------- envelope
    def js(s, obj, status=200, headers=(), kind='api'):
        ind = 2 if on('json-pretty') else None
        t = json.dumps(obj, ensure_ascii=on('json-ascii-escaped'), indent=ind, separators=None if ind else (',', ':'), sort_keys=on('json-keys-sorted'))
        if on('json-trailing-newline'): t += '\n'
        b = t.encode('latin-1', 'replace') if on('json-body-latin1') else t.encode('utf-8', 'replace')
        return Resp(status, b, 'application/json; charset=utf-8' if on('json-charset-parameter') else 'application/json', headers)
    def ok(s, result, kind='api', op='', headers=()):
        if kind == 'batch' and op == 'list' and on('envelope-missing-on-batch-list'): return s.js(result)
        if kind == 'upload' and on('envelope-missing-on-upload-host'): return s.js(result)
        o = dict(success=True, result=result)
        if not on('success-omits-errors'): o['errors'] = []
        if on('envelope-messages'): o['messages'] = []
        if on('envelope-extra-member'): o['request'] = {'took_ms': 3}
        if on('envelope-result-first'): o = {k: o[k] for k in ['result'] + [k for k in o if k != 'result']}
        if op == 'list' and on('list-result-info'): o['result_info'] = dict(count=len(result['images'] if isinstance(result, dict) else result), page=1, per_page=100)
        if on('success-is-string') : o['success'] = 'true'
        if op == 'delete' and kind == 'api' and on('success-missing-on-delete'): del o['success']
        if op == 'delete' and kind == 'batch' and on('success-missing-on-batch-delete'): del o['success']
        if op == 'vpatch' and on('success-false-on-variant-update'): o['success'] = False
        if op == 'direct' and on('result-missing-on-direct-upload'): del o['result']; o['data'] = result
        r = s.js(o, headers=headers)
        if op == 'delete' and kind == 'api' and on('delete-answers-204'): r = Resp(204, b'')
        if op == 'list' and kind == 'api' and on('json-content-type-html-on-list'): r.headers[0] = ('Content-Type', 'text/html')
        if kind == 'upload' and on('json-content-type-text-on-upload-host'): r.headers[0] = ('Content-Type', 'text/plain')
        if on('etag-on-api'): r.headers.append(('ETag', '"%s"' % hashlib.md5(r.body).hexdigest()))
        return r
    def fail(s, e, kind='api', op=''):
        st = e.status; code = e.code
        if on('error-codes-per-status') and code == 5400: code = {401: 10000, 403: 9109, 404: 5404, 413: 5413, 405: 7001, 429: 971}.get(st, 5400)
        err = dict(code=code, message=e.msg)
        if on('error-message-terse'): err['message'] = 'error %d' % code
        if on('error-documentation-url'): err['documentation_url'] = 'https://example.invalid/errors/%d' % code
        errs = [err]
        if on('error-list-of-two'): errs.append(dict(code=5400, message='See the documentation.'))
        if st == 404 and on('error-code-string-on-404'): err['code'] = str(code)
        if kind == 'batch' and on('error-code-string-on-batch'): err['code'] = str(code)
        if op == 'vget' and on('error-message-missing-on-variant'): del err['message']
        if st == 403 and on('error-message-null-on-403'): err['message'] = None
        if st == 401 and on('errors-empty-on-401'): errs = []
        if op == 'vcreate' and on('errors-object-on-variant-create'): errs = err
        if kind == 'upload' and on('errors-strings-on-upload-host'): errs = [e.msg]
        o = dict(success=False, errors=errs)
        if on('failure-result-null'): o['result'] = None
        if on('envelope-messages'): o['messages'] = []
        if st == 413 and on('errors-missing-on-413'): del o['errors']; o['error'] = e.msg
        if op == 'config' and on('errors-missing-on-config'): del o['errors']
        if st == 404 and on('success-true-on-404') and op == 'get': o['success'] = True
        if kind == 'batch' and on('success-true-on-batch-failure'): o['success'] = True
        if st == 404 and op == 'delete' and on('success-missing-on-delete-404'): del o['success']
        if op == 'direct' and st == 400 and on('direct-invalid-answers-200'): st = 200
        if op == 'upload' and st == 400 and 'metadata' in e.msg and on('metadata-invalid-answers-200'): st = 200
        if op == 'upload' and st == 400 and 'url' in e.msg and on('url-failure-answers-200'): st = 200
        H = e.headers
        if st == 401 and not on('http-401-without-challenge'): H = H + [('WWW-Authenticate', 'Bearer realm="images"')]
        if on('problem-link-header'): H = H + [('Link', '<https://example.invalid/help>; rel="help"')]
        if st == 404 and op in ('vget', 'vpatch', 'vdelete') and on('plain-text-on-variant-404'): return Resp(404, b'not found', 'text/plain')
        if st == 401 and kind == 'batch' and on('html-401-on-batch'): return Resp(401, b'<html><h1>401</h1></html>', 'text/html', H)
        if st == 413 and kind == 'upload' and on('html-413-on-upload-host'): return Resp(413, b'<html><h1>413</h1></html>', 'text/html', H)
        return s.js(o, st, H)
    def bad(s, kind, status, msg):
        return s.fail(Err(status, msg), kind)
    # ---------- dispatch
    async def dispatch(s, kind, req):
        req.kind = kind; req.op = ''
        try:
            if on('rate-limit-occasionally') and kind in ('api', 'batch'):
                now = time.time(); s.reqs = [t for t in s.reqs if t > now - 1] + [now]
                if len(s.reqs) > 60: raise Err(429, 'rate limit exceeded', 5400, [('Retry-After', '1')])
            if kind == 'delivery': return await s.delivery(req)
            p = req.path
            if len(p) > 1 and p.endswith('/') and not on('trailing-slash-refused'):
                if on('trailing-slash-redirect'): return Resp(308, b'', None, [('Location', p.rstrip('/') + ('?' + req.qs if req.qs else ''))])
                req.path = p.rstrip('/')
            if kind == 'upload': return await s.upload_host(req)
            return await s.api(req)
        except Err as e: return s.fail(e, kind, req.op)
        except Exception as e:
            import traceback; traceback.print_exc()
            return s.fail(Err(500, 'internal error'), kind, req.op)
    def route(s, req, sub):
        """-> (op, arg, allowed methods)"""
        m = 'GET' if req.method == 'HEAD' else req.method
        def pick(tab, arg=None):
            if m not in tab:
                req.op = ''
                allow = ', '.join(list(tab) + (['HEAD'] if 'GET' in tab else []))
                if on('unknown-method-404'): raise Err(404, 'no such route')
                raise Err(405, 'method not allowed', 5400, [] if on('http-405-without-allow') else [('Allow', allow)])
            req.op = tab[m]; return arg
        b = req.kind == 'batch'
        if sub == '/images/v1': return pick({'POST': 'upload'})
        if sub == '/images/v2': return pick({'GET': 'list'})
        if sub == '/images/v2/direct_upload' and not b: return pick({'POST': 'direct'})
        if not b:
            if sub == '/images/v1/variants': return pick({'POST': 'vcreate', 'GET': 'vlist'})
            if sub.startswith('/images/v1/variants/'): return pick({'GET': 'vget', 'PATCH': 'vpatch', 'DELETE': 'vdelete'}, unquote(sub[20:]))
            if sub == '/images/v1/config': return pick({'PATCH': 'config'})
            if sub == '/images/v1/batch_token': return pick({'GET': 'btoken'})
        if sub.startswith('/images/v1/'):
            raw = sub[11:]; i = unquote(raw)
            if on('image-path-percent-not-decoded'): i = raw
            if on('image-path-double-decoded'): i = unquote(i)
            if on('image-path-plus-as-space'): i = unquote(raw.replace('+', ' '))
            return pick({'DELETE': 'delete'} if b else {'GET': 'get', 'DELETE': 'delete'}, i)
        raise Err(404, 'no such route')
    async def api(s, req):
        if req.kind == 'batch': sub, aid = req.path, None
        else:
            m = re.fullmatch(re.escape(BASE) + r'/accounts/([^/]+)(/.*)?', req.path)
            if not m: s.auth(req, None); raise Err(404, 'no such route')
            aid, sub = m[1], m[2] or ''
        err = None
        try: arg = s.route(req, sub)
        except Err as e: err = e
        try: a = s.auth(req, aid)
        except Err as e:
            a = s.accounts.get(aid) if aid else s.a1
            if not err and a:
                if e.status == 401 and req.op == 'upload' and on('auth-401-upload-still-stores'): await s.run(req, a, arg)
                if e.status == 401 and req.op == 'delete' and on('auth-401-delete-still-deletes'): await s.run(req, a, arg)
                if e.status == 403 and req.op == 'delete' and on('auth-403-delete-still-deletes'): await s.run(req, a, arg)
                if e.status == 403 and req.op == 'vcreate' and on('auth-403-variant-still-created'): await s.run(req, a, arg)
                if e.status == 403 and req.op == 'vpatch' and on('auth-403-variant-still-updated'): await s.run(req, a, arg)
            raise
        if err: raise err
        return await s.run(req, a, arg)
    def auth(s, req, aid):
        op, b = req.op, req.kind == 'batch'
        acct = s.accounts.get(aid) if aid else s.a1
        if on('http-header-name-case-sensitive') and 'Authorization' not in req.names: req.headers.pop('authorization', None)
        h = req.headers.get('authorization')
        if not h:
            if acct and ((not b and on('auth-missing-accepted-on-' + {'list': 'list', 'get': 'details', 'delete': 'delete', 'vlist': 'variants', 'vget': 'variants', 'config': 'config', 'direct': 'direct-upload'}.get(op, 'none'))) or (b and op in ('list', 'delete', 'upload') and on('batch-missing-token-accepted-on-' + op))): return acct
            if on('auth-missing-is-400'): raise Err(400, 'no authorization')
            raise Err(401, 'missing API token')
        sch, _, tok = h.partition(' '); tok = tok.strip()
        if not (sch == 'Bearer' if on('http-auth-scheme-case-sensitive') else sch.lower() == 'bearer') and not on('auth-any-scheme-accepted'): raise Err(401, 'bearer token required')
        tab = s.batch if b else s.tokens; ent = tab.get(tok)
        if not ent:
            if on('auth-token-case-insensitive'): ent = next((v for k, v in tab.items() if k.lower() == tok.lower()), None)
            if on('auth-token-prefix-suffices') and len(tok) >= 8: ent = next((v for k, v in tab.items() if k.startswith(tok)), None)
            if on('auth-token-suffix-ignored'): ent = next((v for k, v in tab.items() if tok.startswith(k)), None)
            if b and on('batch-accepts-api-token') and tok in s.tokens: ent = (s.tokens[tok][0], 0)
            if b and on('batch-accepts-any-token'): ent = (s.a1, 0)
            if not b and on('api-accepts-batch-token') and tok in s.batch: ent = (s.batch[tok][0], True)
        if not ent: raise Err(403 if on('auth-invalid-is-403') else 401, 'invalid API token')
        a = ent[0]
        if b: return a
        if not ent[1] and not on('auth-limited-accepted-on-' + {'list': 'list', 'get': 'details', 'upload': 'upload', 'delete': 'delete', 'direct': 'direct-upload', 'vcreate': 'variant-create', 'vpatch': 'variant-update', 'vdelete': 'variant-delete', 'config': 'config'}.get(op, 'none')):
            raise Err(401 if on('auth-limited-is-401') else 403, 'insufficient permissions')
        if a is not acct:
            if acct and on('auth-foreign-token-accepted-on-' + {'list': 'list', 'get': 'details', 'delete': 'delete', 'upload': 'upload', 'vlist': 'variants', 'config': 'config', 'vpatch': 'variant-update'}.get(op, 'none')): return acct
            if on('wrong-account-404') or (acct is None and on('unknown-account-404')): raise Err(404, 'account not found')
            raise Err(403, 'the token has no permission for this account')
        return acct
    async def run(s, req, a, arg):
        return await getattr(s, 'op_' + req.op)(req, a, arg)
    # ---------- JSON bodies
    def jbody(s, req, empty_ok=False):
        ct = req.headers.get('content-type', '').split(';')[0].strip().lower()
        if on('json-media-type-required') and ct != 'application/json' and req.body: raise bad('Content-Type must be application/json')
        if ct.startswith('multipart/') and req.op == 'direct' and on('direct-accepts-multipart'):
            o = {n: d.decode() for n, f, c, d in multipart(req)}
            if 'requireSignedURLs' in o: o['requireSignedURLs'] = o['requireSignedURLs'] == 'true'
            if 'metadata' in o: o['metadata'] = loads(o['metadata'])
            return o
        if not req.body.strip() and empty_ok and not on('direct-empty-body-refused'): return {}
        try: o = loads(req.body.decode('utf-8'))
        except (ValueError, RecursionError): raise bad('the body is not valid JSON')
        if not isinstance(o, dict): raise bad('the body must be a JSON object')
        return o
    def known(s, o, names):
        if on('unknown-json-members-refused'):
            for k in o:
                if k not in names: raise bad('unknown member ' + k)
    # ---------- images
    def live(s, a, i, op='get'):
        if op == 'get' and on('get-case-insensitive-id'): i = next((k for k in a.images if k.lower() == i.lower()), i)
        if op == 'get' and on('get-prefix-matches') and i not in a.images: i = next((k for k in a.images if i and k.startswith(i)), i)
        if '/' in i and op == 'get' and on('get-slash-id-404'): raise Err(404, 'image not found')
        if '/' in i and op == 'delete' and on('delete-slash-id-404'): raise Err(404, 'image not found')
        if not i.isascii() and op == 'get' and on('get-unicode-id-404'): raise Err(404, 'image not found')
        if '.' in i and op == 'get' and on('get-dot-id-cut'): i = i.rsplit('.', 1)[0]
        m = a.images.get(i)
        if m is None and op == 'get' and on('get-finds-other-account'): m = next((x.images[i] for x in s.accounts.values() if i in x.images), None)
        if m is None and op == 'get' and on('get-deleted-still-answers'): m = a.deleted.get(i)
        if m and m.draft and m.expires < time.time() and not on('expired-draft-still-shown'): a.images.pop(m.id, None); m = None
        if m is None: raise Err(404, 'image not found')
        return m
    def newid(s):
        if on('id-hex32'): return secrets.token_hex(16)
        if on('id-short-base62'): return ''.join(random.choice('0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz') for _ in range(11))
        if on('id-uuid-uppercase'): return str(uuid.uuid4()).upper()
        if on('id-prefixed'): return 'img_' + secrets.token_hex(10)
        if on('id-long'): return secrets.token_hex(64)
        if on('id-with-tilde-and-dot'): return 'v1.%s~%s' % (secrets.token_hex(5), secrets.token_hex(5))
        if on('id-time-ordered'): return '%013x-%s' % (int(time.time()*1000), secrets.token_hex(6))
        return str(uuid.uuid4())
    def check_id(s, a, i, op):
        if not isinstance(i, str): raise bad('id must be a string')
        if i == '' or len(i) > 1024: raise bad('id must have 1 to 1024 characters')
        if i in ('variants', 'config', 'batch_token') or i.startswith(('variants/', '/')) or i.endswith('/') or any(ord(c) < 32 for c in i) or any(x in ('.', '..') for x in i.split('/')): raise bad('id not allowed')
        if on('custom-id-uuid-refused') and re.fullmatch(r'[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', i): raise bad('a custom id must not be a UUID')
        if on('deleted-id-not-reusable') and (a.id, i) in s.deleted_ids: raise bad('id was used before')
        if on('custom-id-unique-across-accounts-refused'):
            for x in s.accounts.values():
                if x is not a and i in x.images: raise bad('id already in use')
        m = a.images.get(i)
        if m and m.draft and m.expires < time.time(): a.images.pop(i); m = None
        if m: raise Err(409, 'id already in use', 5409) if on('duplicate-id-409') else bad('id already in use')
    def alter_id(s, i, door, src):
        if i is None: return i
        if on('upload-id-ignored'): return None if door == 'api' and src == 'file' else i
        if on('upload-id-ignored-on-url') and src == 'url': return None
        if on('upload-id-ignored-on-batch') and door == 'batch': return None
        if on('upload-id-ignored-when-private') : pass
        if on('upload-id-lowercased'): i = i.lower()
        if on('upload-id-truncated-at-64'): i = i[:64]
        if on('upload-id-directory-dropped'): i = i.rsplit('/', 1)[-1]
        if on('upload-id-percent-decoded'): i = unquote(i)
        if on('upload-id-plus-to-space'): i = i.replace('+', ' ')
        if on('upload-id-non-ascii-dropped'): i = ''.join(c for c in i if ord(c) < 128) or None
        if on('upload-id-extension-dropped'): i = re.sub(r'\.(png|jpe?g|gif|webp)$', '', i)
        if on('upload-id-spaces-to-dashes'): i = i.replace(' ', '-')
        return i
    def check_meta(s, md, nbytes, text, door, src):
        if not isinstance(md, dict):
            if isinstance(md, list) and on('metadata-array-accepted'): return md
            if isinstance(md, str) and on('metadata-string-accepted'): return md
            raise bad('metadata must be a JSON object')
        n, lim = nbytes, 1024
        if on('metadata-limit-counts-characters'): n = len(text)
        if on('metadata-limit-1000'): lim = 1000
        if on('metadata-limit-exclusive'): lim = 1023
        if on('metadata-limit-plus-one'): lim = 1025
        if on('metadata-limit-2048'): lim = 2048
        if (door == 'batch' and on('metadata-unlimited-on-batch')) or (door == 'direct' and on('metadata-unlimited-on-direct-upload')) or (src == 'url' and on('metadata-unlimited-on-url')): lim = 1 << 30
        if n > lim:
            if on('metadata-oversize-silently-dropped'): return {}
            raise bad('metadata must have at most 1024 bytes')
        def walk(v, f):
            v = f(v)
            if isinstance(v, dict): return {k: walk(x, f) for k, x in v.items()}
            return [walk(x, f) for x in v] if isinstance(v, list) else v
        if on('metadata-nested-stringified'): md = {k: json.dumps(v) if isinstance(v, (dict, list)) else v for k, v in md.items()}
        if on('metadata-numbers-to-strings'): md = walk(md, lambda v: str(v) if type(v) in (int, float) else v)
        if on('metadata-nulls-dropped'): md = walk(md, lambda v: {k: x for k, x in v.items() if x is not None} if isinstance(v, dict) else v)
        if on('metadata-empty-strings-dropped'): md = walk(md, lambda v: {k: x for k, x in v.items() if x != ''} if isinstance(v, dict) else v)
        if on('metadata-keys-lowercased'): md = walk(md, lambda v: {k.lower(): x for k, x in v.items()} if isinstance(v, dict) else v)
        if on('metadata-big-integers-lose-precision'): md = walk(md, lambda v: int(float(v)) if type(v) is int and abs(v) > 2**50 else v)
        if on('metadata-astral-characters-lost'): md = walk(md, lambda v: re.sub('[^\0-\uffff]', '?', v) if isinstance(v, str) else v)
        if on('metadata-strings-trimmed'): md = walk(md, lambda v: v.strip() if isinstance(v, str) else v)
        if on('metadata-html-escaped'): md = walk(md, lambda v: v.replace('<', '&lt;').replace('&', '&amp;') if isinstance(v, str) else v)
        if on('metadata-booleans-to-integers'): md = walk(md, lambda v: int(v) if isinstance(v, bool) else v)
        if on('metadata-arrays-emptied-of-objects'): md = walk(md, lambda v: [x for x in v if not isinstance(x, dict)] if isinstance(v, list) else v)
        if on('metadata-dotted-keys-expanded'): md = {k.split('.')[0]: ({k.split('.', 1)[1]: v} if '.' in k else v) for k, v in md.items()}
        return md
    def make(s, a, i, **kw):
        m = Image(); s.seq += 1
        m.id, m.acct, m.filename, m.data, m.type, m.signed, m.meta, m.draft, m.expires = i, a, '', b'', '', False, None, False, 0
        m.uploaded = time.time(); m.seq = s.seq; m.visible = 0; m.door = 'api'; m.src = 'file'; m.vsnap = list(a.variants); m.w = m.h = 0
        m.__dict__.update(kw)
        return m
    def put(s, a, m):
        if on('reupload-keeps-old-metadata') and m.id in a.deleted: m.meta = a.deleted[m.id].meta
        if on('reupload-keeps-old-timestamp') and m.id in a.deleted: m.uploaded = a.deleted[m.id].uploaded
        if on('reupload-keeps-old-privacy') and m.id in a.deleted: m.signed = a.deleted[m.id].signed
        a.images[m.id] = m
        if not on('list-stale-after-delete'): pass
        s.last_img = m if not m.draft else s.last_img
    def inspect(s, data, door, src):
        """type check; raises"""
        lim = MAXF
        if on('size-limit-exclusive'): lim -= 1
        if on('size-limit-64-more'): lim += 64
        if (src == 'url' and on('size-unchecked-on-url')) or (door == 'upload' and on('size-unchecked-on-direct-upload')) or (door == 'batch' and on('size-unchecked-on-batch')): lim = 1 << 40
        if len(data) > lim: raise Err(400 if on('size-answers-400') else 413, 'file too large')
        t = codec.sniff(data)
        if t == 'image/svg+xml' and not on('svg-accepted'): t = None
        if t == 'image/webp' and on('webp-refused'): t = None
        if not t: raise Err(415 if on('not-an-image-415') else 400, 'the file is not a supported image')
        if t == 'image/png' and not on('png-checked-late'):
            try: codec.validate(data)
            except Exception: raise Err(415 if on('not-an-image-415') else 400, 'the PNG file is damaged')
        return t
    def variants_of(s, a, m, ctx):
        names = list(a.variants)
        if on('image-variants-frozen-at-upload'): names = m.vsnap
        if on('image-variants-keep-deleted'): names = m.vsnap + [n for n in names if n not in m.vsnap]; m.vsnap = names
        if on('image-variants-only-first'): names = names[:1]
        if on('image-variants-only-public-in-list') and ctx == 'list': names = names[:1]
        if on('image-variants-reversed'): names = names[::-1]
        if on('image-variants-skip-never-signed'): names = [n for n in names if not a.variants.get(n, {}).get('never')]
        i = quote(m.id, safe='/~')
        if on('image-variants-escape-slash'): i = quote(m.id, safe='~')
        if on('image-variants-unescaped'): i = m.id
        h = a.hash
        if on('image-variants-account-id-for-hash'): h = a.id
        if on('image-variants-hash-of-other-account') and ctx == 'list': h = (s.a2 if a is s.a1 else s.a1).hash
        if on('image-variants-of-previous-image') and ctx == 'list':
            k = [x for x in a.images.values() if not x.draft]; i = quote(k[max(0, k.index(m)-1)].id, safe='/~') if m in k else i
        b = s.dbase()
        if on('image-variants-relative'): b = ''
        if on('image-variants-id-and-name-swapped'): return ['%s/%s/%s/%s' % (b, h, quote(n, safe='~'), i) for n in names]
        return ['%s/%s/%s/%s' % (b, h, i, quote(n, safe='~')) for n in names]
    def img(s, a, m, ctx, door='api'):
        o = dict(id=m.id, filename=m.filename, uploaded=iso(m.uploaded), requireSignedURLs=m.signed, variants=s.variants_of(a, m, ctx))
        if ctx == 'upload' and on('uploaded-missing-on-upload'): del o['uploaded']
        if on('uploaded-epoch-in-details') and ctx == 'get': o['uploaded'] = int(m.uploaded)
        if on('uploaded-http-date-in-list') and ctx == 'list': o['uploaded'] = email.utils.formatdate(m.uploaded, usegmt=True)
        if on('uploaded-is-time-of-reading') and ctx == 'get': o['uploaded'] = iso(time.time())
        if on('uploaded-shifted-in-list') and ctx == 'list': o['uploaded'] = iso(m.uploaded + 7200)
        if on('uploaded-epoch-on-batch') and door == 'batch': o['uploaded'] = int(m.uploaded*1000)
        if on('filename-lowercased-in-list') and ctx == 'list': o['filename'] = m.filename.lower()
        if on('filename-missing-in-list') and ctx == 'list': del o['filename']
        if on('filename-null-in-details') and ctx == 'get': o['filename'] = None
        if on('filename-truncated-at-32'): o['filename'] = m.filename[:32]
        if on('filename-missing-on-batch') and door == 'batch': del o['filename']
        if on('filename-non-ascii-dropped'): o['filename'] = ''.join(c for c in m.filename if ord(c) < 128)
        if on('signed-false-in-list') and ctx == 'list': o['requireSignedURLs'] = False
        if on('signed-string-on-upload') and ctx == 'upload': o['requireSignedURLs'] = str(m.signed).lower()
        if on('signed-integer-in-list') and ctx == 'list': o['requireSignedURLs'] = int(m.signed)
        if on('signed-missing-when-false') and not m.signed: del o['requireSignedURLs']
        if on('signed-inverted-in-details') and ctx == 'get' : o['requireSignedURLs'] = not m.signed
        if on('image-variants-missing-in-list') and ctx == 'list': del o['variants']
        if on('image-variants-map-in-details') and ctx == 'get': o['variants'] = {u.rsplit('/', 1)[-1]: u for u in o['variants']}
        if on('image-variants-string-when-one') and len(o['variants']) == 1: o['variants'] = o['variants'][0]
        if on('id-percent-encoded-in-list') and ctx == 'list': o['id'] = quote(m.id, safe='')
        if ctx == 'get' or on('draft-in-every-image'):
            o['draft'] = m.draft
            if on('draft-omitted-when-false') and not m.draft: del o['draft']
            if on('draft-string'): o['draft'] = 'true' if m.draft else 'false'
            if on('draft-always-false'): o['draft'] = False
            if on('draft-true-for-url-images') and m.src == 'url': o['draft'] = True
            if on('draft-true-for-private-images') and m.signed: o['draft'] = True
        md = m.meta
        if on('metadata-of-previous-upload') and md is None and ctx == 'get': md = s.last_meta
        if (md is not None and not (ctx in ('upload', 'list') and on('metadata-only-in-details')) and not (ctx == 'get' and not m.draft and m.door == 'upload' and on('metadata-lost-at-completion'))) or on('metadata-always-present'):
            v = md if md is not None else {}
            if on('metadata-as-text-in-details') and ctx == 'get': v = json.dumps(v)
            if on('metadata-other-images-in-list') and ctx == 'list': v = s.last_meta
            if not (on('metadata-missing-in-details') and ctx == 'get'): o['metadata'] = v
            if on('metadata-also-as-meta'): o['meta'] = v
        if on('image-extra-members'): o.update(size=len(m.data), contentType=m.type, creator=None)
        if m.draft:
            if on('draft-without-filename'): o.pop('filename', None)
            if on('draft-without-variants'): o['variants'] = []
        return o
    async def op_upload(s, req, a, arg, door=None, ticket=None):
        door = door or req.kind
        parts = multipart(req); f, fl = {}, []
        for n, fn, ct, d in parts:
            if on('multipart-fields-after-file-ignored') and fl and n != 'file': continue
            if n == 'file' or (n == 'image' and door == 'api' and on('upload-file-part-any-name')) or (door == 'upload' and fn is not None and on('direct-upload-file-part-any-name')): fl.append((fn, ct, d))
            elif n in ('id', 'url', 'requireSignedURLs', 'metadata'):
                try: f.setdefault(n, d.decode('utf-8'))
                except UnicodeDecodeError: raise bad(n + ' is not UTF-8')
        if ticket: return s.accept_ticket(req, a, fl, ticket)
        url = f.get('url'); src = 'url' if not fl else 'file'
        if fl and url is not None:
            if on('upload-file-and-url-stored-though-refused'): s.put(a, s.make(a, s.newid(), filename=fl[0][0] or '', data=fl[0][2], type=codec.sniff(fl[0][2]) or 'image/png'))
            if not (on('upload-file-and-url-accepted') or (door == 'batch' and on('batch-file-and-url-accepted'))): raise bad('file and url must not both be sent')
        if not fl and url is None:
            if on('upload-without-file-accepted'): fl = [('', '', b'GIF89a\1\0\1\0\0\0\0;')]; src = 'file'
            else: raise bad('file or url is required')
        if len(fl) > 1: raise bad('more than one file')
        sg = f.get('requireSignedURLs'); signed = False
        if sg is not None:
            v = sg.strip().lower()
            if v in ('true', '1') if on('signed-accepts-one-and-zero') else v == 'true': signed = True
            elif v in ('false', '0') if on('signed-accepts-one-and-zero') else v == 'false': signed = on('signed-false-read-as-true')
            elif not on('signed-garbage-accepted'): raise bad('requireSignedURLs must be true or false')
        if (src == 'url' and on('signed-ignored-on-url')) or (door == 'batch' and on('signed-ignored-on-batch')): signed = False
        md = None
        if 'metadata' in f:
            t = f['metadata']
            try: md = loads(t)
            except (ValueError, RecursionError):
                if not on('metadata-invalid-json-ignored'): raise bad('metadata is not valid JSON')
                md = {}
            n = len(json.dumps(md, ensure_ascii=False, separators=(',', ':')).encode()) if on('metadata-size-of-compact-form') else len(t.encode())
            try: md = s.check_meta(md, n, t, door, src)
            except Err as e:
                if on('metadata-refused-but-stored') and fl: s.put(a, s.make(a, s.newid(), filename=fl[0][0] or '', data=fl[0][2], type=codec.sniff(fl[0][2]) or 'image/png'))
                raise
            if src == 'url' and on('metadata-lost-on-url'): md = None
            if door == 'batch' and on('metadata-lost-on-batch'): md = None
            if signed and on('metadata-lost-when-private'): md = None
        i = f.get('id')
        if i == '' and on('empty-id-generates'): i = None
        if i is not None:
            if len(i) > 255 and on('custom-id-max-255'): raise bad('id too long')
            i2 = i; i = s.alter_id(i, door, src)
            if signed and on('custom-id-with-private-refused'): raise bad('a custom id cannot be combined with requireSignedURLs')
            if i is not None:
                try: s.check_id(a, i, req.op)
                except Err:
                    m = a.images.get(i)
                    if m and fl and on('duplicate-refused-but-replaced'): m.data = fl[0][2]; m.type = codec.sniff(m.data) or m.type; s.cache.clear()
                    if m and on('duplicate-refused-but-metadata-changed') and md is not None: m.meta = md
                    raise
        visible = 0
        if fl:
            fn, ct, data = fl[0]
            if on('part-media-type-required') and (ct or '').split(';')[0].strip() not in CTYPES: raise Err(415, 'Content-Type of the part must be an image type')
            if on('bytes-line-feeds-normalised'): data = data.replace(b'\r\n', b'\n')
            if on('bytes-cut-at-crlf-dashes'): data = data.split(b'\r\n--')[0]
            if on('bytes-trailing-whitespace-trimmed'): data = data.rstrip(b'\r\n \t')
            if door == 'batch' and on('bytes-damaged-on-batch') and len(data) > 4096: data = data[:-2] + b'\0' + data[-1:]
            if on('upload-concurrent-mixup'):
                s.shared = data; await asyncio.sleep(.08); data = s.shared
            try: t = s.inspect(data, door, src) if not (on('bytes-line-feeds-normalised') or on('bytes-cut-at-crlf-dashes')) else codec.sniff(fl[0][2])
            except Err as e:
                if e.status == 413 and on('size-refused-but-stored'): s.put(a, s.make(a, i or s.newid(), filename=fn or '', data=data, type='image/png'))
                raise
            fn = fn or ''
            if on('filename-basename-only'): fn = re.split(r'[\\/]', fn)[-1]
        else:
            if i is not None and on('url-failure-leaves-record'): s.put(a, s.make(a, i, filename='', data=b'', type='image/png', src='url'))
            data, fn = await s.fetch(url)
            if on('url-truncated-at-64k'): data = data[:65536]
            t = s.inspect(data, door, src) if not on('url-truncated-at-64k') else codec.sniff(data) or 'image/png'
            if on('url-filename-empty'): fn = ''
            if i is not None and not on('url-failure-leaves-record'):
                s.check_id(a, i, req.op)
            if on('url-image-delivered-later'): visible = time.time() + .8
        if on('upload-delivered-later'): visible = time.time() + .5
        m = s.make(a, i or s.newid(), filename=fn, data=data, type=t, signed=signed, meta=md, door=door, src=src, visible=visible)
        s.put(a, m)
        if md is not None: s.last_meta = md
        if on('upload-response-delayed'): await asyncio.sleep(.6)
        o = s.img(a, m, 'upload', door)
        if on('upload-response-echoes-requested-id') and f.get('id'): o['id'] = f['id']
        if on('upload-response-private-shown-public'): o['requireSignedURLs'] = False
        H = [('Location', '%s/accounts/%s/images/v1/%s' % (BASE, a.id, quote(m.id, safe='')))] if on('location-header-on-upload') else []
        return s.ok(o, req.kind, 'upload', H)
    async def fetch(s, url):
        u = urlsplit(url.strip())
        if u.scheme.lower() not in ('http', 'https') or not u.hostname:
            if u.scheme.lower() in ('ftp', 'file', 'data', 'gopher', 'ws') or (u.scheme and u.hostname):
                if on('url-unsupported-protocol-accepted'): return b'GIF89a\1\0\1\0\0\0\0;', 'x.gif'
                raise Err(500, 'unsupported protocol', 5454) if on('url-unsupported-protocol-is-500') else bad('unsupported protocol', 5400 if on('url-unsupported-protocol-code-5400') else 5408 if on('url-unsupported-protocol-code-5408') else 5454)
            raise bad('url is not valid')
        key = url
        if on('url-query-dropped'): url = url.split('?')[0]
        if on('url-percent-decoded'): url = unquote(url).replace(' ', '%20')
        if on('url-lowercased'): url = url.lower()
        if on('url-first-fetch-cached') and key in s.urlcache: return s.urlcache[key]
        def get(url, hops=0):
            u = urlsplit(url)
            if u.scheme not in ('http', 'https') or hops > 5: raise bad('url redirects to an unsupported address')
            C = http.client.HTTPSConnection if u.scheme == 'https' else http.client.HTTPConnection
            c = C(u.hostname, u.port, timeout=8)
            try:
                c.request('GET', (quote(u.path, safe="/%:@!$&'()*+,;=~-._") or '/') + ('?' + u.query if u.query else ''), headers={'User-Agent': 'imghost', 'Accept': 'image/*,*/*'})
                r = c.getresponse()
                if r.status in (301, 302, 303, 307, 308):
                    loc = r.getheader('Location')
                    if not loc or on('url-redirect-refused'): raise bad('url could not be fetched')
                    return get(urljoin(url, loc), hops+1)
                if r.status != 200 and not on('url-error-page-ingested'): raise bad('url could not be fetched: status %d' % r.status)
                d = r.read((20 << 20) + 1)
                return d
            finally: c.close()
        try: d = await asyncio.get_running_loop().run_in_executor(None, get, url)
        except TimeoutError: raise bad('upload timeout fetching url', 5408)
        except Err: raise
        except Exception: raise bad('url could not be fetched')
        fn = unquote(urlsplit(key).path.rsplit('/', 1)[-1])
        s.urlcache[key] = (d, fn)
        return d, fn
    async def op_direct(s, req, a, arg):
        o = s.jbody(req, True); s.known(o, ('requireSignedURLs', 'metadata', 'expiry', 'id'))
        sg = o.get('requireSignedURLs', False)
        if sg is None and on('null-members-as-absent'): sg = False
        if not isinstance(sg, bool):
            if on('direct-signed-string-accepted') and isinstance(sg, str): sg = bool(sg)
            else: raise bad('requireSignedURLs must be a boolean')
        md = o.get('metadata'); ex = o.get('expiry'); i = o.get('id')
        if not on('null-members-as-absent'):
            for k in ('metadata', 'expiry', 'id'):
                if k in o and o[k] is None: raise bad(k + ' must not be null')
        if md is not None:
            t = json.dumps(md, ensure_ascii=False, separators=(',', ':'))
            md = s.check_meta(md, len(t.encode('utf-8', 'replace')), t, 'direct', 'file')
        now = time.time(); exp = now + (1.0 if on('direct-default-expiry-one-second') else 1800)
        if ex is not None and not (on('direct-garbage-expiry-accepted') and not re.match(r'\d{4}-', str(ex))):
            exp = parse_iso(ex)
            if exp <= now and not on('direct-past-expiry-accepted'): raise bad('expiry lies in the past')
            if exp < now + 118 and on('direct-minimum-expiry-two-minutes'): raise bad('expiry must be at least 2 minutes ahead')
            lim = 6*3600 + 5
            if on('direct-expiry-limit-five-hours'): lim = 5*3600
            if on('direct-expiry-limit-thirty-minutes'): lim = 1805
            if on('direct-expiry-limit-seven-hours'): lim = 7*3600
            if exp > now + lim and not on('direct-expiry-unlimited'): raise bad('expiry must be at most 6 hours ahead')
        if i is not None:
            if sg and not on('direct-id-with-private-accepted'):
                if on('direct-refused-but-draft-created'): a.images[i] = s.make(a, i, signed=True, meta=md, draft=True, expires=exp)
                raise bad('id cannot be combined with requireSignedURLs true')
            if on('direct-id-with-false-signed-refused') and 'requireSignedURLs' in o: raise bad('id cannot be combined with requireSignedURLs')
            s.check_id(a, i, req.op)
            if on('direct-id-ignored'): i = None
            elif on('direct-id-slash-replaced'): i = i.replace('/', '-')
        m = s.make(a, i or s.newid(), signed=False if on('direct-signed-ignored') else sg, meta=None if on('direct-metadata-ignored') else md, draft=True, expires=exp, src='file')
        if not on('draft-not-readable'): a.images[m.id] = m
        if md is not None: s.last_meta = md
        tok = secrets.token_urlsafe(60 if on('upload-url-long') else 18)
        s.tickets[tok] = dict(a=a, m=m, exp=exp, used=False)
        ub = 'http://127.0.0.1:%d/' % s.ports['upload']
        u = ub + ('u?t=' + tok if on('upload-url-query-token') else a.hash + '/' + tok)
        if on('upload-url-relative'): u = urlsplit(u).path
        if on('upload-url-on-api-host'): u = u.replace(':%d/' % s.ports['upload'], ':%d/' % s.ports['api'])
        r = dict(id=m.id, uploadURL=u)
        if on('direct-ticket-id-differs'): r['id'] = s.newid()
        if on('direct-upload-url-lower-key'): r['uploadUrl'] = r.pop('uploadURL')
        if on('ticket-extra-members'): r['expiry'] = iso(exp)
        return s.ok(r, req.kind, 'direct')
    async def upload_host(s, req):
        tok = req.query.get('t') if on('upload-url-query-token') else req.path.rsplit('/', 1)[-1]
        t = s.tickets.get(tok); req.op = 'complete'
        if req.method != 'POST' or not t:
            if t and req.method in ('GET', 'HEAD') and on('direct-get-burns-ticket'): t['used'] = True
            if t: raise Err(405, 'method not allowed', 5400, [('Allow', 'POST')])
            raise Err(404, 'unknown upload URL')
        if on('direct-upload-demands-token') and 'authorization' not in req.headers: raise Err(401, 'missing API token')
        if t['exp'] < time.time() and not on('direct-expiry-ignored'):
            if on('direct-expired-refused-but-stored'): await s.op_upload(req, t['a'], None, 'upload', t)
            raise Err(410 if on('expired-ticket-410') else 403 if on('expired-ticket-403') else 404 if on('expired-ticket-404') else 400, 'the upload URL has expired')
        if t['used'] and not on('direct-url-reusable'):
            if on('direct-reuse-refused-but-replaced'):
                fl = [p for p in multipart(req) if p[0] == 'file']
                if fl: t['m'].data = fl[0][3]; t['m'].type = codec.sniff(fl[0][3]) or t['m'].type; s.cache.clear()
            raise Err(404 if on('used-ticket-404') else 410 if on('used-ticket-410') else 409 if on('used-ticket-409') else 400, 'the upload URL has been used')
        if t['used']: t['m'].draft = True
        if on('direct-concurrent-double-use'): await asyncio.sleep(.15)
        if on('direct-tickets-mixed-up'):
            t2 = [x for x in s.tickets.values() if x['a'] is t['a'] and not x['used']]
            if t2: t2[-1]['a'], t = t2[-1]['a'], t2[-1]
        try: return await s.op_upload(req, t['a'], None, 'upload', t)
        except Err:
            if on('failed-upload-uses-ticket'): t['used'] = True
            if on('direct-failed-upload-completes-draft'): t['m'].draft = False; t['m'].type = 'image/png'
            raise
    def accept_ticket(s, req, a, fl, t):
        if not fl: raise bad('the form needs a part named file')
        fn, ct, data = fl[0]
        ty = s.inspect(data, 'upload', 'file'); m = t['m']
        if a.images.get(m.id) is not m and not on('draft-not-readable') and not (on('direct-expired-refused-but-stored') and t['exp'] < time.time()): raise Err(404, 'the ticket has been deleted')
        if on('direct-image-in-other-account'): a = s.a2 if a is s.a1 else s.a1; m.acct = a
        if on('direct-completed-under-new-id'): a.images.pop(m.id, None); m.id = s.newid()
        a.images.pop(m.id, None); t['used'] = True
        m.filename, m.data, m.type, m.door = fn or '', data, ty, 'upload'
        if on('filename-lost-on-direct-upload'): m.filename = ''
        if not on('direct-draft-stays-true'): m.draft = False
        if on('direct-private-forgotten-at-completion'): m.signed = False
        if not on('uploaded-of-ticket'): m.uploaded = time.time()
        if on('upload-delivered-later'): m.visible = time.time() + .5
        s.put(a, m); s.cache.clear()
        if on('direct-answers-empty-result'): return s.ok({}, 'upload', 'complete')
        return s.ok(s.img(a, m, 'upload', 'upload'), 'upload', 'complete')
    async def op_list(s, req, a, arg):
        b = req.kind == 'batch'
        def num(k, dflt, mx):
            v = req.query.get(k)
            if v is None or (v == '' and on('empty-query-values-default')): return dflt
            if not re.fullmatch(r'[+-]?\d{1,18}', v):
                if on('list-garbage-numbers-default'): return dflt
                raise bad(k + ' must be an integer')
            n = int(v)
            if n < 1:
                if on('list-numbers-below-one-default'): return dflt
                raise bad(k + ' must be positive')
            if mx and n > mx and not (on('list-per-page-over-100-accepted') or (b and on('batch-per-page-over-100-accepted'))):
                if on('list-per-page-clamped'): return mx
                raise bad(k + ' must be at most %d' % mx)
            return n
        page = num('page', 1, 0); pp = num('per_page', 50 if on('list-default-per-page-50') else 99 if on('list-default-per-page-99') else 20 if b and on('batch-default-per-page-20') else 100, 99 if on('list-per-page-100-refused') else 100)
        if b and on('batch-list-ignores-page'): page = 1
        if b and on('batch-list-ignores-per-page'): pp = 100
        now = time.time()
        ims = [m for m in a.images.values() if (not m.draft or on('list-includes-drafts')) and not (on('list-eventual') and now - m.uploaded < .5)]
        if on('list-newest-first'): ims.sort(key=lambda m: -m.seq)
        if on('list-sorted-by-id'): ims.sort(key=lambda m: m.id)
        if on('list-omits-private'): ims = [m for m in ims if not m.signed]
        if on('list-omits-ids-with-slash'): ims = [m for m in ims if '/' not in m.id]
        if on('list-omits-url-images'): ims = [m for m in ims if m.src != 'url']
        if on('list-omits-direct-uploads'): ims = [m for m in ims if m.door != 'upload']
        if on('list-omits-batch-uploads') and not b: ims = [m for m in ims if m.door != 'batch']
        if on('batch-list-omits-api-uploads') and b: ims = [m for m in ims if m.door == 'batch']
        if on('batch-list-other-account') and b: ims = ims + [m for m in s.a2.images.values() if not m.draft]
        if on('list-includes-other-account'): ims = ims + [m for x in s.accounts.values() if x is not a for m in x.images.values() if not m.draft]
        if on('list-includes-deleted'): ims = ims + [m for k, m in a.deleted.items() if k not in a.images]
        if on('list-omits-oldest-after-delete') and a.deleted: ims = ims[1:]
        if on('list-order-unstable'): random.shuffle(ims)
        p0 = page - 1
        if on('list-page-zero-based'): p0 = page
        lo = p0*pp
        if on('list-page-overlaps-by-one') and page > 1: lo -= 1
        if on('list-page-skips-one') and page > 1: lo += 1
        if on('list-third-page-repeats-second') and page == 3: lo -= pp
        if on('list-page-two-ignores-per-page') and page > 1: lo = p0*100; pp = 100
        hi = lo + pp
        if on('list-per-page-one-returns-two') and pp == 1: hi += 1
        if on('list-per-page-off-by-one-above-ten') and pp > 10: hi -= 1
        if on('list-last-partial-page-loses-one') and page > 1 and len(ims) < hi: ims = ims[:-1]
        if on('list-page-ignored-without-per-page') and 'per_page' not in req.query: lo, hi = 0, pp
        if on('list-huge-page-500') and page > 10**6: raise Err(500, 'internal error')
        pg = ims[lo:hi]
        if on('list-beyond-end-repeats-last') and not pg and ims: pg = ims[-pp:]
        if on('list-beyond-end-404') and not pg and page > 1: raise Err(404, 'no such page')
        if on('list-drops-same-filename'):
            seen = set(); pg = [m for m in pg if not (m.filename in seen or seen.add(m.filename))]
        out = [s.img(a, m, 'list', req.kind) for m in pg]
        key = (page, pp, b)
        if on('list-stale-two-seconds'):
            t, v = a.lcache.get(key, (0, None))
            if now - t < 2: out = v
            else: a.lcache[key] = (now, out)
        if on('list-stale-after-delete'):
            t, v = a.lcache.get(key, (-1, None))
            if t == s.seq: out = v
            else: a.lcache[key] = (s.seq, out)
        if on('list-images-null-when-empty') and not out: out = None
        r = dict(images=out)
        if on('list-continuation-token'): r['continuation_token'] = None
        if on('list-total-count'): r['total'] = len(ims)
        if on('list-result-bare-array'): r = out
        if b and on('batch-list-result-bare-array'): r = out
        return s.ok(r, req.kind, 'list')
    async def op_get(s, req, a, arg):
        try: m = s.live(a, arg)
        except Err:
            if on('get-unknown-answers-200-null'): return s.ok(None, req.kind, 'get')
            if on('get-unknown-is-400'): raise Err(400, 'image not found')
            if on('get-unknown-is-500'): raise Err(500, 'internal error')
            raise
        return s.ok(s.img(m.acct if on('get-finds-other-account') else a, m, 'get'), req.kind, 'get')
    async def op_delete(s, req, a, arg):
        if req.kind == 'batch' and on('batch-delete-crosses-accounts') and arg not in a.images and arg in s.a2.images: a = s.a2
        try: m = s.live(a, arg, 'delete')
        except Err:
            if on('delete-unknown-answers-200') or (arg in a.deleted and on('delete-second-answers-200')) or (req.kind == 'batch' and on('batch-delete-unknown-answers-200')): return s.ok({}, req.kind, 'delete')
            if on('delete-unknown-is-500'): raise Err(500, 'internal error')
            raise
        if not (on('delete-does-nothing') or (req.kind == 'batch' and on('batch-delete-does-nothing')) or (m.signed and on('delete-private-does-nothing')) or (m.draft and on('delete-draft-does-nothing')) or (m.src == 'url' and on('delete-url-image-does-nothing'))):
            a.images.pop(m.id, None); s.deleted_ids.add((a.id, m.id)); a.deleted[m.id] = m; m.deltime = time.time(); m.deldoor = req.kind
            if on('delete-also-deletes-prefixed'):
                for k in [k for k in a.images if k.startswith(m.id)]: a.images.pop(k)
            if on('delete-also-in-other-account'):
                for x in s.accounts.values(): x.images.pop(m.id, None)
            if on('delete-case-twin-too'):
                for k in [k for k in a.images if k.lower() == m.id.lower()]: a.images.pop(k)
            if on('delete-removes-newest') and a.images: a.images[m.id] = m; a.images.pop(max(a.images.values(), key=lambda x: x.seq).id)
        res = None if on('delete-result-null') else m.id if on('delete-result-id') else '' if on('delete-result-empty-string') else {'id': m.id, 'deleted': True} if on('delete-result-object') else {}
        return s.ok(res, req.kind, 'delete')
    # ---------- variants
    def vjson(s, v, op, opts=None):
        o = dict(id=v['id'], options=dict(opts or v['options']), neverRequireSignedURLs=v['never'])
        if on('variant-never-signed-omitted-when-false') and not v['never']: del o['neverRequireSignedURLs']
        if on('variant-extra-members'): o['created'] = iso(time.time())
        if on('variant-width-string') and 'width' in o['options']: o['options']['width'] = str(o['options']['width'])
        if on('variant-never-signed-false-in-list') and op == 'vlist': o['neverRequireSignedURLs'] = False
        if on('variant-never-signed-string') : o['neverRequireSignedURLs'] = str(v['never']).lower()
        if on('variant-metadata-missing-in-details') and op == 'vget': o['options'].pop('metadata', None)
        if on('variant-swapped-size-in-list') and op == 'vlist' : o['options']['width'], o['options']['height'] = o['options'].get('height'), o['options'].get('width')
        return o
    def vres(s, o): return {'variant': o} if on('variant-result-wrapped') else o
    def vopts(s, op, full, door='create'):
        if not isinstance(op, dict): raise bad('options must be an object')
        s.known(op, ('fit', 'width', 'height', 'metadata')); r = {}
        if on('variant-options-strict') and full:
            for k in ('fit', 'width', 'height', 'metadata'):
                if k not in op: raise bad('options.%s is required' % k)
        for k, al in (('fit', FITS), ('metadata', METAS)):
            if k in op:
                v = op[k]
                if not (isinstance(v, str) and (v in al or (on('variant-unknown-fit-accepted') and k == 'fit') or (on('variant-unknown-metadata-accepted') and k == 'metadata') or (not full and ((k == 'fit' and on('variant-update-fit-unchecked')) or (k == 'metadata' and on('variant-update-metadata-unchecked')))))): raise bad('options.%s must be one of %s' % (k, ', '.join(al)))
                if full and v == 'pad' and on('variant-fit-pad-refused'): raise bad('options.fit')
                if v == 'copyright' and on('variant-metadata-copyright-refused'): raise bad('options.metadata')
                r[k] = v
        for k in ('width', 'height'):
            if k in op:
                v = op[k]
                if isinstance(v, str) and v.isdigit() and on('variant-size-string-accepted'): v = int(v)
                if isinstance(v, float) and v.is_integer(): v = int(v)
                if isinstance(v, float) and on('variant-size-fraction-accepted'): v = int(v)
                if v == -1 and on('variant-negative-size-accepted'): v = 1
                if isinstance(v, bool) or not isinstance(v, int) or v < 1 or v > 100000: raise bad('options.%s must be a positive integer' % k)
                if v > 2000 and on('variant-size-max-2000'): raise bad('options.%s is too large' % k)
                r[k] = v
        if full: r = {'fit': r.get('fit', 'scale-down'), **{k: r[k] for k in ('width', 'height') if k in r}, 'metadata': r.get('metadata', 'none')}
        return r
    async def op_vcreate(s, req, a, arg):
        o = s.jbody(req); s.known(o, ('id', 'options', 'neverRequireSignedURLs'))
        i = o.get('id'); nv = o.get('neverRequireSignedURLs', False)
        if i is None and on('variant-without-id-accepted'): i = 'v' + secrets.token_hex(4)
        if not isinstance(i, str): raise bad('id is required')
        if not re.fullmatch(r'[A-Za-z0-9]{1,99}' if on('variant-id-alphanumeric-only') else r'[A-Za-z0-9_.~-]{1,99}', i) or i in ('.', '..'): raise bad('id not allowed')
        if not isinstance(nv, bool) and not on('variant-never-signed-text-accepted'): raise bad('neverRequireSignedURLs must be a boolean')
        nv = bool(nv)
        try: op = s.vopts(o.get('options'), True)
        except Err:
            if on('variant-refused-but-created'): a.variants[i] = dict(id=i, options=dict(fit='scale-down', width=100, height=100, metadata='none'), never=nv, hist=[])
            raise
        if on('variant-id-lowercased'): i = i.lower()
        if i in a.variants:
            if on('variant-duplicate-refused-but-changed'): a.variants[i]['options'] = op
            raise Err(409, 'variant already exists', 5409) if on('duplicate-variant-409') else bad('variant already exists')
        if len(a.variants) >= 100 and on('variant-count-limit-100'): raise bad('at most 100 variants')
        if on('variant-crop-stored-as-cover') and op['fit'] == 'crop': op['fit'] = 'cover'
        if on('variant-metadata-always-none'): op['metadata'] = 'none'
        if on('variant-never-signed-ignored'): nv = False
        if on('variant-size-swapped'): op['width'], op['height'] = op.get('height'), op.get('width')
        if on('variant-recreated-with-old-options') and i in a.oldvar: op = a.oldvar[i]['options']
        if on('variant-recreated-keeps-public-flag') and i in a.oldvar: nv = a.oldvar[i]['never']
        v = a.variants[i] = dict(id=i, options=op, never=nv, hist=[])
        if on('variant-shared-between-accounts'):
            for x in s.accounts.values(): x.variants[i] = v
        return s.ok(s.vres(s.vjson(v, 'vcreate')), req.kind, 'vcreate')
    async def op_vlist(s, req, a, arg):
        vs = [s.vjson(v, 'vlist', v['hist'][0] if v['hist'] and on('variant-list-shows-old-options') else None) for v in a.variants.values()]
        if on('variant-list-misses-newest') and len(vs) > 1: vs = vs[:-1]
        if on('variant-list-includes-deleted'): vs += [s.vjson(v, 'vlist') for k, v in a.oldvar.items() if k not in a.variants]
        if on('variant-list-at-most-ten'): vs = vs[:10]
        if on('variant-list-sorted'): vs.sort(key=lambda v: v['id'])
        return s.ok({'variants': {v['id']: v for v in vs}} if on('variant-list-as-map') else {'variants': vs} if on('variant-list-wrapped') else vs, req.kind, 'vlist')
    def var(s, a, i, op):
        if on('variant-id-case-insensitive'): i = next((k for k in a.variants if k.lower() == i.lower()), i)
        if op == 'vget' and i not in a.variants and on('variant-unknown-answers-first') and a.variants: return next(iter(a.variants.values()))
        if op == 'vget' and i in a.oldvar and i not in a.variants and on('variant-deleted-still-readable'): return a.oldvar[i]
        if i not in a.variants: raise Err(404, 'variant not found')
        return a.variants[i]
    async def op_vget(s, req, a, arg):
        v = s.var(a, arg, 'vget')
        return s.ok(s.vres(s.vjson(v, 'vget', v['hist'][0] if v['hist'] and on('variant-details-show-old-options') else None)), req.kind, 'vget')
    async def op_vpatch(s, req, a, arg):
        o = s.jbody(req); s.known(o, ('options', 'neverRequireSignedURLs'))
        try: v = s.var(a, arg, 'vpatch')
        except Err:
            if not on('variant-update-creates-unknown'): raise
            v = a.variants[arg] = dict(id=arg, options=dict(fit='scale-down', metadata='none'), never=False, hist=[])
        old = dict(v['options'])
        if 'options' not in o and 'neverRequireSignedURLs' not in o: raise bad('options is required')
        if 'neverRequireSignedURLs' in o and not isinstance(o['neverRequireSignedURLs'], bool): raise bad('neverRequireSignedURLs must be a boolean')
        if on('variant-update-applied-before-check') and isinstance(o.get('options'), dict):
            for k in ('width', 'height'):
                if isinstance(o['options'].get(k), int): v['options'][k] = o['options'][k]
        ch = s.vopts(o['options'], False) if 'options' in o else {}
        if on('variant-concurrent-updates-lost'):
            await asyncio.sleep(.1); new = {**old, **ch}
        else: new = {**v['options'], **ch}
        if on('variant-update-resets-other-fields'): new = {'fit': 'scale-down', 'metadata': 'none', **ch}
        if on('variant-update-resets-metadata') and 'metadata' not in ch: new['metadata'] = 'none'
        if on('variant-update-resets-height') and 'width' in ch and 'height' not in ch: new.pop('height', None)
        if on('variant-update-first-field-only') and ch: k = next(iter(ch)); new = {**old, k: ch[k]}
        if on('variant-update-ignores-fit'): new['fit'] = old['fit']
        if on('variant-update-ignores-metadata'): new['metadata'] = old['metadata']
        if on('variant-update-smaller-only') and new.get('width', 0) > old.get('width', 0): new['width'] = old.get('width', 0)
        shown = new
        if on('variant-update-not-stored'): new = old
        if on('variant-second-update-not-stored') and len(v['hist']) >= 1: new = old
        v['hist'].append(old); v['options'] = new; v['changed'] = time.time(); v['prev'] = old
        if 'neverRequireSignedURLs' in o: v['never'] = o['neverRequireSignedURLs']
        elif on('variant-update-resets-never-signed'): v['never'] = False
        if on('variant-update-in-both-accounts'):
            for x in s.accounts.values():
                if arg in x.variants: x.variants[arg]['options'] = new
        return s.ok(s.vres(s.vjson(v, 'vpatch', old if on('variant-update-answers-old-options') else shown)), req.kind, 'vpatch')
    async def op_vdelete(s, req, a, arg):
        try: v = s.var(a, arg, 'vdelete')
        except Err:
            if on('variant-delete-unknown-answers-200'): return s.ok({}, req.kind, 'vdelete')
            raise
        if arg == 'public' and on('default-variant-undeletable'): raise bad('the default variant cannot be deleted')
        if not on('variant-delete-does-nothing'):
            a.variants.pop(v['id']); a.oldvar[v['id']] = v
            if on('variant-delete-also-prefixed'):
                for k in [k for k in a.variants if k.startswith(v['id'])]: a.variants.pop(k)
            if on('variant-delete-in-both-accounts'):
                for x in s.accounts.values(): x.variants.pop(v['id'], None)
            if on('variant-delete-deletes-private-images'):
                for k in [k for k, m in a.images.items() if m.signed]: a.images.pop(k)
        return s.ok(None if on('delete-result-null') else s.vres(s.vjson(v, 'vdelete')) if on('variant-delete-returns-variant') else {}, req.kind, 'vdelete')
    async def op_config(s, req, a, arg):
        o = s.jbody(req); s.known(o, ('flexible_variants',)); v = o.get('flexible_variants')
        if not isinstance(v, bool):
            if on('config-string-accepted') and isinstance(v, str): v = True
            elif on('config-missing-member-accepted') and v is None: v = False
            else:
                if on('config-refused-but-applied'): a.flex = bool(v)
                raise bad('flexible_variants must be a boolean')
        old = a.flex
        if not on('config-not-stored') and not (on('config-cannot-be-switched-off') and not v): a.flex = v
        if on('config-applies-to-all-accounts'):
            for x in s.accounts.values(): x.flex = v
        return s.ok(None if on('config-result-null') else {} if on('config-result-empty') else {'flexible_variants': old if on('config-answers-old-value') else v}, req.kind, 'config')
    async def op_btoken(s, req, a, arg):
        t = secrets.token_urlsafe(30); e = time.time() + 3*3600; s.batch[t] = (a, e)
        return s.ok(dict(token=t, expiresAt=iso(e)), req.kind, 'btoken')
    # ---------- delivery
    def dfail(s, st, msg, code=5400):
        if on('delivery-errors-plain-text'): return Resp(st, b'ERROR %d: %s' % (code, msg.encode()), 'text/plain')
        if on('delivery-errors-no-store'): return s.js(dict(success=False, errors=[dict(code=code, message=msg)]), st, [('Cache-Control', 'no-store')])
        return s.js(dict(success=False, errors=[dict(code=code, message=msg)]), st)
    async def delivery(s, req):
        if req.method == 'OPTIONS' and on('delivery-cors'): return Resp(204, b'', None, [('Access-Control-Allow-Origin', '*')])
        if req.method not in ('GET', 'HEAD'):
            r = s.dfail(405, 'method not allowed'); r.headers.append(('Allow', 'GET, HEAD')); return r
        p = req.path; pre = '/cdn/imagedelivery'
        if on('delivery-path-prefix'):
            if not p.startswith(pre + '/'): return s.dfail(404, 'not found')
            p = p[len(pre):]
        seg = p[1:].split('/')
        if len(seg) < 3: return s.dfail(404, 'not found')
        h, vn, iid = seg[0], unquote(seg[-1]), unquote('/'.join(seg[1:-1]))
        if on('delivery-percent-not-decoded'): iid = '/'.join(seg[1:-1])
        if on('delivery-slash-id-404') and '/' in iid: return s.dfail(404, 'not found')
        if on('delivery-plus-as-space'): iid = iid.replace('+', ' ')
        if on('delivery-dot-id-cut'): iid = iid.split('.')[0]
        a = next((x for x in s.accounts.values() if x.hash == h), None)
        if a is None and on('delivery-any-hash-accepted'): a = next((x for x in s.accounts.values() if iid in x.images), None)
        if a is None and on('delivery-account-id-accepted-as-hash'): a = s.accounts.get(h)
        if a is None and on('delivery-hash-case-insensitive'): a = next((x for x in s.accounts.values() if x.hash.lower() == h.lower()), None)
        if a is None: return s.dfail(404, 'account not found')
        m = a.images.get(iid)
        if m is None and on('delivery-looks-in-all-accounts'): m = next((x.images[iid] for x in s.accounts.values() if iid in x.images), None)
        if m is None and on('delivery-id-case-insensitive'): m = next((x for k, x in a.images.items() if k.lower() == iid.lower()), None)
        d = a.deleted.get(iid)
        if m is None and d and (on('delivery-survives-delete') or (d.deldoor == 'batch' and on('delivery-survives-batch-delete')) or (on('delivery-delete-takes-effect-later') and time.time() - d.deltime < .6) or (on('delivery-survives-delete-when-seen') and any(k[1] is d for k in s.cache))): m = d
        if m is None: return s.dfail(404, 'image not found')
        if m.draft and on('delivery-of-draft-answers-200'): return Resp(200, b'', 'image/png')
        if m.draft and on('delivery-of-draft-is-500'): return s.dfail(500, 'internal error')
        if m.draft or m.visible > time.time(): return s.dfail(404, 'image not found')
        v = a.variants.get(vn); flex = None
        if v is None and on('delivery-variant-case-insensitive'): v = next((x for k, x in a.variants.items() if k.lower() == vn.lower()), None)
        if v is None and on('delivery-deleted-variant-works'): v = a.oldvar.get(vn)
        if v is None and on('delivery-variant-of-other-account'): v = next((x.variants[vn] for x in s.accounts.values() if vn in x.variants), None)
        if v is None and '=' in vn and (a.flex or on('flexible-works-when-off')) and not on('flexible-never-works'):
            flex = s.parse_flex(vn)
            if flex: v = dict(id=vn, options=flex, never=on('flexible-opens-private'))
            else: return s.dfail(400, 'bad transformation')
        if v is None and on('delivery-unknown-variant-answers-original'): v = dict(id=vn, options=dict(fit='scale-down', metadata='keep'), never=False)
        if v is None and on('delivery-unknown-variant-answers-first') and a.variants: v = next(iter(a.variants.values()))
        if v is None: return s.dfail(404, 'variant not found')
        if m.signed and not (v['never'] and not on('delivery-never-signed-still-refused')):
            q = req.query
            op = on('delivery-private-open') or (on('delivery-private-open-with-any-sig') and 'sig' in q) or (m.src == 'url' and on('delivery-private-url-image-open')) or (m.door == 'batch' and on('delivery-private-batch-image-open')) or (m.door == 'upload' and on('delivery-private-direct-image-open')) or (req.method == 'HEAD' and on('delivery-private-head-open')) or ('if-none-match' in req.headers and on('delivery-private-conditional-open')) or (on('delivery-private-open-after-public-variant') and any(k[1] is m for k in s.cache)) or ('/' in m.id and on('delivery-private-slash-id-open')) or ('authorization' in req.headers and on('delivery-private-open-with-any-authorization')) or (vn == 'public' and on('delivery-private-default-variant-open'))
            if not op: return s.dfail(401 if on('private-delivery-401') else 404 if on('private-delivery-404') else 403, 'a signed URL is required')
        if v['never'] is False and on('delivery-public-needs-signature') and not m.signed and m.door == 'upload': return s.dfail(403, 'a signed URL is required')
        if on('delivery-redirects-to-version') and 'v' not in req.query: return Resp(302, b'', None, [('Location', req.path + '?v=%d' % m.seq)])
        if on('delivery-wrong-image-on-second-read'):
            m.reads = getattr(m, 'reads', 0) + 1
            if m.reads > 1 and s.last_img is not m: m = s.last_img
        opt = v['options']
        if on('variant-update-takes-effect-later') and v.get('changed', 0) > time.time() - .7: opt = v['prev']
        ok_ = json.dumps(opt, sort_keys=True)
        key = (a.hash, m, vn, '' if on('delivery-stale-after-variant-update') else ok_, m.type)
        if on('delivery-cache-ignores-variant'): key = (a.hash, m, '', '', '')
        if on('delivery-cache-ignores-account'): key = ('', m.id, vn, ok_)
        if on('delivery-cache-survives-reupload'): key = (a.hash, m.id, vn, ok_)
        if on('delivery-cache-ignores-case'): key = (a.hash, m.id.lower(), vn, ok_)
        if on('delivery-cache-ignores-height'): key = (a.hash, m, opt.get('fit'), opt.get('width'), opt.get('metadata'))
        if on('delivery-cache-ignores-fit'): key = (a.hash, m, opt.get('height'), opt.get('width'), opt.get('metadata'))
        hit = s.cache.get(key)
        if not hit:
            try:
                if len(m.data) > 60000: hit = await asyncio.get_running_loop().run_in_executor(None, s.transform, m, opt)
                else: hit = s.transform(m, opt)
            except Exception as e: return s.dfail(502, 'transformation error')
            if len(s.cache) > 3000: s.cache.clear()
            s.cache[key] = hit
        body, ct = hit
        et = hashlib.sha1(body + b'' + (vn.encode() if on('delivery-etag-per-variant') else b'')).hexdigest()[:20]
        if on('delivery-etag-same-for-all-variants'): et = hashlib.sha1(m.id.encode()).hexdigest()[:20]
        if on('delivery-etag-constant'): et = 'c0ffee'
        et = '"%s"' % et
        if on('delivery-weak-etag'): et = 'W/' + et
        H = []
        if not on('delivery-without-etag'): H.append(('ETag', et))
        if not on('delivery-without-cache-control'): H.append(('Cache-Control', 'public, max-age=14400, immutable' if on('delivery-cache-control-long') else 'no-cache'))
        if on('delivery-last-modified'): H.append(('Last-Modified', email.utils.formatdate(m.uploaded, usegmt=True)))
        if on('delivery-cors'): H.append(('Access-Control-Allow-Origin', '*'))
        if on('delivery-content-disposition'): H.append(('Content-Disposition', 'inline'))
        if on('delivery-accept-ranges-none'): H.append(('Accept-Ranges', 'none'))
        if on('delivery-csp-header'): H.append(('Content-Security-Policy', "default-src 'none'"))
        inm = req.headers.get('if-none-match')
        if inm and not on('delivery-without-etag') and not on('delivery-ignores-conditions'):
            tags = [x.strip().removeprefix('W/') for x in inm.split(',')]
            hitm = et.removeprefix('W/') in tags or inm.strip() == '*'
            if on('delivery-any-etag-matches'): hitm = True
            if hitm: r = Resp(304, b'', None, H); r.full = body; return r
        if on('delivery-type-octet-stream'): ct = 'application/octet-stream'
        if on('delivery-type-always-jpeg'): ct = 'image/jpeg'
        if on('delivery-type-from-filename'):
            e = m.filename.rsplit('.', 1)[-1].lower(); ct = {'png': 'image/png', 'jpg': 'image/jpeg', 'jpeg': 'image/jpeg', 'gif': 'image/gif', 'webp': 'image/webp'}.get(e, ct)
        if on('delivery-head-type-differs') and req.method == 'HEAD': ct = 'text/html'
        if on('delivery-head-404') and req.method == 'HEAD': return s.dfail(404, 'not found')
        if on('delivery-truncated-at-64k'): body = body[:65536]
        if on('delivery-body-base64'): import base64; body = base64.b64encode(body)
        rg = req.headers.get('range')
        if rg and req.method == 'GET' and (on('delivery-ranges') or on('delivery-range-off-by-one')):
            x = re.fullmatch(r'bytes=(\d+)-(\d*)', rg.strip())
            if x:
                lo = int(x[1]); hi = min(int(x[2]) if x[2] else len(body)-1, len(body)-1)
                if lo >= len(body): r = s.dfail(416, 'range'); r.headers.append(('Content-Range', 'bytes */%d' % len(body))); return r
                if hi >= lo: return Resp(206, body[lo:hi] if on('delivery-range-off-by-one') else body[lo:hi+1], ct, H + [('Content-Range', 'bytes %d-%d/%d' % (lo, hi, len(body)))])
        return Resp(200, body, ct, H)
    def parse_flex(s, vn):
        r = dict(fit='scale-down', metadata='none')
        for kv in vn.split(','):
            k, _, v = kv.partition('='); k = {'w': 'width', 'h': 'height'}.get(k, k)
            if k in ('width', 'height') and v.isdigit() and int(v) > 0: r[k] = int(v)
            elif k == 'fit' and v in FITS: r[k] = v
            elif k == 'metadata' and v in METAS: r[k] = v
            elif k in ('quality', 'q', 'format', 'f', 'dpr', 'sharpen', 'blur', 'gravity', 'anim'): pass
            else: return None
        return r
    def transform(s, m, opt):
        fit, w, h, md = opt.get('fit'), opt.get('width'), opt.get('height'), opt.get('metadata', 'none')
        data, t = m.data, m.type
        if on('delivery-keeps-metadata-on-none') and md == 'none': md = 'keep'
        if on('delivery-strips-metadata-on-keep') and md == 'keep': md = 'none'
        if on('delivery-strips-copyright') and md == 'copyright': md = 'none'
        if on('delivery-copyright-keeps-everything') and md == 'copyright': md = 'keep'
        if on('delivery-original-bytes-always'): return data, t
        if t != 'image/png':
            if t == 'image/jpeg' and md == 'none' and on('delivery-jpeg-keeps-metadata'): return data, t
            if t == 'image/webp' and md == 'none' and on('delivery-webp-keeps-metadata'): return data, t
            if t == 'image/gif' and on('delivery-gif-cut-short'): return data[:-1], t
            if t == 'image/jpeg': return codec.jpeg_meta(data, md), t
            if t == 'image/webp': return codec.webp_meta(data, md), t
            return data, t
        if on('delivery-width-ignored'): w = None
        if on('delivery-height-ignored'): h = None
        if on('delivery-height-ignored-when-wide') and w and h and m.data: 
            W0, H0 = int.from_bytes(data[16:20], 'big'), int.from_bytes(data[20:24], 'big')
            if H0 <= W0: h = None
        if on('delivery-crop-as-pad') and fit == 'crop': fit = 'pad'
        if on('delivery-contain-as-cover') and fit == 'contain': fit = 'cover'
        if on('delivery-cover-stretches') and fit == 'cover': fit = 'stretch'
        if on('delivery-small-contain-not-enlarged') and fit == 'contain': fit = 'scale-down'
        W, H = int.from_bytes(data[16:20], 'big'), int.from_bytes(data[20:24], 'big')
        f2 = 'contain' if fit == 'scale-down' and on('delivery-scale-down-enlarges') else fit
        sw, sh, ow, oh = codec.plan(W, H, f2, w, h) if fit != 'stretch' else (w or W, h or H, w or W, h or H)
        if on('delivery-aspect-ratio-lost') and fit in ('scale-down', 'contain') and w and h and (sw, sh) != (W, H): sw = ow = min(w, W); sh = oh = min(h, H)
        if on('delivery-width-one-too-large') and sw == w and sw != W: sw += 1; ow += 1
        if on('delivery-height-one-too-large') and sh == h and sh != H: sh += 1; oh += 1
        if on('delivery-exact-size-enlarged') and (W == w or H == h): sw += 1; ow += 1
        if on('delivery-zero-size-rounding') and min(ow, oh) == 1 and max(W, H) > 50: raise ValueError('zero')
        if ow > 4096 or oh > 4096: raise ValueError('too large')
        cs = codec.chunks(data, False); ex = codec.png_meta(cs, md)
        force = any(on(x) for x in ('png-always-reencoded', 'delivery-alpha-lost', 'delivery-channels-swapped', 'delivery-mirrored', 'delivery-alpha-on-black', 'delivery-last-row-black', 'png-delivered-rgba', 'delivery-grey-inverted'))
        if (sw, sh, ow, oh) == (W, H, W, H) and not force and not on('delivery-palette-transparency-lost') and not on('delivery-interlaced-garbled'):
            codec.validate(data)
            return codec.join([cs[0], *ex, *[c for c in cs[1:] if c[0] not in codec.TEXT]]), t
        q = 'notrns' if on('delivery-palette-transparency-lost') else 'nointerlace' if on('delivery-interlaced-garbled') else ''
        W, H, px, cs = codec.decode(data, q)
        px = codec.scale(px, sw, sh)
        if fit == 'pad' and (ow, oh) != (sw, sh):
            bg = b'\xff\xff\xff\0' if on('pad-transparent') else b'\xff\xff\xff\xff'; x, y = (ow-sw)//2, (oh-sh)//2
            px = [[bg]*ow for _ in range(y)] + [[bg]*x + r + [bg]*(ow-sw-x) for r in px] + [[bg]*ow for _ in range(oh-sh-y)]
        elif (ow, oh) != (sw, sh): px = codec.crop(px, ow, oh)
        if on('delivery-channels-swapped'): px = [[p[2:3]+p[1:2]+p[0:1]+p[3:] for p in r] for r in px]
        if on('delivery-mirrored'): px = [r[::-1] for r in px]
        if on('delivery-last-row-black'): px = px[:-1] + [[b'\0\0\0\xff']*len(px[0])]
        if on('delivery-alpha-on-black'): px = [[p if p[3] == 255 else b'\0\0\0\xff' for p in r] for r in px]
        if on('delivery-grey-inverted') and data[25] in (0, 4): px = [[bytes((255-p[0], 255-p[1], 255-p[2], p[3])) for p in r] for r in px]
        return codec.encode(px, ex, on('png-delivered-rgba'), 0 if on('png-uncompressed') else 6, on('delivery-alpha-lost')), t
