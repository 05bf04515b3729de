"""Variants and the account configuration (operations 6 to 11)."""
import json

from store import LOCK, Variant
from switches import on
from wire import Fail, ok

FITS = ("scale-down", "contain", "cover", "crop", "pad")
METADATA = ("none", "copyright", "keep")


def check_options(options, patch=False):
    if not isinstance(options, dict):
        raise Fail(400, "options must be an object")
    if on("unknown-members-refused") and set(options) - {"fit", "width", "height", "metadata"}:
        raise Fail(400, "Unknown option")
    out = {}
    for key in ("width", "height"):
        if key not in options:
            continue
        value = options[key]
        if on("digit-text-size-accepted") and isinstance(value, str) and value.isdigit():
            value = int(value)
        if on("fractional-size-truncated") and isinstance(value, float):
            value = int(value)
        if on("integral-float-size-accepted") and isinstance(value, float) and value == int(value):
            value = int(value)
        if on("true-size-accepted") and value is True:
            value = 1
        if type(value) is not int or value < 1 or value > 100000:
            raise Fail(400, "%s must be a positive integer" % key)
        out[key] = value
    if "fit" in options:
        fit = options["fit"]
        if on("fit-case-ignored") and isinstance(fit, str):
            fit = fit.lower()
        if fit not in FITS and not (patch and on("patch-fit-unchecked") and isinstance(fit, str)):
            raise Fail(400, "fit must be one of " + ", ".join(FITS))
        if on("fit-crop-stored-as-cover") and fit == "crop":
            fit = "cover"
        out["fit"] = fit
    if "metadata" in options:
        value = options["metadata"]
        if value not in METADATA and not (on("variant-metadata-unchecked") and isinstance(value, str)):
            raise Fail(400, "metadata must be one of " + ", ".join(METADATA))
        if patch and on("patch-metadata-keep-refused") and value == "keep":
            raise Fail(400, "metadata must be one of none, copyright")
        out["metadata"] = value
    return out


def record(variant, view):
    options = dict(variant.options)
    if on("variant-list-swaps-sides") and view == "list" and "width" in options and "height" in options:
        options["width"], options["height"] = options["height"], options["width"]
    if on("variant-list-stale-after-patch") and view == "list":
        options = dict(variant.first)
    never = variant.never
    if on("variant-read-never-always-false") and view == "get":
        never = False
    out = {"id": variant.id, "options": options, "neverRequireSignedURLs": never}
    if on("variant-options-reordered"):
        out["options"] = dict(sorted(options.items(), reverse=True))
    if on("variant-false-flag-omitted") and not variant.never:
        del out["neverRequireSignedURLs"]
    return out


def single(variant, view):
    out = record(variant, view)
    if view == "create" and on("variant-create-answers-id-only"):
        out = {"id": variant.id}
    return {"variant": out} if on("variant-result-nested") else out


def check_name(value):
    if not isinstance(value, str) or not 0 < len(value) <= 100:
        raise Fail(400, "id must be a string of 1 to 100 characters")
    if any(c in "/=,?#" or ord(c) < 33 or 0xd800 <= ord(c) < 0xe000 for c in value):
        raise Fail(400, "id has a character that a URL segment cannot hold")
    if on("variant-name-alphanumeric") and not (value.isascii() and value.isalnum()):
        raise Fail(400, "id must be alphanumeric")
    return value


def table(world, account):
    return world.a.variants if on("variants-shared-by-accounts") else account.variants


def create(world, account, request, _arg):
    body = request.json()
    name = check_name(body.get("id"))
    if "options" not in body:
        raise Fail(400, "options is required")
    options = check_options(body["options"])
    if on("variant-options-all-required") and len(options) < 4:
        raise Fail(400, "fit, width, height and metadata are required")
    never = body.get("neverRequireSignedURLs", False)
    if not isinstance(never, bool):
        raise Fail(400, "neverRequireSignedURLs must be a boolean")
    options = {"fit": "scale-down", "metadata": "none", **options} if not on("variant-defaults-hidden") else options
    if on("create-loses-metadata-copyright") and options.get("metadata") == "copyright":
        options["metadata"] = "none"
    if on("height-taken-from-width") and "height" in options and "width" in options and options["fit"] == "pad":
        options["height"] = options["width"]
    if on("variant-name-lower-cased"):
        name = name.lower()
    with LOCK:
        if name in table(world, account) and not on("taken-variant-overwrites"):
            if on("taken-variant-409"):
                raise Fail(409, "The variant exists")
            raise Fail(400, "The variant exists")
        variant = Variant(name, options, never)
        table(world, account)[name] = variant
        account.dead_variants.pop(name, None)
        if on("flexible-reset-by-new-variant"):
            account.flexible = False
        return ok(single(variant, "create"), 201 if on("variant-create-201") else 200)


