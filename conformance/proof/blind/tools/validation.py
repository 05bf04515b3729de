"""Checks arguments against a tool's input model before the tool runs."""
import re

from fields import input_schema
from switches import BREAK, CHOICE, on, table, twist


class BadInput(Exception):
    """Arguments that violate the input model; problems are (field, rule, text)."""

    def __init__(self, problems):
        super().__init__("; ".join(text for field, rule, text in problems))
        self.problems = problems


table("", "Tool definition",
      (CHOICE, "whitespace-kept", "Whitespace around strings is kept: it counts for lengths, patterns and matches."),
      (CHOICE, "extra-fields-allowed", "Unknown fields are allowed by the schemas and ignored."))
table("", "JSON Schema: maxLength",
      (BREAK, "lengths-in-bytes", "Lengths of strings are counted in UTF-8 bytes, so that long non-ASCII texts are rejected."))


def _accept(*rules, field=None):
    """A change that forgives the problems with these rules (of one field)."""
    return lambda problems, arguments, tool: [
        p for p in problems if p[1] not in rules or field not in (None, p[0])]


def _coerce(change, fields=("limit", "offset")):
    """A change of the raw values of these fields."""
    return lambda arguments, tool: {
        key: change(value) if key in fields else value for key, value in arguments.items()}


def _refuse(text, test):
    """A change that adds a problem when the arguments pass the test."""
    return lambda problems, arguments, tool: problems + [("input", "refused", text)] if test(arguments) else problems


def _without_nulls(arguments, tool):
    return {k: v for k, v in arguments.items()
            if v is not None or k in tool.required or "default" in tool.properties.get(k, {})}


table(
    "raw arguments", "Tool definition",
    (BREAK, "number-texts-accepted", "A limit or offset given as a string of digits is accepted as a number.",
     _coerce(lambda v: int(v) if isinstance(v, str) and v.isdigit() else v)),
    (BREAK, "booleans-accepted-as-numbers", "A limit or offset given as true or false is accepted as 1 or 0.",
     _coerce(lambda v: int(v) if isinstance(v, bool) else v)),
    (BREAK, "fractions-cut-off", "A limit or offset with a fraction is accepted and cut off.",
     _coerce(lambda v: int(v) if isinstance(v, float) else v)),
    (BREAK, "format-in-any-case", "response_format is accepted in capitals.",
     _coerce(lambda v: v.lower() if isinstance(v, str) else v, ["response_format"])),
    (BREAK, "unknown-format-accepted", "An unknown response_format is accepted and taken as markdown.",
     _coerce(lambda v: v if v == "json" else "markdown", ["response_format"])),
    (BREAK, "numbers-accepted-as-query", "A query given as a number is accepted as text.",
     _coerce(lambda v: str(v) if isinstance(v, int) else v, ["query"])),
    (BREAK, "single-tag-accepted", "Tags given as one string are accepted as a list of one.",
     _coerce(lambda v: [v] if isinstance(v, str) else v, ["tags"])),
    (BREAK, "missing-query-accepted", "A search without a query is accepted and taken as a search for light.",
     lambda arguments, tool: {"query": "light"} | arguments if tool.name.endswith("search_towers") else arguments),
    (BREAK, "null-limit-accepted", "A limit of null is accepted and taken as the default.",
     lambda arguments, tool: {k: v for k, v in arguments.items() if k != "limit" or v is not None}),
)
table(
    "raw arguments", "Limits",
    (BREAK, "limit-silently-lowered", "A limit beyond 100 is lowered to 100 and not rejected.",
     _coerce(lambda v: min(v, 100) if type(v) is int else v, ["limit"])),
    (BREAK, "limit-zero-means-default", "A limit of 0 is accepted and taken as 20.", _coerce(lambda v: 20 if v == 0 else v, ["limit"])),
    (BREAK, "negative-offset-as-zero", "A negative offset is accepted and taken as 0.",
     _coerce(lambda v: max(v, 0) if type(v) is int else v, ["offset"])),
)
table(
    "problems", "Limits",
    (BREAK, "limit-unbounded", "Any limit beyond 100 is accepted and applied.", _accept("maximum", field="limit")),
    (BREAK, "limit-101-accepted", "A limit of exactly 101 is accepted and applied.",
     lambda problems, arguments, tool: _accept("maximum", field="limit")(problems, arguments, tool)
     if arguments.get("limit") == 101 else problems),
    (BREAK, "limit-unbounded-for-logs", "Only the log list accepts and applies a limit beyond 100.",
     lambda problems, arguments, tool: _accept("maximum", field="limit")(problems, arguments, tool)
     if tool.name.endswith("logs") else problems),
    (BREAK, "limit-100-refused", "A limit of exactly 100 is rejected.",
     _refuse("limit: 100 is not less than 100", lambda arguments: arguments.get("limit") == 100)),
    (BREAK, "limit-1-refused", "A limit of exactly 1 is rejected.",
     _refuse("limit: 1 is not greater than 1", lambda arguments: arguments.get("limit") == 1)),
    (BREAK, "offset-0-refused", "An offset of 0 is rejected when it is given.",
     _refuse("offset: 0 is not greater than 0", lambda arguments: arguments.get("offset") == 0)),
)
table(
    "problems", "Tool definition",
    (BREAK, "short-query-accepted", "A query shorter than its minLength is accepted.", _accept("minLength", field="query")),
    (BREAK, "long-query-accepted", "A query longer than its maxLength is accepted.", _accept("maxLength", field="query")),
    (BREAK, "query-of-200-refused", "A query of exactly 200 characters is rejected.",
     _refuse("query: too long", lambda arguments: len(str(arguments.get("query", ""))) == 200)),
    (BREAK, "many-tags-accepted", "More tags than maxItems are accepted.", _accept("maxItems")),
    (BREAK, "extra-fields-ignored", "Unknown fields are ignored, though the schemas forbid them.", _accept("additionalProperties")),
    (BREAK, "patterns-not-checked", "Identifiers that do not match their pattern reach the tool.", _accept("pattern")),
    (BREAK, "items-not-checked", "Elements of tags may have any type and length.", _accept("items")),
    (BREAK, "enum-of-status-not-checked", "The tool that sets a status accepts any status.", _accept("enum", field="status")),
)


