"""multipart/form-data (RFC 7578), enough for uploads."""
import re
from switches import on


class BadForm(Exception):
    pass


class Part:
    def __init__(self, name, filename, body):
        self.name, self.filename, self.body = name, filename, body

    def text(self):
        try:
            return self.body.decode("utf-8")
        except UnicodeDecodeError:
            raise BadForm("field %s is not UTF-8" % self.name)


def _params(value):
    found = {}
    for key, quoted, bare in re.findall(r';\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))', value):
        found.setdefault(key.lower(), re.sub(r'\\(["\\])', r"\1", quoted) if quoted or not bare else bare)
    return found


def parse(content_type, body):
    """The parts in order."""
    if content_type.split(";")[0].strip().lower() != "multipart/form-data":
        raise BadForm("multipart/form-data expected")
    boundary = _params(content_type).get("boundary")
    if on("quoted-boundary-refused") and 'boundary="' in content_type.replace(" ", ""):
        boundary = None
    if not boundary:
        raise BadForm("no boundary")
    mark = b"--" + boundary.encode("latin-1")
    data = b"\r\n" + body
    pieces = data.split(b"\r\n" + mark)
    if len(pieces) < 3 or not pieces[-1].startswith(b"--"):
        raise BadForm("form is not closed")
    parts = []
    for piece in pieces[1:-1]:
        # Blanks may follow the boundary on its line.
        start = piece.find(b"\r\n")
        head, gap, content = piece[start:].partition(b"\r\n\r\n")
        if start < 0 or not gap:
            raise BadForm("bad part")
        disposition = ""
        for line in head.decode("utf-8", "replace").split("\r\n"):
            key, _, value = line.partition(":")
            if on("part-header-case-matters"):
                matches = key.strip() == "Content-Disposition"
            else:
                matches = key.strip().lower() == "content-disposition"
            if matches:
                disposition = value
        params = _params(disposition)
        if "name" not in params:
            raise BadForm("part without a name")
        filename = params.get("filename")
        parts.append(Part(params["name"], filename, content))
    return parts


def first(parts, name):
    for part in parts:
        if part.name == name:
            return part
    return None
