"""Direct creator upload: tickets (operation 2) and the one-time upload URL."""
import datetime
import json
import secrets
import time

import images_api
import multipart
from store import LOCK, UTC, Image, Ticket, new_id, now
from switches import on
from wire import Fail, ok

LONGEST = datetime.timedelta(hours=6)


def read_expiry(text):
    if not isinstance(text, str) or len(text) < 11:
        raise Fail(400, "expiry must be an ISO 8601 timestamp")
    if on("expiry-fraction-refused") and "." in text:
        raise Fail(400, "expiry must be an ISO 8601 timestamp")
    try:
        when = datetime.datetime.fromisoformat(text)
    except ValueError:
        if on("bad-expiry-ignored"):
            return now() + datetime.timedelta(minutes=30)
        raise Fail(400, "expiry must be an ISO 8601 timestamp")
    if when.tzinfo is None or on("expiry-offset-ignored"):
        when = when.replace(tzinfo=UTC)
    return when


def check_expiry(when):
    left = when - now()
    if left <= datetime.timedelta(0):
        if not on("past-expiry-gives-dead-ticket"):
            raise Fail(400, "expiry is in the past")
        return when
    if on("expiry-at-least-two-minutes") and left < datetime.timedelta(minutes=2):
        raise Fail(400, "expiry must be at least two minutes away")
    longest = datetime.timedelta(hours=5) if on("expiry-five-hours-at-most") else LONGEST
    too_long = left > longest
    if on("expiry-whole-days-ignored"):
        too_long = left.seconds > LONGEST.seconds
    if on("expiry-limit-24-hours"):
        too_long = left > datetime.timedelta(hours=24)
    if too_long:
        if on("expiry-clamped"):
            return now() + LONGEST
        raise Fail(400, "expiry must be at most 6 hours away")
    return when


def create(world, account, request, _arg):
    if on("json-type-required") and "json" not in request.headers.get("content-type", ""):
        raise Fail(400, "Content-Type must be application/json")
    try:
        body = request.json() if request.body or not on("empty-ticket-body-accepted") else {}
    except Fail:
        if not on("malformed-ticket-json-accepted"):
            raise
        body = {}
    if on("unknown-members-refused") and set(body) - {"requireSignedURLs", "metadata", "expiry", "id"}:
        raise Fail(400, "Unknown member")
    signed = body.get("requireSignedURLs", False)
    if on("json-boolean-strings-accepted") and signed in ("true", "false"):
        signed = signed == "true"
    if on("json-null-means-absent") and signed is None:
        signed = False
    if on("ticket-signed-text-truthy") and isinstance(signed, str):
        signed = bool(signed)
    if not isinstance(signed, bool):
        raise Fail(400, "requireSignedURLs must be a boolean")
    metadata = {}
    if "metadata" in body and not (body["metadata"] is None and on("json-null-means-absent")):
        value = body["metadata"]
        if isinstance(value, str) and on("ticket-metadata-text-accepted"):
            metadata = value
        else:
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            try:
                size = len(text.encode("utf-8"))
            except UnicodeEncodeError:
                raise Fail(400, "metadata is not valid Unicode")
            metadata = images_api.check_metadata(value, size, len(text), "ticket")
    image_id = None
    if "id" in body and not (body["id"] is None and on("json-null-means-absent")):
        if isinstance(body["id"], int) and on("ticket-id-number-accepted"):
            body["id"] = str(body["id"])
        image_id = images_api.check_id(body["id"])
        if signed or (on("id-with-signed-false-refused") and "requireSignedURLs" in body):
            if not (on("id-with-signed-accepted-if-expiry") and "expiry" in body):
                if on("id-with-signed-drops-signed"):
                    signed = False
                else:
                    if on("refused-ticket-leaves-draft"):
                        account.images.setdefault(image_id, Image(image_id, signed, metadata, True))
                    raise Fail(400, "id cannot be combined with requireSignedURLs true")
    if "expiry" in body and not (body["expiry"] is None and on("json-null-means-absent")):
        expires = check_expiry(read_expiry(body["expiry"]))
    else:
        expires = now() + datetime.timedelta(minutes=30)
    with LOCK:
        if image_id is not None:
            images_api.claim(account, image_id)
        image = Image(image_id or new_id(account), signed, metadata, True)
        image.origin, image.expires = "ticket", expires
        image.draft = not (on("draft-false-with-metadata") and metadata)
        image.snapshot = list(account.variants)
        ticket = Ticket(account, image, expires)
        key = secrets.token_urlsafe(24)
        world.tickets[key] = ticket
        account.tickets.append(ticket)
        account.images[image.id] = image
    link = "%s/upload/%s/%s" % (world.root, account.hash, key)
    if on("upload-url-with-query"):
        link = "%s/upload?ticket=%s" % (world.root, key)
    result = {"id": image.id, "uploadURL": link}
    if on("ticket-extra-members"):
        result["expiry"] = expires.isoformat()
    return ok(result)


