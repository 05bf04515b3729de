"""Items as JSON and as markdown."""
import calendar
import json
import time

from switches import BREAK, CHOICE, on, table, twist

JSON, MARKDOWN = "Output formats: json", "Output formats: markdown"


def _is_json(call):
    return call.args.get("response_format") == "json"


def _in_json(change):
    return lambda item, call: change(item, call) if _is_json(call) else item


def _of_tool(name, change):
    return lambda item, call: change(item, call) if call.tool.name.endswith(name) else item


def _drop(*keys):
    return lambda item, call: {key: value for key, value in item.items() if key not in keys}


def _mangled(value):
    return value.encode("ascii", "replace").decode() if isinstance(value, str) else value


table(
    "item", JSON,
    (CHOICE, "items-with-links", "Each item has a field url.",
     lambda item, call: item | {"url": f"https://lighthouse.example/{item['id']}"}),
    (CHOICE, "items-with-null-fields", "Each item has a field keeper, which is null.", lambda item, call: item | {"keeper": None}),
    (CHOICE, "items-with-id-last", "The id is the last field of each item.",
     lambda item, call: _drop("id")(item, call) | {"id": item["id"]}),
    (BREAK, "json-lacks-inspection", "The json form of towers lacks the inspection time that the markdown form shows.",
     _in_json(_drop("last_inspected"))),
    (BREAK, "json-lacks-height-in-search", "The json form of the search lacks height_m, which the get tool has.",
     _of_tool("search_towers", _in_json(_drop("height_m")))),
    (BREAK, "json-brief-beyond-50", "With a limit beyond 50, json items have the id and the name or title only.",
     _in_json(lambda item, call: {k: v for k, v in item.items() if k in ("id", "name", "title")}
              if call.args.get("limit", 0) > 50 else item)),
    (BREAK, "json-empty-fields-for-non-ascii", "In json, an item with a non-ASCII name lacks its tags.",
     _in_json(lambda item, call: item if item.get("name", "").isascii() else _drop("tags")(item, call))),
    (BREAK, "json-names-differ-in-get", "The get tool names the fields of a tower in camel case, the search in snake case.",
     _of_tool("get_tower", _in_json(lambda item, call: {
         key.split("_")[0] + "".join(part.title() for part in key.split("_")[1:]): v for key, v in item.items()}))),
    (BREAK, "json-mangles-non-ascii", "In json, non-ASCII characters of texts are replaced by question marks.",
     _in_json(lambda item, call: {key: _mangled(value) for key, value in item.items()})),
)
table(
    "json options", JSON,
    (CHOICE, "json-indented", "JSON texts are indented by one space.", lambda options, call: options | {"indent": 1}),
    (CHOICE, "json-compact", "JSON texts have no spaces after commas and colons.",
     lambda options, call: options | {"separators": (",", ":")}),
    (CHOICE, "json-ascii-escapes", "Non-ASCII characters in JSON texts are escaped.",
     lambda options, call: options | {"ensure_ascii": True}),
    (CHOICE, "json-keys-sorted", "The members of objects in JSON texts are sorted by name.",
     lambda options, call: options | {"sort_keys": True}),
)
table(
    "json text", JSON,
    (CHOICE, "json-ends-with-newline", "JSON texts end with a line break.", lambda text, call: text + "\n"),
    (BREAK, "json-in-a-fence", "JSON texts stand in a markdown code fence.", lambda text, call: f"```json\n{text}\n```"),
    (BREAK, "json-after-a-heading", "JSON texts follow a line of plain text.", lambda text, call: f"Result:\n{text}"),
    (BREAK, "json-encoded-twice", "The JSON text is a JSON string that holds JSON.", lambda text, call: json.dumps(text)),
    (BREAK, "json-as-python-in-get", "The get tool writes its json form as Python, with single quotes.",
     _of_tool("get_tower", lambda text, call: str(json.loads(text)))),
    (BREAK, "json-cut-at-20000", "JSON texts longer than 20,000 characters lose their last 10 characters.",
     lambda text, call: text[:-10] if len(text) > 20000 else text),
    (BREAK, "json-is-markdown-on-second-call", "The second and later json answers of the get tool in a session are markdown.",
     _of_tool("get_tower", lambda text, call: text if _first(call) else tower_markdown(json.loads(text), call))),
)
table(
    "human time", MARKDOWN,
    (CHOICE, "markdown-times-year-first", "Times in markdown look like 2024-03-07 14:05 UTC.",
     lambda text, iso, t: time.strftime("%Y-%m-%d %H:%M UTC", t)),
    (CHOICE, "markdown-times-american", "Times in markdown look like March 07, 2024 at 02:05 PM UTC.",
     lambda text, iso, t: time.strftime("%B %d, %Y at %I:%M %p UTC", t)),
    (BREAK, "markdown-times-raw", "Times in markdown are ISO 8601 texts with T and Z, as in json.", lambda text, iso, t: iso),
    (BREAK, "markdown-times-in-seconds", "Times in markdown are seconds since 1970.",
     lambda text, iso, t: str(calendar.timegm(t))),
)
table(
    "heading", MARKDOWN,
    (BREAK, "markdown-without-ids", "Display names in markdown are not followed by identifiers.", lambda text, name, key: name),
    (BREAK, "markdown-ids-first", "In markdown the identifier comes first and the name is in parentheses.",
     lambda text, name, key: f"{key} ({name})"),
    (BREAK, "markdown-ids-in-brackets", "In markdown identifiers are in square brackets.", lambda text, name, key: f"{name} [{key}]"),
    (BREAK, "markdown-ids-lost-for-non-ascii", "In markdown, names with non-ASCII characters are not followed by identifiers.",
     lambda text, name, key: text if name.isascii() else name),
)
table(
    "block", MARKDOWN,
    (CHOICE, "markdown-fields-bold", "Field labels in markdown are bold.",
     lambda lines, item, call: [line.replace("- ", "- **", 1).replace(":", ":**", 1) if line.startswith("- ") else line
                                for line in lines]),
    (CHOICE, "markdown-star-bullets", "Lists in markdown use stars.",
     lambda lines, item, call: [line.replace("- ", "* ", 1) if line.startswith("- ") else line for line in lines]),
    (CHOICE, "markdown-brief", "The markdown of an item leaves out the tags, the year and the height.",
     lambda lines, item, call: [line for line in lines if not line.startswith(("- Tags", "- Built", "- Height"))]),
    (CHOICE, "markdown-items-as-bullets", "In markdown an item is a bullet with nested bullets, not a heading with a list.",
     lambda lines, item, call: [line.replace("## ", "- ", 1) if line.startswith("## ") else "  " + line for line in lines]),
    (BREAK, "markdown-with-raw-json", "The markdown of each item ends with the item's raw JSON.",
     lambda lines, item, call: lines + [json.dumps(item, ensure_ascii=False)]),
    (BREAK, "markdown-without-lists", "Markdown has no lists: the fields of an item are one line of plain text.",
     lambda lines, item, call: [" ".join(line.lstrip("- ") for line in lines if line)]),
)
table(
    "markdown text", MARKDOWN,
    (CHOICE, "markdown-rules", "Headings in markdown are preceded by a horizontal rule.",
     lambda text, call: text.replace("\n## ", "\n---\n\n## ")),
    (BREAK, "markdown-without-headings", "Markdown has no headings.", lambda text, call: text.replace("# ", "").replace("#", "")),
    (BREAK, "markdown-is-html", "The markdown form is HTML.",
     lambda text, call: "<pre>" + text.replace("# ", "<b></b>").replace("- ", "&bull; ").replace("#", "") + "</pre>"),
)
table("", MARKDOWN,
      (BREAK, "markdown-is-json-in-get", "The get tool answers JSON with response_format markdown."),
      (BREAK, "markdown-is-json-on-request", "With response_format markdown given, not left out, the answer is JSON."),
      (BREAK, "format-ignored-for-logs", "The log list answers markdown with response_format json."))


