"""Violations: the bytes of a response message are wrong."""

import json
import time

import codec
from registry import MESSAGES, PROTO, violation

NUMBERS = MESSAGES + ": field numbers"
TYPES = MESSAGES + ": field types"
ENCODING = PROTO + "Encoding"


def swap(fields):
    numbers = {1: 2, 2: 1}
    return [(numbers.get(number, number), value) for number, value in fields]


def renumber(old, new):
    return lambda stream, request, fields: [
        (new if number == old else number, value) for number, value in fields]


violation("response-fields-swapped", NUMBERS,
          "The greeting is in field 2 and the timestamp in field 1.",
          layout=lambda stream, request, fields: swap(fields))
violation("response-fields-swapped-every-tenth", NUMBERS,
          "In the 10th, 20th ... response of a stream the greeting is in "
          "field 2 and the timestamp in field 1.",
          layout=lambda stream, request, fields:
          swap(fields) if stream.sent % 10 == 0 else fields)
violation("message-in-field-3", NUMBERS,
          "The greeting is in field 3.", layout=renumber(1, 3))
violation("timestamp-in-field-3", NUMBERS,
          "The timestamp is in field 3.", layout=renumber(2, 3))
violation("fields-in-wrong-envelope", NUMBERS,
          "The response is wrapped: field 1 holds the bytes of the whole "
          "response message.",
          wire=lambda stream, request, data: codec.put(1, data))
violation("message-as-varint", TYPES,
          "Field 1 is a varint, the length of the greeting.",
          layout=lambda stream, request, fields:
          [(number, len(value) if number == 1 else value)
           for number, value in fields])
violation("timestamp-as-varint", TYPES,
          "Field 2 is a varint with Unix seconds, not a string.",
          layout=lambda stream, request, fields:
          [(number, int(time.time()) if number == 2 else value)
           for number, value in fields])


def as_json(stream, request, data):
    values = {field.number: field.value.decode("utf-8", "replace")
              for field in codec.read_fields(data)}
    return json.dumps({"message": values.get(1, ""),
                       "serverTimestamp": values.get(2, "")}).encode()


violation("response-as-json", ENCODING,
          "The bytes of a response are JSON text.", wire=as_json)


def one_byte_lengths(stream, request, data):
    return b"".join(
        bytes([field.number << 3 | codec.LEN, len(field.value) & 0xFF])
        + field.value for field in codec.read_fields(data))


violation("length-in-one-byte", ENCODING + ", base 128 varints",
          "The length of a string is written as one byte, so a greeting of "
          "more than 127 bytes breaks the message.", wire=one_byte_lengths)
violation("zero-byte-appended", ENCODING,
          "Every response ends with one byte too many, a zero (field "
          "number 0).",
          wire=lambda stream, request, data: data + b"\0")
violation("long-response-cut-short", ENCODING,
          "A response message of more than 4,096 bytes loses its last byte.",
          wire=lambda stream, request, data:
          data[:-1] if len(data) > 4096 else data)


def only_changes(stream, request, fields):
    text = dict(fields)[1]
    old = stream.own.get("last text")
    stream.own["last text"] = text
    return [field for field in fields if field[0] != 1] if old == text \
        else fields


violation("message-left-out-when-same", MESSAGES + ": message, the greeting",
          "A greeting that equals the previous one of the stream is left "
          "out: the message field is empty.", layout=only_changes)
violation("second-message-empty", MESSAGES + ": message, the greeting",
          "The second response of each stream has an empty message.",
          layout=lambda stream, request, fields:
          fields[1:] if stream.sent == 2 else fields)
