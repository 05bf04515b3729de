"""A small protobuf codec for the two greeting messages."""

from collections import namedtuple

VARINT, FIXED64, LEN, GROUP, END_GROUP, FIXED32 = range(6)

# value: an int (varint) or bytes. overlong: the length or the tag was
# written with more varint bytes than needed.
Field = namedtuple("Field", "number wire value overlong")


class Malformed(Exception):
    """The bytes are not a protobuf message."""


def read_varint(data, at):
    """Return (value, next position, overlong)."""
    value = 0
    for count in range(10):
        if at >= len(data):
            raise Malformed("varint cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:
            return value & (2 ** 64 - 1), at, count > 0 and byte == 0
    raise Malformed("varint too long")


def _take(data, at, size):
    if at + size > len(data):
        raise Malformed("field cut off")
    return data[at:at + size], at + size


def _read_fields(data, at, open_group):
    fields = []
    while at < len(data):
        start = at
        tag, at, long_tag = read_varint(data, at)
        number, wire = tag >> 3, tag & 7
        if number == 0 or tag >= 2 ** 32:
            raise Malformed("bad field number")
        long_length = False
        if wire == VARINT:
            value, at, _ = read_varint(data, at)
        elif wire == FIXED64:
            value, at = _take(data, at, 8)
        elif wire == FIXED32:
            value, at = _take(data, at, 4)
        elif wire == LEN:
            size, at, long_length = read_varint(data, at)
            value, at = _take(data, at, size)
        elif wire == GROUP:
            _, at = _read_fields(data, at, number)
            value = data[start:at]
        elif wire == END_GROUP:
            if number != open_group:
                raise Malformed("group end without its start")
            return fields, at
        else:
            raise Malformed("bad wire type")
        fields.append(Field(number, wire, value, long_tag or long_length))
    if open_group is not None:
        raise Malformed("group without an end")
    return fields, at


def read_fields(data):
    """All fields of a message, in wire order."""
    return _read_fields(data, 0, None)[0]


def text_of(value, errors="strict"):
    try:
        return value.decode("utf-8", errors)
    except UnicodeDecodeError:
        raise Malformed("string is not UTF-8") from None


def varint(value):
    value &= 2 ** 64 - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def text_bytes(text):
    """UTF-8. Escaped bytes (surrogateescape) are sent as they are."""
    return text.encode("utf-8", "surrogateescape")


def put(number, value):
    """One field: str or bytes as a length-delimited field, int as a varint."""
    if isinstance(value, int):
        return varint(number << 3 | VARINT) + varint(value)
    data = text_bytes(value) if isinstance(value, str) else value
    return varint(number << 3 | LEN) + varint(len(data)) + data


def encode(layout):
    """A message from (number, value) pairs; default values are left out."""
    return b"".join(put(number, value) for number, value in layout
                    if value not in ("", b"", 0))
