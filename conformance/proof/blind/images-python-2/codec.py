import zlib, struct
SIG = b'\x89PNG\r\n\x1a\n'
def sniff(b):
    if b.startswith(SIG): return 'image/png'
    if b[:3] == b'\xff\xd8\xff': return 'image/jpeg'
    if b[:6] in (b'GIF87a', b'GIF89a'): return 'image/gif'
    if b[:4] == b'RIFF' and b[8:12] == b'WEBP': return 'image/webp'
    t = b[:400].lstrip()
    if t.startswith(b'<svg') or (t.startswith(b'<?xml') and b'<svg' in b[:2000]): return 'image/svg+xml'
    return None
def chunks(b, check=True):
    if not b.startswith(SIG): raise ValueError('not png')
    p, out = 8, []
    while p < len(b):
        if p + 12 > len(b): raise ValueError('truncated')
        n, = struct.unpack('>I', b[p:p+4]); t = b[p+4:p+8]; d = b[p+8:p+8+n]
        if len(d) != n or p + 12 + n > len(b): raise ValueError('truncated')
        if check and struct.unpack('>I', b[p+8+n:p+12+n])[0] != zlib.crc32(t + d): raise ValueError('crc')
        out.append((t, d)); p += 12 + n
        if t == b'IEND': return out
    raise ValueError('no IEND')