def checked(tool, given):
    """The arguments with defaults; raises BadInput."""
    arguments = dict(given)
    if on("schema-any-of-null") or on("schema-type-lists"):
        arguments = _without_nulls(arguments, tool)
    arguments = twist("raw arguments", arguments, tool)
    schema = input_schema(tool.properties, tool.required)
    problems = [(name, "required", f"{name}: this field is required")
                for name in schema.get("required", []) if name not in arguments]
    for name, value in arguments.items():
        field = schema["properties"].get(name)
        if field is None:
            if "additionalProperties" in schema:
                problems.append((name, "additionalProperties", f"{name}: this field is not known"))
            continue
        if isinstance(value, str) and not on("whitespace-kept"):
            value = value.strip()
        if field["type"] == "integer" and isinstance(value, float) and value.is_integer():
            value = int(value)
        arguments[name] = value
        problems += [(name, rule, f"{name}: {text}") for rule, text in _violations(value, field)]
    problems = twist("problems", problems, arguments, tool)
    if problems:
        raise BadInput(problems)
    for name, field in schema["properties"].items():
        arguments.setdefault(name, field.get("default"))
    return arguments


def _violations(value, field):
    kinds = {"string": str, "integer": int, "array": list}
    if not isinstance(value, kinds[field["type"]]) or isinstance(value, bool):
        return [("type", f"expected a value of type {field['type']}")]
    found = []
    if "enum" in field and value not in field["enum"]:
        found.append(("enum", "expected one of " + ", ".join(field["enum"])))
    if isinstance(value, str):
        length = len(value.encode()) if on("lengths-in-bytes") else len(value)
        if length < field.get("minLength", 0):
            found.append(("minLength", f"expected at least {field['minLength']} characters"))
        if length > field.get("maxLength", length):
            found.append(("maxLength", f"expected at most {field['maxLength']} characters"))
        if "pattern" in field and not re.search(field["pattern"].replace("$", r"\Z"), value):
            found.append(("pattern", f"expected a text that matches {field['pattern']}"))
    if isinstance(value, int):
        if value < field.get("minimum", value):
            found.append(("minimum", f"expected at least {field['minimum']}"))
        if value > field.get("maximum", value):
            found.append(("maximum", f"expected at most {field['maximum']}"))
    if isinstance(value, list):
        if len(value) > field.get("maxItems", len(value)):
            found.append(("maxItems", f"expected at most {field['maxItems']} items"))
        if any(_violations(element, field["items"]) for element in value):
            found.append(("items", "an element is not valid"))
    return found
