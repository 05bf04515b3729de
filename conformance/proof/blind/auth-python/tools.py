"""The tools: who am I, list, get and add notes. Notes belong to one user."""
import json
import time
from datetime import datetime, timezone

from core import LOCK, S, now, on

LIMIT = 25000
FORMAT = {"type": "string", "enum": ["markdown", "json"], "default": "markdown", "description": "Form of the answer"}


class ToolError(Exception):
    pass


def notes(hints, title):
    keys = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
    return dict({"title": title}, **dict(zip(keys, hints)))


def definitions():
    write_hints = (on("write-tool-says-read-only"), False, False, False)
    out = [
        {"name": "notes_get_current_user", "title": "Current user",
         "description": "Returns the profile of the current user as JSON text: login, name and email. "
                        "Takes no arguments. Do not use it to look up other users.",
         "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
         "annotations": notes((True, False, True, False), "Current user")},
        {"name": "notes_list_items", "title": "List notes",
         "description": "Lists the current user's notes page by page (limit, offset) as markdown or JSON with total, "
                        "count, offset, items, has_more and next_offset. Do not use it to read one note.",
         "inputSchema": {"type": "object", "additionalProperties": False, "properties": {
             "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20, "description": "Items per page"},
             "offset": {"type": "integer", "minimum": 0, "default": 0, "description": "Items to skip"},
             "response_format": FORMAT}},
         "annotations": notes((True, False, True, False), "List notes")},
        {"name": "notes_get_item", "title": "Get a note",
         "description": "Returns one note of the current user as JSON text. Argument: id. Do not use it for lists.",
         "inputSchema": {"type": "object", "additionalProperties": False, "required": ["id"], "properties": {
             "id": {"type": "string", "minLength": 1, "maxLength": 40, "description": "Identifier of the note"}}},
         "annotations": notes((True, False, True, False), "Get a note")},
        {"name": "notes_add_item", "title": "Add a note",
         "description": "Adds a note for the current user and returns it as JSON text. Arguments: title, draft. Needs the "
                        "scope items:write (items:write:draft is enough for drafts). Do not use it to change a note.",
         "inputSchema": {"type": "object", "additionalProperties": False, "required": ["title"], "properties": {
             "title": {"type": "string", "minLength": 1, "maxLength": 200, "description": "Text of the note"},
             "draft": {"type": "boolean", "default": False, "description": "True for a draft"}}},
         "annotations": notes(write_hints, "Add a note")},
    ]
    if on("tools-have-output-schema"):
        out[0]["outputSchema"] = {"type": "object", "properties": {"login": {"type": ["string", "null"]}}}
    if on("tools-without-annotations"):
        for tool in out:
            del tool["annotations"]
    return out


def scope_needed(name, args):
    if name != "notes_add_item":
        return ["items:read"]
    return ["items:write", "items:write:draft"] if args.get("draft") is True else ["items:write"]


def scope_ok(who, name, args):
    have = who["scope"].split(" ")
    need = scope_needed(name, args)
    if any(n in have for n in need) or on("scope-not-enforced"):
        return True
    if on("read-scope-not-enforced") and name != "notes_add_item":
        return True
    if on("scope-compared-as-text"):
        return any(n in who["scope"] for n in need)
    return False


def check_input(name, args):
    """Validate the arguments against the input model; return the clean arguments."""
    schema = next(t for t in definitions() if t["name"] == name)["inputSchema"]
    out = {}
    for key, value in args.items():
        rule = schema["properties"].get(key)
        if rule is None:
            if on("extra-fields-ignored"):
                continue
            raise ToolError("Error: Invalid input: unknown field '%s'." % key)
        kind = rule["type"]
        if kind == "string":
            if isinstance(value, str) and on("whitespace-stripped"):
                value = value.strip()
            bad = not isinstance(value, str) or not rule.get("minLength", 0) <= len(value) <= rule.get("maxLength", 9999)
            bad = bad or ("enum" in rule and value not in rule["enum"])
        elif kind == "integer":
            if isinstance(value, float) and value.is_integer():
                value = int(value)
            if on("number-as-text-accepted") and isinstance(value, str) and value.isdigit():
                value = int(value)
            bad = not isinstance(value, int) or isinstance(value, bool)
            if not bad and key == "limit" and on("limit-above-100-accepted") and value > 100:
                pass
            elif not bad and key == "limit" and on("limit-zero-accepted") and value == 0:
                pass
            elif not bad and key == "offset" and on("negative-offset-accepted") and value < 0:
                value = 0
            else:
                bad = bad or value < rule["minimum"] or value > rule.get("maximum", 10 ** 12)
        else:
            bad = not isinstance(value, bool)
        if bad:
            raise ToolError("Error: Invalid input: field '%s' does not fit its model." % key)
        out[key] = value
    for key in schema.get("required", []):
        if key not in out:
            raise ToolError("Error: Invalid input: field '%s' is required." % key)
    return out


