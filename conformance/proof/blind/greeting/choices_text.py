"""Choices about the text of the greeting, the time format and the encoding."""

import unicodedata
from datetime import timedelta, timezone
from email.utils import format_datetime

import codec
from registry import MESSAGES, PROTO, choice

# The greeting text

choice("empty-name-greets-world", MESSAGES,
       "A request with an empty name is greeted with \"Hello, World!\".",
       name=lambda stream, request, name: name or "World")

choice("wording-french", MESSAGES,
       "The greeting is in French, with a non-ASCII letter: "
       "\"Enchant\u00e9, NAME !\".",
       greeting=lambda stream, request, text:
       "Enchant\u00e9, " + text[7:-1] + " !")


def rotate(stream, request, text):
    words = ["Hello", "Good day", "Welcome", "\u3053\u3093\u306b\u3061\u306f"]
    return words[stream.sent % 4] + text[5:]


choice("wording-rotates", MESSAGES,
       "The wording differs from response to response; every fourth one "
       "is Japanese.", greeting=rotate)

choice("name-first", MESSAGES,
       "The greeting starts with the name: \"NAME, hello!\".",
       greeting=lambda stream, request, text: text[7:-1] + ", hello!")

choice("shouted", MESSAGES,
       "The whole greeting, with the name, is in upper case.",
       greeting=lambda stream, request, text: text.upper())

choice("greeting-of-several-lines", MESSAGES,
       "The greeting has three lines; the name stands on the second line.",
       greeting=lambda stream, request, text:
       text.replace(", ", ",\n", 1) + "\nHow are you?")

choice("id-in-greeting", MESSAGES,
       "The greeting ends with the request_id in round brackets.",
       greeting=lambda stream, request, text:
       text + " (" + request.request_id + ")")

choice("greeting-of-30000-characters", "Limits",
       "Each greeting is followed by a poem, 30,000 characters in all or "
       "more; the limit of 25,000 characters is for tools.",
       greeting=lambda stream, request, text:
       text + " la la la".ljust(30000, "."))

choice("name-trimmed", MESSAGES,
       "White space at the start and the end of a name is not repeated in "
       "the greeting.",
       name=lambda stream, request, name: name.strip())

choice("name-normalised", MESSAGES,
       "The name is changed to Unicode normal form C before it is greeted.",
       name=lambda stream, request, name: unicodedata.normalize("NFC", name))

choice("invalid-utf8-replaced", PROTO + "string (UTF-8)",
       "A name with bytes that are not UTF-8 is greeted with U+FFFD in "
       "their place; the default refuses it with INTERNAL.")

# The format of server_timestamp

def stamp(name, does, text):
    """A time format. `text` turns an aware UTC datetime into a string."""
    choice("timestamp-" + name, MESSAGES + ": its format: not shown", does,
           stamp=lambda stream, request, old: text(stream.when))


stamp("unix-seconds", "The timestamp is a whole number of Unix seconds.",
      lambda when: str(int(when.timestamp())))
stamp("unix-milliseconds", "The timestamp is a number of Unix milliseconds.",
      lambda when: str(int(when.timestamp() * 1000)))
stamp("unix-fraction", "The timestamp is Unix seconds with a fraction.",
      lambda when: "%.6f" % when.timestamp())
stamp("http-date", "The timestamp is written as an HTTP date.",
      lambda when: format_datetime(when, usegmt=True))
stamp("offset", "The timestamp is ISO 8601 with the offset +05:45.",
      lambda when: when.astimezone(
          timezone(timedelta(hours=5, minutes=45))).isoformat())
stamp("without-zone", "The timestamp is ISO 8601 in UTC, without a zone.",
      lambda when: when.strftime("%Y-%m-%dT%H:%M:%S.%f"))
stamp("whole-seconds", "The timestamp is ISO 8601 without a fraction, so "
      "many responses in one second bear the same one.",
      lambda when: when.strftime("%Y-%m-%dT%H:%M:%SZ"))
stamp("nanoseconds", "The timestamp is ISO 8601 with nine digits of fraction.",
      lambda when: when.strftime("%Y-%m-%dT%H:%M:%S.%f000Z"))
stamp("basic-format", "The timestamp is ISO 8601 without separators.",
      lambda when: when.strftime("%Y%m%dT%H%M%SZ"))
stamp("prose", "The timestamp is English prose, day first, 12-hour clock "
      "with AM or PM.",
      lambda when: when.strftime("%d %B %Y, %I:%M:%S %p UTC"))

# The encoding of a response

choice("fields-in-reverse-order", PROTO + "Encoding, field order",
       "server_timestamp stands before message in the bytes of a response.",
       layout=lambda stream, request, fields: list(reversed(fields)))

choice("extra-field", PROTO + "Unknown fields",
       "A response also has a field that the document does not show: "
       "number 15, a string.",
       layout=lambda stream, request, fields: fields + [(15, "en")])

choice("extra-field-of-high-number", PROTO + "Unknown fields",
       "A response also has field 20000, a varint, before the known fields.",
       layout=lambda stream, request, fields: [(20000, 7)] + fields)

choice("field-sent-twice", PROTO + "Encoding, last one wins",
       "The message field is twice in the bytes of a response: first "
       "\"draft\", then the greeting.",
       layout=lambda stream, request, fields: [(1, "draft")] + fields)


def overlong(stream, request, data):
    out = b""
    for field in codec.read_fields(data):
        if field.wire == codec.LEN:
            size = bytearray(codec.varint(len(field.value)))
            size[-1] |= 0x80
            out += (codec.varint(field.number << 3 | codec.LEN)
                    + bytes(size) + b"\0" + field.value)
        else:
            out += codec.put(field.number, field.value)
    return out


choice("overlong-lengths", PROTO + "Encoding, base 128 varints",
       "The lengths of strings in a response are varints with one byte more "
       "than needed.", wire=overlong)
