"""The two output formats, pages and truncation."""
import json
from datetime import datetime

from switches import on

LIMIT = 25000
ADVICE = "Use a larger 'offset' or more specific filters to see the other items."


def dumps(value, compact=False):
    if on("offset-timestamps"):
        value = restamp(value)
    if on("json-empty-fields-dropped"):
        value = drop_empty(value)
    style = {"ensure_ascii": on("ascii-json"), "sort_keys": on("sorted-json-keys")}
    if compact or on("compact-json"):
        return json.dumps(value, separators=(",", ":"), **style)
    return json.dumps(value, indent=2, **style)


def restamp(value):
    if isinstance(value, dict):
        return {k: v[:-1] + "+00:00" if k.endswith("_at") and isinstance(v, str) and v.endswith("Z") else restamp(v)
                for k, v in value.items()}
    return [restamp(v) for v in value] if isinstance(value, list) else value


def drop_empty(value):
    if isinstance(value, dict):
        kept = {k: drop_empty(v) for k, v in value.items()}
        return {k: v for k, v in kept.items() if k in ("next_offset", "artifacts", "objects") or v not in (None, "", [])}
    return [drop_empty(v) for v in value] if isinstance(value, list) else value


def human(stamp):
    try:
        moment = datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, TypeError):
        return str(stamp)
    return f"{moment.day} {moment.strftime('%B %Y, %H:%M')} UTC"


def header(text, level=2):
    if on("markdown-numbered") and level < 3:
        return f"{text}\n{('=' if level == 1 else '-') * max(3, len(text))}"
    return f"{'#' * level} {text}"


def bullets(lines):
    if on("markdown-numbered"):
        return "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
    return "\n".join(f"- {line}" for line in lines)


def named(thing, key="name"):
    return f"{thing[key]} ({thing['id']})"


def artifact_lines(a, full):
    curator = a["curator"]["name"] if on("markdown-curator-without-id") else named(a["curator"])
    lines = [f"Department: {named(a['department'])}", f"Maker: {named(a['maker'])}", f"Year: {a['year']}"]
    if full:
        updated = a["updated_at"] if on("markdown-iso-updated") else human(a["updated_at"])
        lines += [f"Curator: {curator}", f"Material: {a['material']}", f"Tags: {', '.join(a['tags']) or 'none'}",
                  f"Created: {human(a['created_at'])}", f"Updated: {updated}"]
        if a["loan"]:
            lines.append(f"On loan to: {a['loan']['borrower']} for {a['loan']['weeks']} weeks")
        if on("markdown-raw-metadata"):
            lines += [f"version: {a['version']}", f"checksum: {a['checksum']}", f"image_url: {a['image_url']}"]
    return lines


def artifact_markdown(a, place=0):
    head = a["title"] if on("markdown-ids-stop-at-10") and place >= 10 else named(a, "title")
    return header(head) + "\n\n" + bullets(artifact_lines(a, False))


def artifact_page(a):
    body = header(named(a, "title"), 1) + "\n\n" + bullets(artifact_lines(a, True))
    return body + (f"\n\n{a['description']}" if a["description"] else "")


def record_markdown(r, place=0):
    head = f"{r['id']} ({r['holder']})" if on("markdown-id-first") else f"{r['holder']} ({r['id']})"
    return header(head) + "\n\n" + bullets([f"Event: {r['event']}", f"Recorded: {human(r['recorded_at'])}",
                                            f"Note: {r['note'].strip()}"])


