"""Upload, list, read and delete images (operations 1, 3, 4 and 5)."""
import json
import time
import urllib.parse
import uuid

import fetch
import multipart
import png
from store import LOCK, Image, new_id, now, stamp
from switches import on
from wire import MAX_FILE, Fail, ok

RESERVED = ("variants", "config")
KINDS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")


def address(world, account, image_id, name):
    return "%s/delivery/%s/%s/%s" % (world.root, account.hash, urllib.parse.quote(image_id, safe="/" if on("links-keep-slashes") else ""),
                                     urllib.parse.quote(name, safe=""))


def links(world, account, image, view):
    names = list(account.variants)
    if on("variant-links-frozen-at-upload"):
        names = image.snapshot
    if on("variant-links-keep-deleted"):
        names += [n for n in account.dead_variants if n not in names]
    if on("variant-links-at-most-ten"):
        names = names[:10]
    if on("variant-links-newest-first"):
        names = names[::-1]
    if on("list-links-swap-parts") and view == "list":
        return ["%s/delivery/%s/%s/%s" % (world.root, account.hash, n, image.id) for n in names]
    if on("draft-links-empty-after-upload") and image.origin == "ticket" and not image.draft:
        return []
    return [address(world, account, image.id, n) for n in names]


def record(world, account, image, view):
    signed = image.signed
    if on("list-signed-as-string") and view == "list":
        signed = "true" if signed else "false"
    if on("list-signed-always-false") and view == "list":
        signed = False
    when = stamp(image.uploaded)
    if on("list-uploaded-http-date") and view == "list":
        when = image.uploaded.strftime("%a, %d %b %Y %H:%M:%S GMT")
    filename = image.filename
    if on("url-upload-filename-null") and image.origin == "url":
        filename = None
    out = {"id": image.id, "filename": filename, "uploaded": when, "requireSignedURLs": signed,
           "variants": links(world, account, image, view)}
    if view == "get":
        out["draft"] = image.draft
        if on("draft-absent-after-plain-upload") and image.origin != "ticket":
            del out["draft"]
        if on("draft-false-when-private") and image.signed:
            out["draft"] = False
    if view == "get" or on("metadata-everywhere"):
        if image.metadata or not on("metadata-absent-when-none"):
            out["metadata"] = image.metadata
        if on("metadata-sorted"):
            out["metadata"] = json.loads(json.dumps(image.metadata, sort_keys=True))
    if on("extra-image-members"):
        out.update(creator=None, size=len(image.data), meta=image.metadata)
    return out


def boolean(text):
    text = text.strip()
    if on("form-false-reads-true"):
        return bool(text)
    if on("lenient-form-booleans"):
        text = {"1": "true", "0": "false", "yes": "true", "no": "false"}.get(text.lower(), text.lower())
    if text not in ("true", "false"):
        raise Fail(400, "requireSignedURLs must be true or false")
    return text == "true"


def check_metadata(value, size, chars, where):
    """The limit and the form of metadata; where is form, url, batch or ticket."""
    limit = 1024
    if on("metadata-limit-in-characters"):
        size = chars
    if on("metadata-limit-1025"):
        limit = 1025
    if on("metadata-limit-1023"):
        limit = 1023
    free = {"ticket": "ticket-metadata-unlimited", "url": "url-upload-metadata-unlimited",
            "batch": "batch-metadata-unlimited"}.get(where)
    if not isinstance(value, dict):
        if not (isinstance(value, list) and on("metadata-array-accepted")):
            raise Fail(400, "metadata must be a JSON object")
    if size > limit and not (free and on(free)):
        if on("refused-metadata-still-stores") and where in ("form", "batch"):
            return {}  # upload() refuses after it has stored
        raise Fail(400, "metadata is larger than 1024 bytes")
    if on("metadata-falsy-members-dropped") and isinstance(value, dict):
        value = {k: v for k, v in value.items() if v or v is None}
    if on("metadata-null-members-dropped") and isinstance(value, dict):
        value = {k: v for k, v in value.items() if v is not None}
    if on("metadata-numbers-as-strings") and where != "ticket" and isinstance(value, dict):
        value = {k: str(v) if type(v) in (int, float) else v for k, v in value.items()}
    if on("metadata-nested-as-text") and isinstance(value, dict):
        value = {k: json.dumps(v) if isinstance(v, dict) else v for k, v in value.items()}
    return value


