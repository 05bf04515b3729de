"""Validation of a tool's input against its model, before the tool runs."""
import re

from switches import on

SHARED = {"limit": 20}  # used by limit-leaks-to-all


class Invalid(Exception):
    """Input that violates the input model; .partial holds the fields that were good."""

    def __init__(self, message, partial):
        super().__init__(message)
        self.partial = partial


def validate(tool, given, session):
    schema = tool["model"]
    values, problems = {}, []
    for name in given:
        if name not in schema["properties"]:
            allowed = on("ignore-extra-fields") or (tool["key"] == "update" and on("extra-field-on-update"))
            if not allowed:
                problems.append(f"{name}: unknown field")
    for name, rule in schema["properties"].items():
        if name not in given:
            if name in schema.get("required", []):
                if name == "query" and on("missing-query-matches-all"):
                    values[name] = ""
                else:
                    problems.append(f"{name}: field required")
            elif "default" in rule:
                values[name] = default(tool, name, rule, given, session)
            continue
        try:
            values[name] = check(tool, name, rule, given[name])
        except ValueError as error:
            problems.append(f"{name}: {error}")
    if problems:
        raise Invalid("; ".join(problems), values)
    if "response_format" in given:
        session.last_format = values["response_format"]
    if "limit" in given:
        SHARED["limit"] = values["limit"]
    return values


def default(tool, name, rule, given, session):
    if name == "limit":
        if on("limit-leaks-to-all"):
            return SHARED["limit"]
        if tool["key"] == "search":
            if on("markdown-default-limit-10") and given.get("response_format", "markdown") == "markdown":
                return 10
            if on("tagged-default-limit-25") and given.get("tags"):
                return 25
    if name == "response_format":
        if on("format-sticks-to-session") and session.last_format:
            return session.last_format
        if on("default-json-on-provenance") and tool["key"] == "provenance":
            return "json"
    return rule["default"]


def check(tool, name, rule, value):
    kind = rule["type"]
    if kind == "string":
        return check_string(tool, name, rule, value)
    if kind == "integer":
        return check_integer(tool, name, rule, value)
    if kind == "boolean":
        if not isinstance(value, bool):
            raise ValueError("must be a boolean")
        return value
    return check_array(tool, name, rule, value)


def check_string(tool, name, rule, value):
    if not isinstance(value, str):
        raise ValueError("must be a string")
    if not on("no-strip"):
        value = value.strip()
    if name == "response_format" and on("format-uppercase-accepted") and value == "JSON":
        return "markdown"
    if "enum" in rule and value not in rule["enum"]:
        raise ValueError(f"must be one of {', '.join(rule['enum'])}")
    size = len(value)
    if name == "query" and on("query-length-in-bytes"):
        size = len(value.encode())
    top = rule.get("maxLength")
    if name == "query" and on("query-200-rejected"):
        top = 199
    if size < rule.get("minLength", 0):
        raise ValueError(f"must have at least {rule['minLength']} characters")
    if top is not None and size > top:
        raise ValueError(f"must have at most {top} characters")
    if "pattern" in rule:
        if name == "artifact_id" and on("id-pattern-unanchored"):
            found = re.match(r"art-(?:[0-9a-f]{32}|[0-9]{4})", value)
            if found:
                return found.group(0)
        if not re.fullmatch(rule["pattern"].strip("^$"), value):
            raise ValueError(f"must match {rule['pattern']}")
    return value


def check_integer(tool, name, rule, value):
    limit = name == "limit"
    if limit and value is True and on("bool-limit-accepted"):
        return 1
    if limit and value is None and on("null-limit-accepted"):
        return rule["default"]
    if on("lax-numbers") and isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("must be an integer")
    if isinstance(value, float):
        # JSON Schema counts 20.0 as an integer.
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError("must be an integer")
        if not value.is_integer() and not (limit and on("fractional-limit-accepted")):
            raise ValueError("must be an integer")
        value = int(value)
    low, high = rule.get("minimum"), rule.get("maximum")
    if limit:
        if value == 0 and on("limit-zero-default"):
            return rule["default"]
        if value == 100 and on("limit-100-rejected"):
            raise ValueError("must be less than 100")
        if 100 < value <= 1000 and on("limit-clamped"):
            return 100
    if name == "offset" and value == -1 and on("offset-minus-one"):
        return 0
    if name == "year" and tool["key"] == "update" and on("year-unchecked-on-update"):
        return value
    if low is not None and value < low:
        raise ValueError(f"must be at least {low}")
    if high is not None and value > high:
        raise ValueError(f"must be at most {high}")
    return value


def check_array(tool, name, rule, value):
    if not isinstance(value, list):
        raise ValueError("must be an array")
    top = rule["maxItems"]
    if tool["key"] == "search" and len(value) == 11 and on("tags-eleven-accepted"):
        top = 11
    if len(value) > top:
        raise ValueError(f"must have at most {rule['maxItems']} items")
    if on("tag-items-unchecked"):
        return [str(item) for item in value]
    checked = []
    for place, item in enumerate(value):
        try:
            checked.append(check(tool, f"{name}[]", rule["items"], item))
        except ValueError as error:
            raise ValueError(f"item {place}: {error}")
    return checked