def page(kind, items, total, args, session, title, show, where):
    """One page of items as text, cut to the character limit by leaving items out."""
    fmt, offset, limit = args["response_format"], args["offset"], args["limit"]
    if on("items-named-objects") and kind == "artifacts":
        kind = "objects"
    cap = 20000 if on("truncates-at-20000") else LIMIT
    repeat = (where, json.dumps(args, sort_keys=True))
    if on("untruncated-on-repeat") and repeat in session.seen_calls:
        cap = 10 ** 9
    session.seen_calls.add(repeat)
    if on("limit-measured-in-search-only") and where != "search":
        cap = 10 ** 9
    make = json_page if fmt == "json" else markdown_page
    if fmt != "json" and (on("limit-unchecked-in-markdown") or on("markdown-cut-mid-item")):
        text = make(kind, items, len(items), total, args, title, show)
        return text[:LIMIT] if on("markdown-cut-mid-item") else text
    count = len(items)
    while True:
        text = make(kind, items, count, total, args, title, show)
        measured = text
        if on("limit-measured-compact") and fmt == "json":
            measured = dumps(json.loads(text), compact=True)
        if len(measured) <= cap or count <= 1:
            return text
        count = max(1, count // 2) if on("truncate-by-halves") else count - 1


def cut(items, count):
    if on("truncation-keeps-tail"):
        return items[len(items) - count:]
    return items[:count]


def advice(count, asked):
    if on("truncation-message-no-advice"):
        return f"Truncated from {asked} to {count}."
    return f"Response truncated from {asked} to {count} items. {ADVICE}"


def json_page(kind, items, count, total, args, title, show):
    offset, limit = args["offset"], args["limit"]
    short = count < len(items)
    told = min(total, 50) if on("total-capped-at-50") else total
    if on("total-per-page-with-tags") and args.get("tags"):
        told = len(items)
    end = offset + (len(items) if short and on("has-more-ignores-truncation") else count)
    more = total >= end if on("has-more-at-exact-end") and count else total > end
    if on("page-before-tag-filter") and args.get("tags"):
        more = total > offset + limit
    by_limit = on("next-offset-by-limit") or (on("page-before-tag-filter") and args.get("tags"))
    following = offset + limit if by_limit else end
    body = {"total": told, "count": len(items) if on("truncated-count-stale") else count, "offset": offset,
            kind: cut(items, count), "has_more": more, "next_offset": following if more else None}
    if not more and on("next-offset-absent-at-end"):
        del body["next_offset"]
    if not more and offset and on("next-offset-total-at-end"):
        body["next_offset"] = total
    if on("json-search-abridged") and kind in ("artifacts", "objects"):
        body[kind] = [{k: v for k, v in a.items() if k not in ("description", "loan", "checksum")} for a in body[kind]]
    if on("extra-page-members"):
        body.update(query=args.get("query"), limit=limit, page=offset // limit + 1)
    if short:
        body["truncated"] = "true" if on("truncated-is-string") else True
        if not (offset and on("truncation-message-first-page-only")):
            body["truncation_message"] = advice(count, len(items))
    elif on("truncated-false-shown"):
        body["truncated"] = False
    text = dumps(body)
    if short and on("json-trailing-note"):
        text += "\n(more items were left out)"
    return text


def markdown_page(kind, items, count, total, args, title, show):
    offset = args["offset"]
    shown = cut(items, count)
    if on("markdown-full-page-loses-last") and count == 100:
        shown = shown[:-1]
    parts = [header(title, 1), f"{total} in total, {count} shown from offset {offset}."]
    parts += [show(item, place) for place, item in enumerate(shown)]
    if total > offset + count:
        parts.append(f"More items follow: use offset {offset + count}.")
    if count < len(items):
        lines = ["truncated: true"]
        if not (offset and on("truncation-message-first-page-only")):
            lines.append(f"truncation_message: {advice(count, len(items))}")
        parts.append("\n".join(f"- {line}" for line in lines))
    return "\n\n".join(parts)


def object_text(value, fmt, title):
    """A single object that came from elsewhere, in the wanted format."""
    if fmt == "json":
        return dumps(value)
    lines = []
    for key, content in value.items():
        if key in ("id", "name", "title"):
            continue
        if isinstance(content, str) and key.endswith("_at"):
            content = human(content)
        lines.append(f"{key.replace('_', ' ').capitalize()}: {content}")
    return header(title, 1) + "\n\n" + bullets(lines)


def fitted_object(value, fmt, title):
    """Shortens the longest member until the object fits, and says so."""
    text = object_text(value, fmt, title)
    if len(text) <= LIMIT or on("upstream-text-unlimited"):
        return text
    value = dict(value, truncated=True, truncation_message=f"Response truncated. {ADVICE}")
    while len(text) > LIMIT:
        longest = max((k for k in value if k not in ("truncated", "truncation_message")),
                      key=lambda k: len(dumps(value[k])))
        content = value[longest]
        if isinstance(content, (str, list)) and len(content) > 1:
            value[longest] = content[:len(content) // 2]
        else:
            del value[longest]
        text = object_text(value, fmt, title[:500])
    return text