def check_id(value):
    if not isinstance(value, str) or len(value) > 1024 or any(ord(c) < 32 or 0xd800 <= ord(c) < 0xe000 for c in value):
        raise Fail(400, "The id is not valid")
    if value.split("/")[0] in RESERVED or value.strip("/") != value or not value or "//" in value:
        raise Fail(400, "The id is not valid")
    if on("custom-id-no-slash") and "/" in value:
        raise Fail(400, "An id must not contain a slash")
    if on("custom-id-not-uuid"):
        try:
            uuid.UUID(value)
        except ValueError:
            return value
        raise Fail(400, "A custom id must not be a UUID")
    return value


def check_file(data):
    if len(data) > MAX_FILE:
        raise Fail(413, "The file is too large")
    if not data:
        raise Fail(400, "The file is empty")
    if not data.startswith(KINDS) and not on("any-bytes-accepted"):
        raise Fail(400, "The file is not an image that the service knows")
    if on("broken-png-refused-at-upload") and data.startswith(png.MAGIC):
        try:
            png.decode(data)
        except png.BadImage:
            raise Fail(400, "The PNG is broken")


def claim(account, image_id):
    """Refuse an id that is taken; the caller holds the lock."""
    if image_id in account.images:
        if on("taken-id-409"):
            raise Fail(409, "The id is taken")
        raise Fail(400, "The id is taken")


def upload(world, account, request, _arg):
    batch = getattr(request, "is_batch", False)
    parts = multipart.parse(request.headers.get("content-type", ""), request.body)
    if on("extra-form-fields-refused"):
        for part in parts:
            if part.name not in ("file", "url", "id", "requireSignedURLs", "metadata"):
                raise Fail(400, "Unknown field " + part.name)
    get = lambda name: multipart.first(parts, name)
    file, url = get("file"), get("url")
    names = [p.name for p in parts]
    if file and url:
        if on("batch-takes-file-and-url") and batch:
            url = None
        elif on("url-before-file-accepted") and names.index("url") < names.index("file"):
            url = None
        else:
            raise Fail(400, "file and url must not both be sent")
    if not file and not url and not (on("id-alone-accepted") and get("id")):
        raise Fail(400, "file or url is required")
    image_id = check_id(get("id").text()) if get("id") and not (
        get("id").body == b"" and on("empty-id-means-none")) else None
    signed = boolean(get("requireSignedURLs").text()) if get("requireSignedURLs") else False
    metadata, text = {}, ""
    if get("metadata"):
        text = get("metadata").text()
        try:
            value = json.loads(text)
            json.dumps(value, allow_nan=False)
        except (ValueError, RecursionError):
            if on("bad-metadata-200"):
                from wire import failed
                reply = failed(Fail(400, "metadata is not JSON"))
                reply.status = 200
                return reply
            if not on("bad-metadata-dropped-with-url") or not url:
                raise Fail(400, "metadata is not JSON")
            value, text = {}, "{}"
        if on("metadata-size-compact"):
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        metadata = check_metadata(value, len(text.encode("utf-8")), len(text),
                                  "batch" if batch else "url" if url else "form")
        if on("metadata-unicode-mangled"):
            metadata = json.loads(json.dumps(metadata, ensure_ascii=False).encode().decode("latin-1"))
    if url:
        data, filename = fetch.ingest(world, url.text())
        if on("url-upload-ignores-signed"):
            signed = False
        if on("url-upload-ignores-id"):
            image_id = None
    elif file:
        data, filename = file.body, file.filename or "file"
    else:
        data, filename = png.solid(1, 1), "empty"
    if batch and len(data) > MAX_FILE and on("batch-oversize-400"):
        raise Fail(400, "The file is too large")
    if not (len(data) > MAX_FILE and on("oversize-413-still-stores")):
        check_file(data)
    if on("custom-upload-ignores-signed") and image_id:
        signed = False
    if on("custom-id-lower-cased") and image_id:
        image_id = image_id.lower()
    if on("custom-id-cut-at-64") and image_id:
        image_id = image_id[:64]
    if on("file-names-cleaned"):
        filename = filename.replace(" ", "_")
    if on("batch-ignores-custom-id") and batch:
        image_id = None
    with LOCK:
        if image_id is not None:
            if on("taken-id-overwrites"):
                account.images.pop(image_id, None)
            claim(account, image_id)
        if on("metadata-leaks-to-next-upload"):
            metadata = metadata or account.last_metadata
            account.last_metadata = metadata
        image = Image(image_id or new_id(account), signed, metadata)
        image.data, image.filename = data, filename
        image.origin = "batch" if batch else "url" if url else "file"
        image.snapshot = list(account.variants)
        image.born = time.monotonic()
        account.images[image.id] = image
        if len(data) > MAX_FILE:
            check_file(data)
        if on("refused-metadata-still-stores") and not url and len(text.encode("utf-8")) > 1024:
            raise Fail(400, "metadata is larger than 1024 bytes")
        return ok(record(world, account, image, "upload"))