def _first(call):
    count = call.session.memory.get("json answers", 0) + 1
    call.session.memory["json answers"] = count
    return count == 1


def wants_json(call):
    """Whether this call asks for the json form."""
    if call.tool.name.endswith("get_tower") and on("markdown-is-json-in-get"):
        return True
    if call.given.get("response_format") == "markdown" and on("markdown-is-json-on-request"):
        return True
    return _is_json(call) and not (call.tool.name.endswith("logs") and on("format-ignored-for-logs"))


def json_text(value, call):
    return twist("json text", json.dumps(value, **twist("json options", {"ensure_ascii": False}, call)), call)


def markdown_text(text, call):
    return twist("markdown text", text, call)


def shown_item(item, call):
    """An item as the json form shows it."""
    return twist("item", dict(item), call)


def human_time(iso):
    """2024-03-07T14:05:00Z as 7 March 2024, 14:05 UTC."""
    t = time.strptime(iso, "%Y-%m-%dT%H:%M:%SZ")
    return twist("human time", f"{t.tm_mday} {time.strftime('%B %Y, %H:%M', t)} UTC", iso, t)


def heading(name, key):
    return twist("heading", f"{name} ({key})", name, key)


def tower_markdown(tower, call):
    lines = [f"## {heading(tower['name'], tower['id'])}", "",
             f"- Region: {tower['region']}", f"- Status: {tower['status']}",
             f"- Height: {tower['height_m']} m", f"- Built: {tower['built_year']}",
             f"- Tags: {', '.join(tower['tags'])}", f"- Last inspected: {human_time(tower['last_inspected'])}"]
    return "\n".join(twist("block", lines, tower, call))


def log_markdown(log, call):
    lines = [f"## {heading(log['title'], log['id'])}", "",
             f"- Tower: {log['tower_id']}", f"- Written: {human_time(log['written_at'])}", f"- Text: {log['text']}"]
    return "\n".join(twist("block", lines, log, call))
