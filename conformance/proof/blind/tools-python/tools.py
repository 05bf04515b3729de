"""What the tools do. Each takes (arguments, context) and returns text, or a dict for a structured value."""
import time

import data
import formats
import store
import tooldefs
import upstream
from model import Invalid, validate
from switches import on

MEMORY = {"query": None, "status": None, "borrower": None}


class Cancelled(Exception):
    pass


def no_match(query):
    if on("no-match-names-older-query") and MEMORY["query"]:
        query = MEMORY["query"]
    prefix = "Error: " if on("no-match-as-error") else ""
    return f"{prefix}No artifacts matched the query '{query}'."


def search(args, ctx):
    found = store.search(args["query"], ctx.session.id)
    offset, limit = args["offset"], args["limit"]

    def tagged(items):
        return [a for a in items if all(tag in a["tags"] for tag in args["tags"])]

    matches = tagged(found)
    text = no_match(args["query"])
    MEMORY["query"] = args["query"]
    if not matches and not (on("no-match-hidden-by-tags") and args["tags"] and found):
        if args["response_format"] == "json" and on("no-match-json"):
            return formats.dumps({"total": 0, "count": 0, "offset": offset, "artifacts": [], "has_more": False,
                                  "next_offset": None, "message": text})
        return text
    total = len(matches)
    if on("offset-past-end-restarts") and offset >= total:
        offset = 0
    start = offset - 1 if on("second-page-overlaps") and limit == 1 and offset else offset
    items = matches[start:start + limit]
    if on("page-before-tag-filter"):
        items = tagged(found[start:start + limit])
    return formats.page("artifacts", items, total, dict(args, offset=offset), ctx.session,
                        f"Artifacts matching '{args['query']}'", formats.artifact_markdown, "search")


def show(artifact, fmt, key):
    if fmt == "json":
        if key == "get" and on("json-names-differ-in-get"):
            artifact["createdAt"] = artifact.pop("created_at")
            artifact["updatedAt"] = artifact.pop("updated_at")
        return formats.dumps(artifact)
    return formats.artifact_page(artifact)


def get(args, ctx):
    artifact = store.get(args["artifact_id"], ctx.session.id)
    if artifact is None:
        raise upstream.NotFound()
    return show(artifact, args["response_format"], "get")


def provenance(args, ctx):
    if store.get(args["artifact_id"], ctx.session.id) is None:
        raise upstream.NotFound()
    records = data.provenance(args["artifact_id"])
    items = records[args["offset"]:args["offset"] + args["limit"]]
    return formats.page("records", items, len(records), args, ctx.session,
                        f"Provenance of {args['artifact_id']}", formats.record_markdown, "provenance")


def create(args, ctx):
    artifact = store.create(args, ctx.session.id)
    if on("stdio-plain-line") and ctx.plain_line:
        ctx.plain_line(f"created {artifact['id']}")
    return show(artifact, args["response_format"], "create")


def update(args, ctx):
    artifact = store.update(args["artifact_id"], args, ctx.session.id)
    if artifact is None:
        if on("local-not-found-unprefixed"):
            return Failure("Artifact not found. Please check the identifier is correct.")
        raise upstream.NotFound()
    return show(artifact, "markdown" if on("json-format-lost-on-update") else args["response_format"], "update")


def delete(args, ctx):
    if not store.delete(args["artifact_id"], ctx.session.id) and not on("delete-missing-succeeds"):
        raise upstream.NotFound()
    return f"Deleted artifact {args['artifact_id']}."


def fetch_loan(args, ctx):
    record = upstream.lookup(args["item_id"])
    name = record.get("name") or record.get("title") or "Loan record"
    return formats.fitted_object(record, args["response_format"], f"{name} ({record.get('id', args['item_id'])})")


def check(args, ctx):
    artifact = ctx.read_resource(f"museum://artifacts/{args['artifact_id']}")
    if artifact is None:
        raise upstream.NotFound()
    steps = args["steps"]
    ctx.log("info", f"{ctx.server_name}: check of {args['artifact_id']} begins")
    for step in range(1, steps + 1):
        if ctx.cancelled.wait(args["step_ms"] / 1000):
            raise Cancelled()
        ctx.log("debug", f"step {step} of {steps} done")
        if step == min(2, steps):
            ctx.log("error", "the humidity sensor did not answer; its reading is left out")
        ctx.progress(step, steps, f"Step {step} of {steps}")
    ctx.log("info", f"check of {args['artifact_id']} ended")
    return f"Condition check of {args['artifact_id']} done in {steps} steps: stable."