def number(request, name, default, low, high):
    text = request.query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit()):
        if on("bad-page-ignored"):
            return default
        raise Fail(400, "%s must be a positive integer" % name)
    value = int(text)
    if value < low:
        if on("page-zero-is-default"):
            return default
        raise Fail(400, "%s must be at least %d" % (name, low))
    if high and value > high:
        if on("per-page-clamped"):
            return high
        raise Fail(400, "%s must be at most %d" % (name, high))
    return value


def listing(world, account, request, _arg):
    batch = getattr(request, "is_batch", False)
    page = number(request, "page", 1, 1, None)
    high = None if on("batch-per-page-unbounded") and batch else 101 if on("per-page-101-accepted") else 100
    per_page = number(request, "per_page", 50 if on("per-page-default-50") else 100, 1, high)
    if on("batch-page-ignored") and batch:
        page = 1
    with LOCK:
        images = [i for i in account.images.values() if not i.draft or on("list-includes-drafts")]
        if on("list-hides-private"):
            images = [i for i in images if not i.signed]
        if on("list-hides-completed-tickets"):
            images = [i for i in images if i.origin != "ticket"]
        if on("new-image-listed-later"):
            images = [i for i in images if time.monotonic() - getattr(i, "born", 0) > 0.4]
        if on("list-keeps-batch-deleted"):
            images += list(account.ghosts.values())
        if on("batch-list-leaks-accounts") and batch:
            images += [i for a in world.accounts.values() if a is not account for i in a.images.values()]
        if on("list-newest-first"):
            images.reverse()
        if on("list-by-id"):
            images.sort(key=lambda i: i.id)
        start = (page - 1) * per_page
        if on("list-pages-overlap") and page > 1:
            start -= 1
        if on("list-later-pages-skip-one") and page > 2:
            start += 1
        chosen = images[start:start + per_page]
        if on("list-partial-page-dropped") and page > 1 and len(chosen) < per_page:
            chosen = []
        result = {"images": [record(world, account, i, "list") for i in chosen]}
        if on("list-extra-counts"):
            result.update(total_count=len(images), page=page, per_page=per_page)
        return ok(result)


def locate(world, account, image_id):
    image = account.images.get(image_id)
    if image and on("expired-draft-vanishes") and image.draft and image.expires and image.expires < now():
        image = None
    if not image:
        raise Fail(404, "No such image")
    return image


def details(world, account, request, image_id):
    with LOCK:
        if on("get-reaches-other-accounts") and image_id not in account.images:
            for other in world.accounts.values():
                if image_id in other.images:
                    return ok(record(world, other, other.images[image_id], "get"))
        if on("encoded-id-not-decoded") and "%" in request.path:
            raise Fail(404, "No such image")
        return ok(record(world, account, locate(world, account, image_id), "get"))


def delete(world, account, request, image_id):
    batch = getattr(request, "is_batch", False)
    with LOCK:
        if on("delete-reaches-other-accounts") and image_id not in account.images:
            for other in world.accounts.values():
                if image_id in other.images:
                    account = other
        image = locate(world, account, image_id)
        if (on("private-delete-does-nothing") and image.signed) or (on("draft-delete-does-nothing") and image.draft):
            return ok({})
        del account.images[image_id]
        image.gone = True
        if on("delete-takes-prefix-ids"):
            for other in [k for k in account.images if k.startswith(image_id)]:
                del account.images[other]
        if not on("id-reuse-delivers-old-bytes"):
            if not (on("delivered-image-survives-delete") or on("cache-keyed-by-size")):
                account.cache = {k: v for k, v in account.cache.items() if k[0] != image_id}
        if batch and on("list-keeps-batch-deleted"):
            account.ghosts[image_id] = image
        if on("delete-result-missing"):
            reply = ok({})
            reply.body = b'{"success": true}'
            return reply
        return ok({"id": image_id} if on("delete-names-id") else {})