def listing(world, account, request, _arg):
    with LOCK:
        variants = list(table(world, account).values())
        if on("variant-list-at-most-twenty"):
            variants = variants[:20]
        if on("variant-list-hides-never-signed"):
            variants = [v for v in variants if not v.never]
        found = [record(v, "list") for v in variants]
    if on("variant-list-keyed"):
        return ok({"variants": {v["id"]: v for v in found}})
    return ok({"variants": found})


def locate(world, account, name):
    variant = table(world, account).get(name)
    if not variant:
        raise Fail(404, "No such variant")
    return variant


def details(world, account, request, name):
    with LOCK:
        return ok(single(locate(world, account, name), "get"))


def patch(world, account, request, name):
    body = request.json()
    with LOCK:
        if on("patch-creates-missing-variant") and name not in table(world, account):
            table(world, account)[name] = Variant(name, {"fit": "scale-down", "metadata": "none"}, False)
        variant = locate(world, account, name)
        if "options" not in body and "neverRequireSignedURLs" not in body:
            raise Fail(400, "options is required")
        if on("refused-patch-applies-sizes") and isinstance(body.get("options"), dict):
            sizes = {k: v for k, v in body["options"].items() if k in ("width", "height")}
            variant.options.update(check_options(sizes))
        changes = check_options(body.get("options", {}), True)
        never = body.get("neverRequireSignedURLs", variant.never)
        if not isinstance(never, bool):
            raise Fail(400, "neverRequireSignedURLs must be a boolean")
        merged = {**variant.options, **changes}
        if on("patch-drops-other-options"):
            merged = {"fit": "scale-down", "metadata": "none", **changes}
        if on("patch-resets-metadata") and "metadata" not in changes:
            merged["metadata"] = "none"
        if on("patch-keeps-height") and "height" in changes and "width" in changes and "height" in variant.options:
            merged["height"] = variant.options["height"]
        if on("patch-fit-ignored"):
            merged["fit"] = variant.options.get("fit", "scale-down")
        if on("patch-scales-height") and "width" in changes and "height" not in changes and merged.get("height"):
            merged["height"] = max(1, merged["height"] * changes["width"] // variant.options.get("width", 1))
        if on("patch-resets-never-flag"):
            never = body.get("neverRequireSignedURLs", False)
        changed = Variant(name, merged, never)
        changed.first = variant.first
        if not on("patch-answers-but-not-stored-twice") or not getattr(variant, "patched", False):
            table(world, account)[name] = changed
        changed.patched = True
        return ok(single(changed, "patch"))


def delete(world, account, request, name):
    with LOCK:
        variants = table(world, account)
        variant = locate(world, account, name)
        if on("variant-delete-keeps-patched") and getattr(variant, "patched", False):
            return ok({})
        del variants[name]
        account.dead_variants[name] = variant
        if on("variant-delete-takes-prefix"):
            for other in [n for n in variants if n.startswith(name)]:
                del variants[other]
        return ok({"id": name} if on("delete-names-id") else {})


def config(world, account, request, _arg):
    body = request.json()
    value = body.get("flexible_variants")
    if on("config-text-accepted") and value in ("true", "false"):
        value = value == "true"
    if on("config-number-accepted") and type(value) is int and value in (0, 1):
        value = bool(value)
    if not isinstance(value, bool):
        raise Fail(400, "flexible_variants must be a boolean")
    with LOCK:
        targets = world.accounts.values() if on("flexible-shared-by-accounts") else [account]
        for target in targets:
            if value or not on("flexible-never-off"):
                target.flexible = value
    if on("config-result-missing"):
        reply = ok({})
        reply.body = json.dumps({"success": True}).encode()
        return reply
    return ok({} if on("config-result-empty") else {"flexible_variants": value})