def loan_form(args):
    properties = {
        "borrower": {"type": "string", "title": "Borrower", "description": "Who borrows it", "minLength": 2},
        "weeks": {"type": "integer", "title": "Weeks", "description": "Length of the loan", "minimum": 1,
                  "maximum": args["weeks_max"]}}
    if on("elicit-nested-schema"):
        properties["address"] = {"type": "object", "properties": {"city": {"type": "string"}}}
    return {"type": "object", "properties": properties, "required": ["borrower", "weeks"]}


def loan(args, ctx):
    artifact_id = args["artifact_id"]
    if store.get(artifact_id, ctx.session.id) is None:
        raise upstream.NotFound()
    answer = ctx.elicit(f"Who borrows {artifact_id}, and for how many weeks?", loan_form(args))
    action, content = answer.get("action"), answer.get("content") or {}
    if action != "accept":
        if action == "decline" and on("decline-records-loan"):
            store.record_loan(artifact_id, str(content.get("borrower", "unknown")), 1)
        verb = "declined" if action == "decline" else "dismissed"
        if on("declined-as-error"):
            return Failure(f"Error: The request was {verb} by the user.")
        return f"The user {verb} the request; no loan was recorded."
    borrower, weeks = content.get("borrower"), content.get("weeks")
    good = isinstance(borrower, str) and len(borrower.strip()) >= 2 and isinstance(weeks, int) \
        and not isinstance(weeks, bool) and 1 <= weeks <= args["weeks_max"]
    if not good:
        return Failure("Error: The user's answer does not fit the form; no loan was recorded.")
    recorded = MEMORY["borrower"] if on("elicit-answer-ignored") and MEMORY["borrower"] else borrower
    MEMORY["borrower"] = borrower
    store.record_loan(artifact_id, recorded, weeks)
    return f"Loan of {artifact_id} to {borrower} for {weeks} weeks recorded."


def status(args, ctx):
    with store.LOCK:
        count = len(store.ARTIFACTS)
        made, gone = store.COUNTS["created"], store.COUNTS["deleted"]
    if on("status-count-as-string") and made:
        count = str(count)
    return {"server": ctx.server_name, "artifacts": count, "created": made, "deleted": gone}


class Failure(str):
    """A text that tells of a failure."""


RUN = {"search": search, "get": get, "provenance": provenance, "create": create, "update": update,
       "delete": delete, "upstream": fetch_loan, "check": check, "loan": loan, "status": status}


def half_effects(key, partial, given, ctx):
    """Bugs that leave an effect although validation failed."""
    if key == "update" and on("invalid-update-half-applied") and partial.get("artifact_id") and len(partial) > 2:
        store.update(partial["artifact_id"], partial, ctx.session.id)
    if key == "create" and on("invalid-create-stored") and partial.get("title") and isinstance(given.get("year"), int):
        store.create(dict(partial, year=given["year"]), ctx.session.id)
    if key == "loan" and on("validation-after-elicitation") and partial.get("artifact_id"):
        ctx.elicit("Who borrows it?", loan_form({"weeks_max": 52}))


def call(tool, given, ctx):
    """Runs a tool and returns the MCP result. Invalid is raised to the protocol."""
    key = tool["key"]
    try:
        args = validate(tool, given, ctx.session)
    except Invalid as error:
        half_effects(key, error.partial, given, ctx)
        raise
    if on("slow-tools"):
        time.sleep(0.4)
    try:
        value = RUN[key](args, ctx)
    except Cancelled:
        raise
    except Exception as error:  # the document: anything else is an unexpected error, naming its type
        value = Failure(upstream.error_text(error))
    return result(tool, value, args)


def failed(text):
    body = {"content": [{"type": "text", "text": str(text)}], "isError": True}
    if on("errors-without-iserror"):
        del body["isError"]
        if on("wrapped-structured-result"):
            body["structuredContent"] = {"result": str(text)}
    return body


def result(tool, value, args):
    if isinstance(value, Failure):
        return failed(value)
    body = {}
    if isinstance(value, dict):
        text = formats.dumps(value)
        if on("status-text-lags"):
            text, MEMORY["status"] = MEMORY["status"] or text, text
        body["structuredContent"] = value
    else:
        text = value
        if on("wrapped-structured-result"):
            body["structuredContent"] = {"result": text}
    item = {"type": "text", "text": text}
    if on("content-annotations"):
        item["annotations"] = {"audience": ["user", "assistant"], "priority": 0.5}
    body["content"] = [item]
    if on("resource-link-after-text") and tool["key"] == "get":
        body["content"].append({"type": "resource_link", "uri": f"museum://artifacts/{args['artifact_id']}",
                                "name": args["artifact_id"], "mimeType": "application/json"})
    body["isError"] = False
    return body
