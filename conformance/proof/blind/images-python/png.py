"""A small PNG reader and writer, and the resizing that variants need."""
import struct
import zlib

MAGIC = b"\x89PNG\r\n\x1a\n"
TEXT = (b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME")


class BadImage(Exception):
    pass


def chunks(data):
    if data[:8] != MAGIC:
        raise BadImage("not a PNG")
    at = 8
    while at + 12 <= len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        crc = data[at + 8 + size:at + 12 + size]
        if len(body) != size or crc != struct.pack(">I", zlib.crc32(kind + body)):
            raise BadImage("bad chunk")
        yield kind, body
        if kind == b"IEND":
            return
        at += 12 + size
    raise BadImage("no IEND")


def size(data):
    if len(data) < 24 or data[:8] != MAGIC:
        raise BadImage("not a PNG")
    return struct.unpack(">II", data[16:24])


def _unfilter(raw, rows, stride, bpp):
    out, prev, at = [], bytearray(stride), 0
    for _ in range(rows):
        kind, line = raw[at], bytearray(raw[at + 1:at + 1 + stride])
        if len(line) != stride:
            raise BadImage("short data")
        at += 1 + stride
        if kind == 1:
            for i in range(bpp, stride):
                line[i] = (line[i] + line[i - bpp]) & 255
        elif kind == 2:
            for i in range(stride):
                line[i] = (line[i] + prev[i]) & 255
        elif kind == 3:
            for i in range(stride):
                left = line[i - bpp] if i >= bpp else 0
                line[i] = (line[i] + (left + prev[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                a = line[i - bpp] if i >= bpp else 0
                b, c = prev[i], prev[i - bpp] if i >= bpp else 0
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                line[i] = (line[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        elif kind != 0:
            raise BadImage("bad filter")
        out.append(bytes(line))
        prev = line
    return out, at


def _pixels(line, width, depth, color, palette, trans):
    """One row as a list of 4-byte RGBA pixels."""
    n = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    if depth == 16:
        line = line[0::2]
    elif depth < 8:
        per, mask = 8 // depth, (1 << depth) - 1
        scale = 1 if color == 3 else 255 // mask
        line = bytes(((line[i // per] >> (8 - depth * (i % per + 1))) & mask) * scale for i in range(width))
    if color == 6:
        return [line[i:i + 4] for i in range(0, width * 4, 4)]
    if color == 2:
        return [line[i:i + 3] + b"\xff" for i in range(0, width * 3, 3)]
    if color == 3:
        try:
            return [palette[v] for v in line[:width]]
        except IndexError:
            raise BadImage("bad palette")
    if color == 4:
        return [line[i:i + 1] * 3 + line[i + 1:i + 2] for i in range(0, width * 2, 2)]
    return [bytes((v, v, v, 255)) for v in line[:width * n]]


PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def decode(data):
    """(width, height, rows of RGBA pixels)."""
    idat, palette, trans, head = [], [], b"", None
    for kind, body in chunks(data):
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = [body[i:i + 3] for i in range(0, len(body), 3)]
        elif kind == b"tRNS":
            trans = body
        elif kind == b"IDAT":
            idat.append(body)
    if not head or not idat:
        raise BadImage("no header or data")
    width, height, depth, color, _, _, lace = head
    if color not in (0, 2, 3, 4, 6) or depth not in (1, 2, 4, 8, 16) or not width or not height:
        raise BadImage("bad header")
    palette = [p + (trans[i:i + 1] or b"\xff") for i, p in enumerate(palette)]
    bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    try:
        raw = zlib.decompress(b"".join(idat))
    except zlib.error as error:
        raise BadImage(str(error))
    bpp = max(1, bits // 8)
    try:
        if not lace:
            lines, _ = _unfilter(raw, height, (width * bits + 7) // 8, bpp)
            return width, height, [_pixels(l, width, depth, color, palette, trans) for l in lines]
        rows, at = [[b""] * width for _ in range(height)], 0
        for x0, y0, dx, dy in PASSES:
            w, h = (width - x0 + dx - 1) // dx, (height - y0 + dy - 1) // dy
            if w <= 0 or h <= 0:
                continue
            lines, used = _unfilter(raw[at:], h, (w * bits + 7) // 8, bpp)
            at += used
            for j, line in enumerate(lines):
                rows[y0 + j * dy][x0::dx] = _pixels(line, w, depth, color, palette, trans)
        return width, height, rows
    except IndexError:
        raise BadImage("short data")


def _chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def encode(rows, extra=()):
    height, width = len(rows), len(rows[0])
    raw = b"".join(b"\0" + b"".join(row) for row in rows)
    return (MAGIC + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + b"".join(_chunk(k, b) for k, b in extra)
            + _chunk(b"IDAT", zlib.compress(raw, 3)) + _chunk(b"IEND", b""))


def solid(width, height, rgba=(200, 30, 30, 255)):
    return encode([[bytes(rgba)] * width] * height)


def kept_text(data, mode):
    """The text chunks that the variant's metadata option keeps."""
    found = [(k, b) for k, b in chunks(data) if k in TEXT]
    if mode == "keep":
        return found
    if mode == "copyright":
        return [(k, b) for k, b in found if b.lower().startswith(b"copyright\0")]
    return []


def filtered(data, mode):
    """The same picture with only the text chunks that the mode keeps."""
    keep = kept_text(data, mode)
    return MAGIC + b"".join(_chunk(k, b) for k, b in chunks(data) if k not in TEXT or (k, b) in keep)


def scaled(rows, width, height):
    sw, sh = len(rows[0]), len(rows)
    xs = [(2 * x + 1) * sw // (2 * width) for x in range(width)]
    done, out = {}, []
    for y in range(height):
        sy = (2 * y + 1) * sh // (2 * height)
        if sy not in done:
            row = rows[sy]
            done[sy] = [row[x] for x in xs]
        out.append(done[sy])
    return out


def cropped(rows, width, height):
    x0, y0 = (len(rows[0]) - width) // 2, (len(rows) - height) // 2
    return [row[x0:x0 + width] for row in rows[y0:y0 + height]]


def padded(rows, width, height, fill=b"\xff\xff\xff\xff"):
    w, h = len(rows[0]), len(rows)
    left, top = (width - w) // 2, (height - h) // 2
    blank = [fill] * width
    body = [[fill] * left + row + [fill] * (width - w - left) for row in rows]
    return [blank] * top + body + [blank] * (height - h - top)
