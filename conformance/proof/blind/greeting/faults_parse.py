"""Violations: a request message is read wrongly."""

import codec
from registry import MESSAGES, PROTO, STATUS, violation

UNKNOWN = PROTO + "Unknown fields"
LAST = PROTO + "Encoding, last one wins"
VARINTS = PROTO + "Encoding, base 128 varints"


def stop(text):
    raise codec.Malformed(text)


def refuse_fields(name, where, does, bad):
    """Requests with a field for which bad(field) holds are malformed."""
    violation(name, where, does,
              fields=lambda stream, request, fields:
              stop(name) if any(bad(field) for field in fields) else fields)


def known(field):
    return field.number in (1, 2)


refuse_fields("unknown-field-refused", UNKNOWN,
              "A request with an unknown field ends the stream with INTERNAL.",
              lambda field: not known(field))
refuse_fields("unknown-group-refused", UNKNOWN,
              "A request with an unknown group ends the stream with INTERNAL.",
              lambda field: field.wire == codec.GROUP)
refuse_fields("unknown-fixed-refused", UNKNOWN,
              "A request with an unknown 32-bit or 64-bit field ends the "
              "stream with INTERNAL.",
              lambda field: field.wire in (codec.FIXED32, codec.FIXED64))
refuse_fields("high-field-number-refused", UNKNOWN,
              "A request with a field number above 15 (a tag of two bytes) "
              "ends the stream with INTERNAL.",
              lambda field: field.number > 15)
refuse_fields("overlong-varint-refused", VARINTS,
              "A request whose tag or length is a varint with more bytes "
              "than needed ends the stream with INTERNAL.",
              lambda field: field.overlong)
refuse_fields("explicit-empty-refused", PROTO + "Default values",
              "A request with an empty string that is present in its bytes "
              "ends the stream with INTERNAL.",
              lambda field: known(field) and field.value == b"")


def before_unknown(stream, request, fields):
    out = []
    for field in fields:
        if not known(field):
            break
        out.append(field)
    return out


violation("unknown-field-ends-the-message", UNKNOWN,
          "The fields after an unknown field of a request are ignored, so "
          "the name may be lost.", fields=before_unknown)


def first_only(stream, request, fields):
    return list(reversed(fields))


violation("first-of-repeated-wins", LAST,
          "When the name is twice in one request, the first one is greeted.",
          fields=first_only)


def joined(stream, request, fields):
    values = {}
    for field in fields:
        if known(field) and field.wire == codec.LEN:
            values[field.number] = values.get(field.number, b"") + field.value
    return [codec.Field(number, codec.LEN, value, False)
            for number, value in values.items()]


violation("repeated-field-joined", LAST,
          "When the name is twice in one request, both texts are joined.",
          fields=joined)


def ordered(stream, request, fields):
    numbers = [field.number for field in fields]
    if numbers != sorted(numbers):
        stop("fields out of order")
    return fields


violation("field-order-required", PROTO + "Encoding, field order",
          "A request with request_id before name ends the stream with "
          "INTERNAL.", fields=ordered)

violation("request-fields-swapped", MESSAGES + ": field numbers",
          "Field 2 of a request is taken as the name, field 1 as the "
          "request_id.",
          fields=lambda stream, request, fields:
          [field._replace(number={1: 2, 2: 1}.get(field.number, 0))
           for field in fields])

violation("invalid-utf8-echoed", PROTO + "string (must be UTF-8)",
          "A name with bytes that are not UTF-8 comes back in the message "
          "with the same bytes.")

violation("malformed-request-ok", STATUS + ": INTERNAL for a request that "
          "cannot be parsed",
          "A request that is not a protobuf message ends the stream with OK.")