def gone(used):
    """What a spent or expired upload URL answers."""
    if on("used-url-404") and used:
        raise Fail(404, "No such upload")
    if on("used-url-409") and used:
        raise Fail(409, "The upload is already complete")
    if on("used-url-403") and used:
        raise Fail(403, "The upload URL was used")
    if on("expired-url-410") and not used:
        raise Fail(410, "The upload URL has expired")
    if on("expired-url-5408") and not used:
        raise Fail(400, "The upload URL has expired", 5408)
    raise Fail(400, "The upload URL was used" if used else "The upload URL has expired")


def complete(world, request):
    key = request.query.get("ticket", "") if on("upload-url-with-query") else request.segments[-1]
    ticket = world.tickets.get(key)
    if not ticket:
        raise Fail(404, "No such upload")
    if request.method != "POST":
        raise Fail(405, "POST the file", headers={"Allow": "POST"})
    account, image = ticket.account, ticket.image
    check(ticket)
    if on("upload-url-spent-by-failure"):
        ticket.used = True
    parts = multipart.parse(request.headers.get("content-type", ""), request.body)
    file = multipart.first(parts, "file")
    if not file and on("upload-url-any-part-name"):
        file = next((p for p in parts if p.filename), None)
    if not file:
        if on("refused-upload-ends-draft"):
            image.draft = False
        raise Fail(400, "The file part must be named file")
    if len(file.body) > images_api.MAX_FILE and on("upload-url-oversize-400"):
        raise Fail(400, "The file is too large")
    images_api.check_file(file.body)
    if on("upload-url-race"):
        time.sleep(0.15)  # the check was made above, the mark is set below
    with LOCK:
        if not on("upload-url-race") and not on("upload-url-spent-by-failure"):
            check(ticket)
        if on("open-tickets-mixed-up"):
            unused = [t for t in account.tickets if not t.used]
            if unused:
                image = unused[-1].image
        if account.images.get(image.id) is not image and not on("used-url-revives-deleted-image"):
            raise Fail(404, "The image was deleted")
        ticket.used, ticket.used_at = True, time.monotonic()
        ticket.number += 1
        image.data, image.filename = file.body, file.filename or "file"
        image.draft = False
        image.born = time.monotonic()
        if not on("uploaded-is-ticket-time"):
            image.uploaded = now()
        if on("custom-ticket-stays-draft") and len(image.id) != 36:
            image.draft = True
        if on("ticket-metadata-lost"):
            image.metadata = {}
        if on("ticket-signed-lost"):
            image.signed = False
        if on("ticket-id-lower-cased-on-upload"):
            account.images.pop(image.id, None)
            image.id = image.id.lower()
        account.images[image.id] = image
        if on("upload-url-result-id-only"):
            return ok({"id": image.id})
        return ok(images_api.record(world, account, image, "upload"))


def check(ticket):
    if ticket.used:
        recent = ticket.used_at and time.monotonic() - ticket.used_at < 1.0
        if on("upload-url-reusable-for-a-second") and recent:
            return
        if on("used-url-revives-deleted-image") and ticket.image.gone:
            return
        if on("upload-url-works-twice") and ticket.number < 2:
            return
        gone(True)
    if ticket.expires < now() and not on("expiry-not-enforced"):
        gone(False)
