"""Delivery of images through variants, private images and flexible variants."""
import hashlib
import hmac
import time

import png
from store import LOCK
from switches import on
from wire import Fail, Reply

TYPES = ((png.MAGIC, "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"), (b"RIFF", "image/webp"))
MOST_PIXELS = 16000000
SHORT = {"w": "width", "h": "height", "width": "width", "height": "height", "fit": "fit", "metadata": "metadata"}


def kind_of(data):
    return next((kind for magic, kind in TYPES if data.startswith(magic)), "application/octet-stream")


def flexible_options(text):
    options = {"fit": "scale-down", "metadata": "none"}
    for item in text.split(","):
        key, _, value = item.partition("=")
        key = SHORT.get(key)
        if key in ("width", "height"):
            if not value.isdigit() or not 0 < int(value) <= 12000:
                raise Fail(400, "Bad size")
            value = int(value)
        if key:
            options[key] = value
    return options


def sign(world, path, exp):
    text = path + ("?exp=" + exp if exp else "")
    return hmac.new(world.signing_key.encode(), text.encode(), hashlib.sha256).hexdigest()


def allowed(world, request):
    """Whether the URL is signed, and the signature holds."""
    sig, exp = request.query.get("sig", ""), request.query.get("exp", "")
    if on("any-signature-accepted"):
        return bool(sig)
    if exp and (not exp.isdigit() or int(exp) < time.time()):
        return False
    return hmac.compare_digest(sig.encode(), sign(world, request.path, exp).encode())


def box(sw, sh, options):
    """(scaled width, scaled height, final width, final height, how)."""
    w, h, fit = options.get("width"), options.get("height"), options.get("fit", "scale-down")
    if on("height-alone-ignored") and not w:
        h = None
    if on("contain-ignores-height") and fit == "contain" and w:
        h = None
    if not w and not h:
        return sw, sh, sw, sh
    ratios = [r for r in (w and w / sw, h and h / sh) if r]
    small, big = min(ratios), max(ratios)
    down = fit == "scale-down" or (fit in ("cover", "pad", "contain") and on("never-enlarges"))
    if (w or sw) * (h or sh) > MOST_PIXELS or small * sw * small * sh > MOST_PIXELS:
        down = True
    if fit in ("cover", "crop") and w and h and not down:
        if fit == "crop":
            big = min(1.0, big)
        if on("cover-not-cropped") and fit == "cover":
            return max(1, round(sw * big)), max(1, round(sh * big)), 0, 0
        tw, th = max(1, round(sw * big)), max(1, round(sh * big))
        return tw, th, min(tw, w), min(th, h)
    if down or fit == "crop":
        small = min(1.0, small)
    if on("longer-side-fitted") and fit == "scale-down" and w and h:
        small = min(1.0, big)
    tw, th = int(sw * small + 1e-6) or 1, int(sh * small + 1e-6) or 1
    if on("size-rounded-to-nearest") or fit != "scale-down":
        tw, th = min(w or 1 << 30, max(1, round(sw * small))), min(h or 1 << 30, max(1, round(sh * small)))
    if on("height-one-over") and small < 1 and h and th == h:
        th += 1
    if fit == "pad" and w and h and not down:
        return tw, th, (w + 2 if on("pad-two-wider") else w), h
    return tw, th, tw, th


def transform(data, options):
    if not data.startswith(png.MAGIC):
        return data
    try:
        sw, sh = png.size(data)
        mode = options.get("metadata", "none")
        tw, th, fw, fh = box(sw, sh, options)
        if (tw, th, fw, fh) == (sw, sh, sw, sh):
            if on("delivery-always-re-encoded"):
                return png.encode(png.decode(data)[2], png.kept_text(data, mode))
            png.decode(data)  # a broken picture is a transformation error, whatever its size
            return data if on("unresized-keeps-text") else png.filtered(data, mode)
        rows = png.decode(data)[2]
        if (tw, th) != (sw, sh):
            rows = png.scaled(rows, tw, th)
        if fw and (fw < tw or fh < th):
            rows = png.cropped(rows, min(fw, tw), min(fh, th))
        if fw and (fw > tw or fh > th):
            rows = png.padded(rows, fw, fh, b"\0\0\0\0" if on("pad-transparent") else b"\xff\xff\xff\xff")
        return png.encode(rows, png.kept_text(data, mode))
    except png.BadImage as error:
        if on("transformation-error-500"):
            raise Fail(500, "The picture could not be transformed: %s" % error)
        raise Fail(502, "The picture could not be transformed: %s" % error)


