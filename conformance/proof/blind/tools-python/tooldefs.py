"""The tools' definitions: names, descriptions, input models and annotations."""
import copy

import data
from switches import on

SERVER_NAME = "museum_mcp"
FORMAT = {"type": "string", "enum": ["markdown", "json"], "default": "markdown",
          "description": "Output format: markdown for people, json for programs."}
LIMIT = {"type": "integer", "minimum": 1, "maximum": 100, "default": 20,
         "description": "Maximum number of items to return."}
OFFSET = {"type": "integer", "minimum": 0, "default": 0, "description": "Number of items to skip."}
ID_PATTERN = "^art-(?:[0-9a-f]{32}|[0-9]{4})$"
ARTIFACT_ID = {"type": "string", "pattern": ID_PATTERN, "description": "Identifier of the artifact, as art-0001."}
TAGS = {"type": "array", "maxItems": 10, "items": {"type": "string", "minLength": 1, "maxLength": 30},
        "description": "Tags of the artifact, at most ten."}
TITLE = {"type": "string", "minLength": 2, "maxLength": 200, "description": "Title of the artifact."}
YEAR = {"type": "integer", "minimum": -4000, "maximum": 2100, "description": "Year it was made."}
MATERIAL = {"type": "string", "minLength": 2, "maxLength": 60, "description": "Main material."}
TEXT = {"type": "string", "maxLength": 2000, "description": "Free description."}
DEPARTMENT = {"type": "string", "enum": list(data.DEPARTMENTS), "description": "Department that keeps it."}


def model(required, **properties):
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def hints(title, read, destroy, same, world):
    return {"title": title, "readOnlyHint": read, "destructiveHint": destroy, "idempotentHint": same,
            "openWorldHint": world}


STATUS_SCHEMA = {"type": "object", "required": ["server", "artifacts", "created", "deleted"],
                 "properties": {"server": {"type": "string"}, "artifacts": {"type": "integer"},
                                "created": {"type": "integer"}, "deleted": {"type": "integer"}}}

TOOLS = [
    {"key": "search", "name": "museum_search_artifacts",
     "description": "Searches the collection for artifacts whose title, material, description or tags contain the "
                    "query. Args: query, tags, limit, offset, response_format. Returns a page of artifacts with total "
                    "and next offset. Do not use it when you know the identifier: use museum_get_artifact.",
     "model": model(["query"], query={"type": "string", "minLength": 2, "maxLength": 200,
                                      "description": "Text to look for."},
                    tags=dict(TAGS, default=[], description="Only artifacts that have all these tags."),
                    limit=LIMIT, offset=OFFSET, response_format=FORMAT),
     "annotations": hints("Search artifacts", True, False, True, False)},
    {"key": "get", "name": "museum_get_artifact",
     "description": "Gets one artifact by its identifier. Args: artifact_id, response_format. Returns all its fields "
                    "(json) or a readable page (markdown). Do not use it to look for artifacts by words.",
     "model": model(["artifact_id"], artifact_id=ARTIFACT_ID, response_format=FORMAT),
     "annotations": hints("Get an artifact", True, False, True, False)},
    {"key": "provenance", "name": "museum_list_provenance",
     "description": "Lists the long provenance records of an artifact. Args: artifact_id, limit, offset, "
                    "response_format. Returns a page of records, truncated when too long. Do not use it for the "
                    "artifact's own fields.",
     "model": model(["artifact_id"], artifact_id=ARTIFACT_ID, limit=LIMIT, offset=OFFSET, response_format=FORMAT),
     "annotations": hints("List provenance records", True, False, True, False)},
    {"key": "create", "name": "museum_create_artifact",
     "description": "Adds an artifact to the collection. Args: title, year, material, tags, description, department, "
                    "response_format. Returns the new artifact. Do not use it to change an existing artifact.",
     "model": model(["title", "year"], title=TITLE, year=YEAR, material=MATERIAL, tags=TAGS, description=TEXT,
                    department=DEPARTMENT, response_format=FORMAT),
     "annotations": hints("Create an artifact", False, False, False, False)},
    {"key": "update", "name": "museum_update_artifact",
     "description": "Replaces the given fields of an artifact. Args: artifact_id, title, year, material, tags, "
                    "description, department, response_format. Returns the artifact as it is now. Do not use it to "
                    "add artifacts.",
     "model": model(["artifact_id"], artifact_id=ARTIFACT_ID, title=TITLE, year=YEAR, material=MATERIAL, tags=TAGS,
                    description=TEXT, department=DEPARTMENT, response_format=FORMAT),
     "annotations": hints("Update an artifact", False, True, True, False)},
    {"key": "delete", "name": "museum_delete_artifact",
     "description": "Removes an artifact from the collection for good. Args: artifact_id. Returns a confirming text. "
                    "Do not use it for artifacts that are only on loan.",
     "model": model(["artifact_id"], artifact_id=ARTIFACT_ID),
     "annotations": hints("Delete an artifact", False, True, True, False)},
    {"key": "upstream", "name": "museum_fetch_loan_record",
     "description": "Fetches the loan record of an item from the loans API. Args: item_id, response_format. Returns "
                    "the record as the API gives it. Do not use it for the museum's own artifacts.",
     "model": model(["item_id"], item_id={"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$",
                                          "description": "Identifier of the item in the loans API."},
                    response_format=FORMAT),
     "annotations": hints("Fetch a loan record", True, False, True, True)},
    {"key": "check", "name": "museum_run_condition_check",
     "description": "Runs a condition check on an artifact step by step, with progress and logs. Args: artifact_id, "
                    "steps, step_ms. Returns a short report. Do not use it to change anything.",
     "model": model(["artifact_id"], artifact_id=ARTIFACT_ID,
                    steps={"type": "integer", "minimum": 1, "maximum": 20, "default": 4,
                           "description": "Number of steps."},
                    step_ms={"type": "integer", "minimum": 0, "maximum": 2000, "default": 50,
                             "description": "Milliseconds that a step takes."}),
     "annotations": hints("Run a condition check", True, False, True, False)},
    {"key": "loan", "name": "museum_request_loan",
     "description": "Records a loan of an artifact after asking the user for the borrower and the weeks. Args: "
                    "artifact_id, weeks_max. Returns a confirming text. Do not use it to read loans.",
     "model": model(["artifact_id"], artifact_id=ARTIFACT_ID,
                    weeks_max={"type": "integer", "minimum": 1, "maximum": 52, "default": 52,
                               "description": "Longest loan that may be asked for, in weeks."}),
     "annotations": hints("Request a loan", False, True, False, False)},
    {"key": "status", "name": "museum_get_status",
     "description": "Tells the server's name and how many artifacts it holds. Args: none. Returns a structured value. "
                    "Do not use it to count the matches of a query.",
     "model": model([]), "output": STATUS_SCHEMA,
     "annotations": hints("Get the status", True, False, True, False)},
]