def chunk(t, d): return struct.pack('>I', len(d)) + t + d + struct.pack('>I', zlib.crc32(t + d))
def join(cs): return SIG + b''.join(chunk(t, d) for t, d in cs)
CH = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
PASSES = [(0,0,8,8),(4,0,8,8),(0,4,4,8),(2,0,4,4),(0,2,2,4),(1,0,2,2),(0,1,1,2)]
def validate(b):
    cs = chunks(b)
    if cs[0][0] != b'IHDR' or len(cs[0][1]) != 13: raise ValueError('IHDR')
    w, h, dep, ct, _, _, il = struct.unpack('>IIBBBBB', cs[0][1])
    if not w or not h or ct not in CH or dep not in (1,2,4,8,16) or w*h > 50_000_000: raise ValueError('IHDR')
    raw = zlib.decompress(b''.join(d for t, d in cs if t == b'IDAT'))
    bpp = CH[ct] * dep
    need = 0
    for pw, ph in ([(w, h)] if not il else [((w-x+dx-1)//dx, (h-y+dy-1)//dy) for x,y,dx,dy in PASSES]):
        if pw > 0 and ph > 0: need += ph * (1 + (pw*bpp+7)//8)
    if len(raw) < need: raise ValueError('short data')
    return w, h
def unfilter(raw, pos, w, h, bpp):
    st = (w*bpp+7)//8; bb = max(1, bpp//8); prev = bytearray(st); rows = []
    for _ in range(h):
        f = raw[pos]; r = bytearray(raw[pos+1:pos+1+st]); pos += 1 + st
        if f == 1:
            for i in range(bb, st): r[i] = (r[i] + r[i-bb]) & 255
        elif f == 2:
            for i in range(st): r[i] = (r[i] + prev[i]) & 255
        elif f == 3:
            for i in range(st): r[i] = (r[i] + (((r[i-bb] if i >= bb else 0) + prev[i]) >> 1)) & 255
        elif f == 4:
            for i in range(st):
                a = r[i-bb] if i >= bb else 0; c = prev[i-bb] if i >= bb else 0; u = prev[i]
                p = a + u - c; pa = abs(p-a); pb = abs(p-u); pc = abs(p-c)
                r[i] = (r[i] + (a if pa <= pb and pa <= pc else u if pb <= pc else c)) & 255
        elif f: raise ValueError('filter')
        rows.append(r); prev = r
    return rows, pos
def torgba(rows, w, dep, ct, plte, trns):
    out = []
    if ct == 3:
        pal = [bytes(plte[i*3:i*3+3]) + bytes([trns[i] if trns and i < len(trns) else 255]) for i in range(len(plte)//3)]
    for r in rows:
        if dep == 16 and not (ct == 0): r = r[::2]
        elif dep == 16: r = r[::2]
        if ct == 6: out.append([bytes(r[i:i+4]) for i in range(0, w*4, 4)])
        elif ct == 2:
            key = bytes([trns[1], trns[3], trns[5]]) if trns and dep == 8 else None
            out.append([(lambda p: p + (b'\0' if p == key else b'\xff'))(bytes(r[i:i+3])) for i in range(0, w*3, 3)])
        elif ct == 4: out.append([bytes((r[i], r[i], r[i], r[i+1])) for i in range(0, w*2, 2)])
        else:
            if dep < 8:
                m = (1 << dep) - 1; per = 8//dep
                v = [(r[i//per] >> (8 - dep*(i % per + 1))) & m for i in range(w)]
            else: v = r[:w]
            if ct == 3: out.append([pal[i] if i < len(pal) else b'\0\0\0\xff' for i in v])
            else:
                mul = 255 // ((1 << dep) - 1) if dep < 8 else 1
                key = struct.unpack('>H', trns[:2])[0] if trns and dep <= 8 else None
                out.append([bytes((i*mul,)*3 + (0 if i == key else 255,)) for i in v])
    return out
def decode(b, quirk=''):
    cs = chunks(b, False); d = dict((t, v) for t, v in cs if t != b'IDAT')
    w, h, dep, ct, _, _, il = struct.unpack('>IIBBBBB', d[b'IHDR'])
    raw = zlib.decompress(b''.join(v for t, v in cs if t == b'IDAT')); bpp = CH[ct]*dep
    plte, trns = d.get(b'PLTE', b''), d.get(b'tRNS')
    if quirk == 'notrns': trns = None
    if not il or quirk == 'nointerlace':
        rows, _ = unfilter(raw, 0, w, h if not il else min(h, len(raw)//(1+(w*bpp+7)//8)), bpp)
        px = torgba(rows, w, dep, ct, plte, trns)
        while len(px) < h: px.append(px[-1] if px else [b'\0\0\0\xff']*w)
    else:
        px = [[b'\0\0\0\0']*w for _ in range(h)]; pos = 0
        for x, y, dx, dy in PASSES:
            pw, ph = (w-x+dx-1)//dx, (h-y+dy-1)//dy
            if pw <= 0 or ph <= 0: continue
            rows, pos = unfilter(raw, pos, pw, ph, bpp)
            for j, r in enumerate(torgba(rows, pw, dep, ct, plte, trns)): px[y+j*dy][x::dx] = r
    return w, h, px, cs
def encode(px, extra=(), force_rgba=False, level=6, drop_alpha=False):
    h, w = len(px), len(px[0])
    rows = [b''.join(r) for r in px]
    opaque = drop_alpha or (not force_rgba and all(r[3::4].count(255) == w for r in rows))
    body = bytearray()
    for r in rows:
        body.append(0)
        if opaque:
            q = bytearray(w*3); q[0::3] = r[0::4]; q[1::3] = r[1::4]; q[2::3] = r[2::4]; body += q
        else: body += r
    return join([(b'IHDR', struct.pack('>IIBBBBB', w, h, 8, 2 if opaque else 6, 0, 0, 0)), *extra,
                 (b'IDAT', zlib.compress(bytes(body), level)), (b'IEND', b'')])
def scale(px, W, H):
    h, w = len(px), len(px[0])
    if (w, h) == (W, H): return px
    xs = [min(w-1, (2*i+1)*w//(2*W)) for i in range(W)]
    out, last, lr = [], -1, None
    for j in range(H):
        y = min(h-1, (2*j+1)*h//(2*H))
        if y != last: r = px[y]; lr = [r[x] for x in xs]; last = y
        out.append(lr)
    return out
def crop(px, W, H):
    h, w = len(px), len(px[0]); x, y = max(0, (w-W)//2), max(0, (h-H)//2)
    return [r[x:x+W] for r in px[y:y+H]]
def rnd(x): return max(1, int(x + .5))
def plan(W, H, fit, w, h):
    """-> (scaled w, scaled h, out w, out h)"""
    if w is None and h is None: return W, H, W, H
    fw, fh = (w or 10**9)/W, (h or 10**9)/H
    both = w is not None and h is not None
    if fit in ('cover', 'pad') and not both: fit = 'contain'
    if fit == 'crop' and not both: fit = 'scale-down'
    if fit in ('scale-down', 'contain', 'pad'):
        s = min(fw, fh)
        if fit == 'scale-down': s = min(1, s)
        a, b = rnd(W*s), rnd(H*s)
        if w: a = min(a, w)
        if h: b = min(b, h)
        return (a, b, w, h) if fit == 'pad' else (a, b, a, b)
    s = max(fw, fh)
    if fit == 'crop': s = min(1, s)
    a, b = rnd(W*s), rnd(H*s)
    return a, b, min(w, max(a, 1)), min(h, max(b, 1))
TEXT = (b'tEXt', b'zTXt', b'iTXt', b'eXIf', b'tIME')
def exif_copyright(tiff):
    """Minimal TIFF with only the copyright tag, or None"""
    try:
        e = '<' if tiff[:2] == b'II' else '>'
        off, = struct.unpack(e+'I', tiff[4:8]); n, = struct.unpack(e+'H', tiff[off:off+2])
        for i in range(n):
            p = off+2+12*i; tag, ty, cnt = struct.unpack(e+'HHI', tiff[p:p+8])
            if tag == 0x8298:
                if cnt <= 4: v = tiff[p+8:p+8+cnt]
                else: o, = struct.unpack(e+'I', tiff[p+8:p+12]); v = tiff[o:o+cnt]
                v = v if len(v) > 4 else v.ljust(5, b'\0')
                return b'MM\0*\0\0\0\x08\0\x01' + struct.pack('>HHII', 0x8298, 2, len(v), 26) + b'\0\0\0\0' + v
    except Exception: pass
    return None
def png_meta(cs, mode):
    out = []
    for t, d in cs:
        if t not in TEXT: continue
        if mode == 'keep': out.append((t, d))
        elif mode == 'copyright':
            if t in TEXT[:3] and d.split(b'\0')[0].lower() == b'copyright': out.append((t, d))
            elif t == b'eXIf':
                x = exif_copyright(d)
                if x: out.append((t, x))
    return out
def jpeg_meta(b, mode):
    if mode == 'keep': return b
    out, p = bytearray(b[:2]), 2
    while p + 4 <= len(b) and b[p] == 0xff:
        m = b[p+1]
        if m == 0xff: p += 1; continue
        if m == 0xda: break
        n = struct.unpack('>H', b[p+2:p+4])[0]; seg = b[p:p+2+n]
        if m in (0xe1, 0xed, 0xfe):
            if mode == 'copyright' and m == 0xe1 and seg[4:10] == b'Exif\0\0':
                x = exif_copyright(seg[10:])
                if x: out += b'\xff\xe1' + struct.pack('>H', len(x)+8) + b'Exif\0\0' + x
        else: out += seg
        p += 2 + n
    return bytes(out + b[p:])
def webp_meta(b, mode):
    if mode == 'keep': return b
    p, out = 12, bytearray()
    while p + 8 <= len(b):
        t = b[p:p+4]; n, = struct.unpack('<I', b[p+4:p+8]); e = p + 8 + n + (n & 1); seg = bytearray(b[p:e])
        if t == b'VP8X' and len(seg) > 8: seg[8] &= ~0x0c
        if t not in (b'EXIF', b'XMP '): out += seg
        p = e
    return b'RIFF' + struct.pack('<I', len(out)+4) + b'WEBP' + bytes(out)