def serve(world, request):
    parts = request.segments[1:]
    if request.method not in ("GET", "HEAD"):
        raise Fail(405, "Only GET", headers={"Allow": "GET, HEAD"})
    if len(parts) < 3:
        raise Fail(404, "No such image")
    owner, image_id, name = parts[0], "/".join(parts[1:-1]), parts[-1]
    if on("delivery-redirects") and request.query.get("v") != "1":
        query = (request.rawquery + "&" if request.rawquery else "") + "v=1"
        return Reply(302, b"", "text/plain", {"Location": request.path + "?" + query})
    with LOCK:
        account = next((a for a in world.accounts.values() if a.hash == owner), None)
        if on("delivery-hash-unchecked"):
            account = next((a for a in world.accounts.values() if image_id in a.images), account)
        if not account:
            raise Fail(404, "No such account")
        variant = account.variants.get(name)
        if on("variants-shared-by-accounts"):
            variant = world.a.variants.get(name)
        if on("deleted-variant-still-delivers") and not variant:
            variant = account.dead_variants.get(name)
        if on("unknown-variant-delivers-original") and not variant and "=" not in name:
            image = account.images.get(image_id)
            if image and image.data and not image.signed:
                return Reply(200, image.data, kind_of(image.data))
        if on("delivered-image-survives-delete") and image_id not in account.images:
            for key, data in account.cache.items():
                if key[0] == image_id and key[1] == name:
                    return Reply(200, data, kind_of(data))
        image = account.images.get(image_id)
        if not image or image.draft or not image.data:
            raise Fail(404, "No such image")
        if on("delivery-starts-later") and time.monotonic() - image.born < 0.4:
            raise Fail(404, "No such image yet")
    never, flexible = False, False
    if variant:
        options, never = variant.options, variant.never
        if on("first-options-delivered"):
            options = variant.first
    elif "=" in name:
        if not account.flexible and not on("flexible-always-delivers"):
            if on("flexible-off-400"):
                raise Fail(400, "Flexible variants are off")
            raise Fail(404 if on("flexible-off-404") else 403, "Flexible variants are off")
        options, flexible = flexible_options(name), True
    else:
        raise Fail(404, "No such variant")
    if image.signed and not never and not allowed(world, request):
        exempt = ((on("private-batch-image-open") and image.origin == "batch")
                  or (on("private-url-image-open") and image.origin == "url")
                  or (on("flexible-opens-private") and flexible)
                  or (on("private-open-once-variants-mix") and any(v.never for v in account.variants.values()))
                  or (on("private-open-after-never-variant") and image.opened)
                  or (on("private-open-with-api-token") and "authorization" in request.headers))
        if not exempt:
            if on("private-404"):
                raise Fail(404, "No such image")
            if on("private-401"):
                raise Fail(401, "A signed URL is needed", headers={"WWW-Authenticate": "Signature"})
            raise Fail(403, "A signed URL is needed")
    if image.signed and never:
        image.opened = True
    w, h = options.get("width"), options.get("height")
    key = (image_id, name, tuple(sorted(options.items())), image.serial())
    if on("id-reuse-delivers-old-bytes"):
        key = (image_id, name, key[2])
    elif on("patched-variant-cached"):
        key = (image_id, name, image.serial())
    elif on("cache-keyed-by-size"):
        key = (image_id, w, h, image.serial())
    data = account.cache.get(key)
    if data is None:
        data = transform(image.data, options)
        with LOCK:
            if len(account.cache) > 3000:
                account.cache.clear()
            account.cache[key] = data
    headers = {}
    tag = '"%s"' % hashlib.sha256(data).hexdigest()[:20]
    if on("delivery-etag"):
        headers = {"ETag": tag, "Cache-Control": "public, max-age=0, must-revalidate"}
        if request.headers.get("if-none-match") == tag:
            return Reply(304, b"", kind_of(data), headers)
    return Reply(200, data, "application/octet-stream" if on("delivery-type-octets") else kind_of(data), headers)