def apply_switches():
    """Called once after the switches are known."""
    if on("loan-tool-unprefixed"):
        by_key("loan")["name"] = "request_loan"
    if on("status-tool-camel-case"):
        by_key("status")["name"] = "museum_getStatus"


def by_key(key):
    return next(tool for tool in TOOLS if tool["key"] == key)


def by_name(name):
    return next((tool for tool in TOOLS if tool["name"] == name), None)


def server_name():
    return SERVER_NAME + ("_v2" if on("server-name-has-version") else "")


def advertised():
    tools = [advertise(tool) for tool in TOOLS]
    return sorted(tools, key=lambda t: t["name"], reverse=True) if on("tools-reversed") else tools


def advertise(tool):
    key, schema = tool["key"], copy.deepcopy(tool["model"])
    notes = dict(tool["annotations"])
    shown = {"name": tool["name"], "description": tool["description"], "inputSchema": schema, "annotations": notes}
    if "output" in tool:
        shown["outputSchema"] = tool["output"]
    elif on("wrapped-structured-result"):
        shown["outputSchema"] = {"type": "object", "properties": {"result": {"type": "string"}},
                                 "required": ["result"]}
    if on("top-level-title"):
        shown["title"] = notes["title"]
        shown["_meta"] = {"museum.example/kind": key}
    if on("lean-annotations") and notes["readOnlyHint"]:
        del notes["destructiveHint"], notes["idempotentHint"]
    spoil(key, shown, notes, schema["properties"])
    if on("ignore-extra-fields"):
        del schema["additionalProperties"]
    if on("lax-numbers"):
        for name, rule in schema["properties"].items():
            if rule["type"] == "integer":
                rule["type"] = ["integer", "string"]
    if on("schema-with-refs"):
        refs(schema)
    return shown


def spoil(key, shown, notes, fields):
    if on("delete-hint-harmless") and key == "delete":
        notes["destructiveHint"] = False
    if on("upstream-hint-closed-world") and key == "upstream":
        notes["openWorldHint"] = False
    if on("create-hint-idempotent") and key == "create":
        notes["idempotentHint"] = True
    if on("hint-as-string") and key == "status":
        notes["readOnlyHint"] = "true"
    if on("title-not-human") and key == "delete":
        notes["title"] = shown["name"]
    if on("delete-description-blank") and key == "delete":
        shown["description"] = ""
    if on("field-description-missing") and key == "search":
        del fields["tags"]["description"]
    if on("schema-range-missing") and key == "provenance":
        del fields["limit"]["minimum"], fields["limit"]["maximum"]
    if on("schema-default-50") and key == "provenance":
        fields["limit"]["default"] = 50


def refs(schema):
    """The way model generators write enumerations."""
    definitions = {}
    for name, rule in schema["properties"].items():
        rule["title"] = name.replace("_", " ").title()
        if "enum" in rule:
            label = "".join(part.title() for part in name.split("_"))
            definitions[label] = {"type": "string", "enum": rule.pop("enum"), "title": label}
            del rule["type"]
            rule["allOf"] = [{"$ref": f"#/$defs/{label}"}]
    if definitions:
        schema["$defs"] = definitions