def shelf(login):
    if on("notes-shared-between-users"):
        login = "everyone"
    with LOCK:
        if login not in S.items:
            S.items[login] = [{"id": "n%d" % S.next_number(), "title": "Note %d" % i, "draft": False, "created_at": stamp()}
                              for i in range(1, 26)]
        return S.items[login]


def stamp():
    return datetime.fromtimestamp(now(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def whoami(who, args):
    profile = {"login": who["login"], "name": who["name"], "email": who["email"]}
    if on("profile-cached-for-everyone"):
        profile = S.misc.setdefault("profile", profile)
    if on("email-missing-in-profile"):
        profile["email"] = None
    if on("current-user-held-globally"):
        S.misc["current"] = profile
        time.sleep(0.15)
        profile = S.misc["current"]
    if on("upstream-token-in-profile"):
        profile["accessToken"] = who.get("upstream_token")
    return json.dumps(profile, ensure_ascii=on("profile-json-escaped"))


def list_items(who, args):
    limit, offset = args.get("limit", 20), args.get("offset", 0)
    everything = shelf(who["login"])
    found = everything[offset:offset + limit]
    style = args.get("response_format", "json" if on("json-is-default-format") else "markdown")
    truncated = None
    while True:
        count, total = len(found), len(everything)
        more = total > offset + count
        if on("has-more-wrong-at-end"):
            more = total >= offset + count
        after = offset + count if more else (0 if on("next-offset-zero-at-end") else None)
        if style == "json":
            value = {"total": count if on("total-counts-page") else total, "count": count, "offset": offset,
                     "items": found, "has_more": more, "next_offset": after}
            if truncated:
                value.update(truncated=True, truncation_message=truncated)
            text = json.dumps(value, ensure_ascii=False)
        else:
            lines = ["# Notes", "", "%d of %d notes, from %d" % (count, total, offset), ""]
            lines += ["- %s (%s)%s" % (i["title"], i["id"], ", draft" if i["draft"] else "") for i in found]
            if truncated:
                lines += ["", truncated]
            text = "\n".join(lines)
        if len(text) <= LIMIT or not found:
            return text
        found = found[:max(1, len(found) // 2)] if len(found) > 1 else []
        truncated = "The answer was too long; use offset to read further items or a smaller limit."


def get_item(who, args):
    shelves = S.items.values() if on("notes-of-others-readable") else [shelf(who["login"])]
    for items in list(shelves):
        for item in items:
            if item["id"] == args["id"]:
                return json.dumps(item, ensure_ascii=False)
    raise ToolError("Error: Resource not found; check the identifier.")


def add_item(who, args):
    item = {"id": "n%d" % S.next_number(), "title": args["title"], "draft": args.get("draft", False), "created_at": stamp()}
    shelf(who["login"]).append(item)
    return json.dumps(item, ensure_ascii=False)


RUN = {"notes_get_current_user": whoami, "notes_list_items": list_items,
       "notes_get_item": get_item, "notes_add_item": add_item}


def call(who, name, args):
    """Run a tool and return the MCP result."""
    try:
        try:
            clean = check_input(name, args)
        except ToolError:
            if on("refused-input-has-effect") and name == "notes_add_item":
                shelf(who["login"]).append({"id": "n0", "title": str(args.get("title")), "draft": False, "created_at": stamp()})
            raise
        text, failed = RUN[name](who, clean), False
    except ToolError as error:
        text, failed = str(error), True
        if on("tool-errors-without-prefix"):
            text = text.replace("Error: ", "", 1)
        if on("tool-errors-not-marked"):
            failed = False
    result = {"content": [{"type": "text", "text": text}], "isError": failed}
    if on("structured-content-added") and not failed and text.startswith("{"):
        result["structuredContent"] = json.loads(text)
    return result
