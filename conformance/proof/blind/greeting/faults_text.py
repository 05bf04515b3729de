"""Violations: the text of the greeting is wrong."""

import re
import unicodedata
from urllib.parse import unquote

from registry import ERRORS, LIMITS, MESSAGES, PROTO, violation

NAME = MESSAGES + ": name to greet"
UTF8 = PROTO + "string (must be UTF-8)"


def text_fault(name, where, does, change):
    """A violation that changes the name before it is greeted."""
    violation(name, where, does,
              name=lambda stream, request, value: change(value))


def as_bytes(data):
    """Text that the encoder turns back into exactly these bytes."""
    return data.decode("utf-8", "surrogateescape")


# The name is not the one of the request

text_fault("greeting-without-name", NAME,
           "Every greeting is \"Hello!\" without the name.",
           lambda name: "")
violation("greets-the-request-id", NAME,
          "The greeting holds the request_id in place of the name.",
          name=lambda stream, request, name: request.request_id)
text_fault("long-name-called-friend", NAME,
           "A name of more than 40 characters is greeted as \"friend\".",
           lambda name: name if len(name) <= 40 else "friend")
text_fault("null-name", NAME,
           "The names \"null\", \"None\" and \"undefined\" are taken for "
           "an empty name.",
           lambda name: "" if name in ("null", "None", "undefined") else name)
text_fault("number-name", NAME,
           "A name of digits loses its leading zeros.",
           lambda name: str(int(name)) if re.fullmatch("[0-9]+", name)
           else name)

# The name is cut

text_fault("cut-at-100-characters", NAME,
           "A name is cut after 100 characters.",
           lambda name: name[:100])
text_fault("cut-at-255-bytes", UTF8,
           "A name is cut after 255 bytes, also inside a character, so the "
           "message may not be UTF-8.",
           lambda name: as_bytes(name.encode()[:255]))
text_fault("cut-at-nul", NAME,
           "A name is cut at its first U+0000.",
           lambda name: name.split("\0")[0])
text_fault("cut-at-line-break", NAME,
           "A name is cut at its first line break.",
           lambda name: name.split("\n")[0])
text_fault("length-in-16-bits", NAME,
           "A name of 65,536 bytes or more is cut to its length modulo "
           "65,536.",
           lambda name: name if len(name.encode()) < 65536 else as_bytes(
               name.encode()[:len(name.encode()) % 65536]))
text_fault("last-character-lost", NAME,
           "A name whose length in bytes is a multiple of 16 loses its last "
           "character.",
           lambda name: name[:-1] if len(name.encode()) % 16 == 0 else name)
violation("cut-at-25000-characters", LIMITS,
          "A greeting is cut at 25,000 characters, the limit of the tool "
          "servers.",
          greeting=lambda stream, request, text: text[:25000])

# Characters are changed

text_fault("non-ascii-replaced", NAME,
           "Each non-ASCII character of a name becomes a question mark.",
           lambda name: name.encode("ascii", "replace").decode())
text_fault("accents-lost", NAME,
           "Letters lose their accents.",
           lambda name: "".join(
               c for c in unicodedata.normalize("NFD", name)
               if not unicodedata.combining(c)))
text_fault("astral-characters-lost", NAME,
           "Characters above U+FFFF are left out.",
           lambda name: "".join(c for c in name if c <= "\uffff"))


def latin1(name):
    try:
        return as_bytes(name.encode("latin-1"))
    except UnicodeEncodeError:
        return name


text_fault("latin-1-bytes", UTF8,
           "A name whose characters are all in Latin-1, not all in ASCII, "
           "is sent as Latin-1 bytes.", latin1)


def surrogates(match):
    high, low = divmod(ord(match.group()) - 0x10000, 0x400)
    pair = chr(0xD800 + high) + chr(0xDC00 + low)
    return as_bytes(pair.encode("utf-8", "surrogatepass"))


text_fault("surrogate-pairs", UTF8,
           "A character above U+FFFF is sent as two surrogates of three "
           "bytes each (CESU-8), which is not UTF-8.",
           lambda name: re.sub("[\U00010000-\U0010ffff]", surrogates, name))
text_fault("encoded-twice", NAME,
           "The UTF-8 bytes of a name are read as Latin-1 and encoded again.",
           lambda name: name.encode("utf-8", "surrogateescape")
           .decode("latin-1"))
text_fault("html-escaped", NAME,
           "The characters & < > in a name become HTML entities.",
           lambda name: name.replace("&", "&amp;").replace("<", "&lt;")
           .replace(">", "&gt;"))
text_fault("percent-decoded", NAME,
           "Percent sequences such as %41 in a name are decoded.", unquote)
text_fault("quotes-escaped", NAME,
           "Quotation marks and backslashes in a name get a backslash.",
           lambda name: re.sub(r'(["\\])', r"\\\1", name))
text_fault("double-letters-lost", NAME,
           "A letter that follows the same letter in a name is left out.",
           lambda name: re.sub(r"([^\W\d_])\1+", r"\1", name))

# By position

violation("every-tenth-name-doubled", NAME,
          "In the 10th, 20th ... request of a stream the name is greeted "
          "twice without a space (\"AdaAda\").",
          name=lambda stream, request, name:
          name * 2 if stream.received % 10 == 0 else name)


def previous_name(stream, request, name):
    old = stream.own.get("previous name", name)
    stream.own["previous name"] = name
    return old


violation("name-of-previous-request", NAME,
          "From the second request of a stream on, the greeting holds the "
          "name of the request before.", name=previous_name)


def stale_name(stream, request, name):
    if name:
        stream.own["last name"] = name
    return stream.own.get("last name", name)


violation("empty-name-keeps-the-last", PROTO + "Default values",
          "A request with an empty name is greeted with the last name of the "
          "stream that was not empty.", name=stale_name)

# Errors in the text

violation("error-text-as-greeting", ERRORS,
          "A request with an empty name gets the message \"Error: name must "
          "not be empty\", as a tool does; it is not a greeting.",
          greeting=lambda stream, request, text:
          text if request.name else "Error: name must not be empty")



violation("long-greeting-in-parts", MESSAGES + ": message, the greeting",
          "A greeting of more than 1,000 characters is sent in parts, one "
          "response for each 1,000 characters.",
          parts=lambda stream, request, texts:
          [text[at:at + 1000] for text in texts
           for at in range(0, len(text), 1000)])
