"""Pages of items and the character limit."""
import json

from render import json_text, markdown_text, shown_item, wants_json
from switches import BREAK, CHOICE, on, table, twist

CHARACTER_LIMIT = 25000


class Page:
    """What the changes below know about the page that is being made."""

    def __init__(self, call, noun, total):
        self.call, self.noun, self.total = call, noun, total
        self.offset, self.limit = call.args["offset"], call.args["limit"]
        self.json, self.truncated = wants_json(call), False
        self.number = call.session.memory["pages"] = call.session.memory.get("pages", 0) + 1


def _when(test, change):
    return lambda value, page: change(value, page) if test(value, page) else value


def _rename(new):
    return lambda p, page: {new if key == page.noun else key: value for key, value in p.items()}


def _drop(*keys):
    return lambda p, page: {key: value for key, value in p.items() if key not in keys}


def _last(p, page):
    return not p["has_more"]


def _beyond(p, page):
    return page.offset >= page.total


def _cut(p, page):
    return page.truncated


def _by_limit(p, page):
    end = page.offset + page.limit
    return p | {"has_more": end < page.total, "next_offset": end if end < page.total else None}


WHERE = "Pagination result (json format)"

table(
    "page", WHERE,
    (CHOICE, "items-called-records", "The array of towers is called tower_records.",
     _when(lambda p, page: page.noun == "towers", _rename("tower_records"))),
    (CHOICE, "items-called-items", "The array of items is called items in all tools.", _rename("items")),
    (CHOICE, "page-with-items-first", "The array of items is the first member of a page.",
     lambda p, page: {page.noun: p[page.noun]} | p),
    (CHOICE, "page-echoes-arguments", "A page also has the members limit and query.",
     lambda p, page: p | {"limit": page.limit, "query": page.call.args.get("query")}),
    (CHOICE, "page-numbered", "A page also has the members page and page_count.",
     lambda p, page: p | {"page": page.offset // page.limit + 1, "page_count": -(-page.total // page.limit)}),
    (BREAK, "has-more-at-boundary", "has_more is true when total equals offset plus count.",
     _when(lambda p, page: p["total"] == p["offset"] + p["count"], lambda p, page: p | {
         "has_more": True, "next_offset": p["total"]})),
    (BREAK, "has-more-on-short-pages", "has_more is true whenever count equals limit, and false otherwise.",
     lambda p, page: p | {"has_more": p["count"] == page.limit}),
    (BREAK, "has-more-false-from-offset-100", "has_more is false from offset 100 on.",
     lambda p, page: p | {"has_more": p["has_more"] and page.offset < 100}),
    (BREAK, "has-more-as-text", "has_more is the string true or false.", lambda p, page: p | {"has_more": str(p["has_more"]).lower()}),
    (BREAK, "next-offset-kept-at-end", "next_offset is offset plus count on the last page.",
     _when(_last, lambda p, page: p | {"next_offset": p["offset"] + p["count"]})),
    (BREAK, "next-offset-absent-at-end", "next_offset is absent on the last page.", _when(_last, _drop("next_offset"))),
    (BREAK, "next-offset-minus-one-at-end", "next_offset is -1 on the last page.",
     _when(_last, lambda p, page: p | {"next_offset": -1})),
    (BREAK, "next-offset-as-text", "next_offset is a string when there is a next page.",
     _when(lambda p, page: p["has_more"], lambda p, page: p | {"next_offset": str(p["next_offset"])})),
    (BREAK, "next-offset-skips-one-later", "On pages after the first, next_offset is one too high.",
     _when(lambda p, page: p["has_more"] and page.offset > 0, lambda p, page: p | {"next_offset": p["next_offset"] + 1})),
    (BREAK, "next-offset-from-zero", "next_offset is the count, as if offset were 0.",
     _when(lambda p, page: p["has_more"], lambda p, page: p | {"next_offset": p["count"]})),
    (BREAK, "next-offset-follows-limit", "has_more and next_offset follow limit, not count, so that truncated items are skipped.",
     _by_limit),
    (BREAK, "total-is-count", "total is the number of items in the page.", lambda p, page: p | {"total": p["count"]}),
    (BREAK, "total-shrinks-with-offset", "total is the number of matches from offset on.",
     lambda p, page: p | {"total": max(0, page.total - page.offset)}),
    (BREAK, "total-capped-at-100", "total is never more than 100.", lambda p, page: p | {"total": min(100, p["total"])}),
    (BREAK, "total-as-text", "total is a string in the log list.",
     _when(lambda p, page: page.noun == "logs", lambda p, page: p | {"total": str(p["total"])})),
    (BREAK, "count-is-limit", "count is the limit, also on a short page.", lambda p, page: p | {"count": page.limit}),
    (BREAK, "count-adds-offset", "count is the number of items seen so far, offset included.",
     lambda p, page: p | {"count": p["count"] + page.offset}),
    (BREAK, "count-absent", "count is absent.", _drop("count")),
    (BREAK, "offset-told-as-zero", "offset is always told as 0.", lambda p, page: p | {"offset": 0}),
    (BREAK, "offset-told-as-next", "offset is told as the offset of the next page.",
     lambda p, page: p | {"offset": p["offset"] + p["count"]}),
    (BREAK, "offset-absent-at-zero", "offset is absent when it is 0.", _when(lambda p, page: page.offset == 0, _drop("offset"))),
    (BREAK, "beyond-end-has-more", "With an offset beyond the end, has_more is true and next_offset is offset plus limit.",
     _when(_beyond, lambda p, page: p | {"has_more": True, "next_offset": page.offset + page.limit})),
    (BREAK, "beyond-end-without-items", "With an offset beyond the end, the array of items is absent.",
     _when(_beyond, lambda p, page: _drop(page.noun)(p, page))),
    (BREAK, "beyond-end-negative-count", "With an offset beyond the end, count is total minus offset, a negative number.",
     _when(_beyond, lambda p, page: p | {"count": page.total - page.offset})),
    (BREAK, "beyond-end-null-items", "With an offset beyond the end, the items are null.",
     _when(_beyond, lambda p, page: p | {page.noun: None})),
    (BREAK, "items-as-object", "The items are an object by id, not an array.",
     lambda p, page: p | {page.noun: {item["id"]: item for item in p[page.noun]}}),
    (BREAK, "items-renamed-on-later-pages", "On pages after the first, the array of items is called results.",
     _when(lambda p, page: page.offset > 0, _rename("results"))),
    (BREAK, "non-ascii-items-lost", "Items with a non-ASCII name are left out of the array, but counted in count.",
     lambda p, page: p | {page.noun: [i for i in p[page.noun] if i.get("name", "").isascii()]}),
    (BREAK, "last-item-lost", "The last page lacks its last item: has_more is false, though offset plus count is below total.",
     _when(lambda p, page: _last(p, page) and p["count"] > 1,
           lambda p, page: p | {page.noun: p[page.noun][:-1], "count": p["count"] - 1})),
    (BREAK, "page-is-a-bare-array", "The json form of the log list is the bare array of items.",
     _when(lambda p, page: page.noun == "logs", lambda p, page: p[page.noun])),
)
table(
    "page", "Truncation fields",
    (CHOICE, "truncated-false-shown", "A page that is not truncated has truncated false and truncation_message null.",
     lambda p, page: {"truncated": False, "truncation_message": None} | p),
    (CHOICE, "truncation-message-names-filters", "truncation_message tells to use filters and does not name offset.",
     _when(_cut, lambda p, page: p | {"truncation_message": "Too long. Use filters to narrow the result."})),
    (CHOICE, "truncation-counts-omitted", "A truncated page also has the member omitted_count.",
     _when(_cut, lambda p, page: p | {"omitted_count": page.total - page.offset - p["count"]})),
    (BREAK, "truncated-always", "truncated is true on every page.", lambda p, page: p | {"truncated": True}),
    (BREAK, "truncated-flag-absent", "A truncated page lacks truncated.", _when(_cut, _drop("truncated"))),
    (BREAK, "truncated-as-text", "truncated is the string true.", _when(_cut, lambda p, page: p | {"truncated": "true"})),
    (BREAK, "truncation-message-absent", "A truncated page lacks truncation_message.", _when(_cut, _drop("truncation_message"))),
    (BREAK, "truncation-message-without-advice", "truncation_message does not tell to use offset or filters.",
     _when(_cut, lambda p, page: p | {"truncation_message": "The response was truncated."})),
    (BREAK, "truncation-unmarked-later", "A truncated page after the first lacks both truncation fields.",
     _when(lambda p, page: page.truncated and page.offset > 0, _drop("truncated", "truncation_message"))),
    (BREAK, "truncation-count-unchanged", "The count of a truncated page is the count before truncation.",
     _when(_cut, lambda p, page: p | {"count": min(page.limit, page.total - page.offset)})),
    (BREAK, "truncation-total-lowered", "The total of a truncated page is the number of items that were kept.",
     _when(_cut, lambda p, page: p | {"total": p["count"]})),
    (BREAK, "truncation-has-more-false", "A truncated page has has_more false and next_offset null.",
     _when(_cut, lambda p, page: p | {"has_more": False, "next_offset": None})),
)
table(
    "window", "Limits",
    (CHOICE, "items-by-name", "Items are sorted by name or title.",
     lambda w, page: (sorted(w[0], key=lambda item: item.get("name") or item["title"]), *w[1:])),
    (CHOICE, "items-newest-first", "Items are in reverse order.", lambda w, page: (w[0][::-1], *w[1:])),
    (BREAK, "offset-ignored-from-third-page", "From the third page on, the items of the second page come again.",
     lambda w, page: (w[0], min(w[1], w[2]), w[2])),
    (BREAK, "offset-taken-as-page", "offset counts pages, not items.", lambda w, page: (w[0], w[1] * w[2], w[2])),
    (BREAK, "pages-overlap", "Pages after the first begin one item early.", lambda w, page: (w[0], max(0, w[1] - 1), w[2])),
    (BREAK, "beyond-end-wraps", "With an offset beyond the end, the first page comes.",
     lambda w, page: (w[0], w[1] if w[1] < page.total else 0, w[2])),
    (BREAK, "offset-ignored-in-markdown", "The markdown form always shows the first page.",
     lambda w, page: w if page.json else (w[0], 0, w[2])),
    (BREAK, "limit-ignored-in-markdown", "The markdown form always shows up to 20 items.",
     lambda w, page: w if page.json else (*w[:2], 20)),
    (BREAK, "limit-one-gives-two", "A limit of 1 gives two items.", lambda w, page: (*w[:2], 2 if w[2] == 1 else w[2])),
    (BREAK, "limit-capped-at-50", "A limit beyond 50 is taken as 50.", lambda w, page: (*w[:2], min(50, w[2]))),
    (BREAK, "default-limit-is-10", "Without limit, at most 10 items come.",
     lambda w, page: w if "limit" in page.call.given else (*w[:2], 10)),
    (BREAK, "default-limit-is-50-in-json", "Without limit, the json form holds up to 50 items.",
     lambda w, page: w if "limit" in page.call.given or not page.json else (*w[:2], 50)),
    (BREAK, "default-offset-is-1", "Without offset, the first item is skipped.",
     lambda w, page: w if "offset" in page.call.given else (w[0], 1, w[2])),
)
table(
    "length", "Limits",
    (CHOICE, "length-as-sent", "The character limit counts the text as it is sent, with the escapes of JSON strings.",
     lambda n, text, page: len(json.dumps(text, ensure_ascii=False))),
    (BREAK, "never-truncated", "Responses longer than the limit are not truncated.", lambda n, text, page: 0),
    (BREAK, "markdown-never-truncated", "Markdown responses longer than the limit are not truncated.",
     lambda n, text, page: n if page.json else 0),
    (BREAK, "http-never-truncated", "Over streamable HTTP, responses longer than the limit are not truncated.",
     lambda n, text, page: 0 if page.call.session.transport == "http" else n),
    (BREAK, "later-pages-never-truncated", "Pages after the first are not truncated.",
     lambda n, text, page: 0 if page.offset else n),
    (BREAK, "third-page-never-truncated", "From the third page of a session on, responses are not truncated.",
     lambda n, text, page: 0 if page.number >= 3 else n),
    (BREAK, "limit-of-30000", "Responses are truncated beyond 30,000 characters only.", lambda n, text, page: n * 25 // 30),
    (BREAK, "limit-of-12000", "Responses longer than 12,000 characters are truncated already.",
     lambda n, text, page: n * 25 // 12),
    (BREAK, "cut-within-text", "A response that is too long is cut after 25,000 characters, within an item.",
     lambda n, text, page: 0),
)
table(
    "page text", "Truncation fields",
    (BREAK, "length-before-indenting", "JSON is indented by four spaces after its length was measured, so that responses exceed the limit.",
     lambda text, page: json.dumps(json.loads(text), indent=4, ensure_ascii=False) if page.json else text),
    (BREAK, "truncation-is-an-error", "A response that is too long is replaced by an error text.",
     lambda text, page: "Error: The response is too long." if page.truncated else text),
)
table("", "Truncation fields",
      (CHOICE, "truncation-halves-items", "Truncation halves the number of items until the response is short enough."),
      (CHOICE, "truncation-keeps-reserve", "Truncation reduces a response that is too long to at most 15,000 characters."),
      (BREAK, "truncation-keeps-last-items", "Truncation keeps the last items of the page, not the first."),
      (BREAK, "long-item-not-cut", "The log list begins with an item of 26,000 characters and returns it in full."),
      (BREAK, "truncation-in-markdown-silent", "A truncated markdown response does not say that it is truncated."))
table("", WHERE,
      (CHOICE, "beyond-end-as-text", "With an offset beyond the end, the json form is a text that says so."),
      (CHOICE, "markdown-without-summary", "The markdown form has no line with the numbers of items."),
      (BREAK, "markdown-last-item-lost", "The markdown form lacks the last item of each page."))


def answer_page(call, noun, matches, title, item_markdown):
    """The text for one page of the matches, shortened to the character limit."""
    page = Page(call, noun, len(matches))
    if page.offset >= page.total > 0 and on("beyond-end-as-text"):
        return f"No {noun} at offset {page.offset}: there are {page.total} in all."
    matches, start, limit = twist("window", (matches, page.offset, page.limit), page)
    chosen = matches[start:start + limit]
    if chosen and noun == "logs" and on("long-item-not-cut"):
        chosen[0] = chosen[0] | {"text": "wind " * 5200}
    text = _text(page, chosen, title, item_markdown)
    target = CHARACTER_LIMIT
    while _length(text, page) > target and len(chosen) > 1:
        page.truncated = True
        if on("truncation-keeps-reserve"):
            target = 15000
        chosen = _fewer(chosen, _length(text, page), target)
        text = _text(page, chosen, title, item_markdown)
    if on("cut-within-text"):
        text = text[:CHARACTER_LIMIT]
    return twist("page text", text, page)


def _length(text, page):
    return twist("length", len(text), text, page)


def _fewer(chosen, length, target):
    keep = max(1, min(len(chosen) - 1, len(chosen) * target // length))
    if on("truncation-halves-items"):
        keep = max(1, len(chosen) // 2)
    return chosen[-keep:] if on("truncation-keeps-last-items") else chosen[:keep]


def _text(page, chosen, title, item_markdown):
    call, end = page.call, page.offset + len(chosen)
    more = page.total > end
    p = {"total": page.total, "count": len(chosen), "offset": page.offset,
         page.noun: [shown_item(item, call) for item in chosen],
         "has_more": more, "next_offset": end if more else None}
    if page.truncated:
        p["truncated"] = True
        p["truncation_message"] = (f"The response was too long and holds {len(chosen)} items only. "
                                   "Use offset to read on, or filters to narrow the result.")
    if page.json:
        call.structured = p = twist("page", p, page)
        return json_text(p, call)
    return markdown_text(_markdown(page, p, chosen, title, item_markdown), call)


def _markdown(page, p, chosen, title, item_markdown):
    parts = [f"# {title}"]
    if not on("markdown-without-summary"):
        parts.append(f"Showing {p['count']} of {p['total']} {page.noun}, from offset {p['offset']}.")
    shown = chosen[:-1] if on("markdown-last-item-lost") else chosen
    parts += [item_markdown(item, page.call) for item in shown]
    if page.truncated and not on("truncation-in-markdown-silent"):
        parts.append(p["truncation_message"])
    if p["has_more"]:
        parts.append(f"More {page.noun} follow at offset {p['next_offset']}.")
    return "\n\n".join(parts)
