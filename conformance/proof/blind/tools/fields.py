"""Input models as JSON Schema: the fields that tools share, and the style in which a schema is shown."""
import copy

from data import STATUSES
from switches import BREAK, CHOICE, on, table, twist

RESPONSE_FORMAT = {"type": "string", "enum": ["markdown", "json"], "default": "markdown",
                   "description": "Form of the answer: markdown for people, json for programs."}
LIMIT = {"type": "integer", "minimum": 1, "maximum": 100, "default": 20,
         "description": "How many items to return at most."}
OFFSET = {"type": "integer", "minimum": 0, "default": 0, "description": "How many matches to skip."}
QUERY = {"type": "string", "minLength": 2, "maxLength": 200, "description": "Text to look for in name, region and tags."}
LABELS = {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 30}, "maxItems": 10,
          "description": "Only towers that carry all of these tags."}
TOWER_ID = {"type": "string", "pattern": "^LH-[0-9]{3}$", "description": "Identifier of the tower, such as LH-007."}
STATUS = {"type": "string", "enum": STATUSES, "description": "Operating status of the tower."}


def input_schema(properties, required):
    """The schema that validation follows."""
    schema = {"type": "object", "properties": copy.deepcopy(properties)}
    if required:
        schema["required"] = list(required)
    if not on("extra-fields-allowed"):
        schema["additionalProperties"] = False
    return schema


def shown_schema(tool):
    """The schema of a tool as tools/list shows it."""
    return twist("shown schema", input_schema(tool.properties, tool.required), tool)


def _each(change):
    """A change of every property of a schema."""
    def apply(schema, tool):
        for name, field in schema["properties"].items():
            schema["properties"][name] = change(name, field, tool)
        return schema
    return apply


def _optional(name, field, tool):
    return name not in tool.required and "default" not in field


def _any_of_null(name, field, tool):
    if not _optional(name, field, tool):
        return field
    description = field.pop("description")
    return {"anyOf": [field, {"type": "null"}], "default": None, "description": description}


def _type_list(name, field, tool):
    if _optional(name, field, tool) and "enum" not in field:
        field["type"] = [field["type"], "null"]
    return field


def _exclusive_bounds(name, field, tool):
    if "minimum" in field:
        field["exclusiveMinimum"] = field.pop("minimum") - 1
    if "maximum" in field:
        field["exclusiveMaximum"] = field.pop("maximum") + 1
    return field


def _one_of_const(name, field, tool):
    if "enum" in field:
        field["oneOf"] = [{"const": value, "title": value.title()} for value in field.pop("enum")]
    return field


def _reference(wrap):
    def apply(schema, tool):
        field = schema["properties"].get("response_format")
        if field:
            schema["$defs"] = {"ResponseFormat": {"type": "string", "enum": field.pop("enum")}}
            field.pop("type")
            reference = {"$ref": "#/$defs/ResponseFormat"}
            field |= {"allOf": [reference]} if wrap else reference
        return schema
    return apply


def _set(name, **changes):
    """A change of one property, where a tool has it; a value None removes the keyword."""
    def apply(key, field, tool):
        if key == name:
            field = {k: v for k, v in (field | changes).items() if v is not None}
        return field
    return _each(apply)


def _tool_only(name, change):
    return lambda schema, tool: change(schema) if tool.name.endswith(name) else schema


def _without(*keys):
    return lambda schema: {key: value for key, value in schema.items() if key not in keys}


table(
    "shown schema", "Tool definition",
    (CHOICE, "schema-any-of-null", "Optional fields are anyOf the type or null, with default null; null counts as absent.",
     _each(_any_of_null)),
    (CHOICE, "schema-type-lists", "Optional fields without enum have the type list [type, null]; null counts as absent.",
     _each(_type_list)),
    (CHOICE, "schema-exclusive-bounds", "Bounds of numbers are written as exclusiveMinimum and exclusiveMaximum.",
     _each(_exclusive_bounds)),
    (CHOICE, "schema-one-of-const", "Enums are written as oneOf with const and title.", _each(_one_of_const)),
    (CHOICE, "schema-references", "The enum of response_format is in $defs and referred to by $ref.", _reference(False)),
    (CHOICE, "schema-references-in-all-of", "The enum of response_format is in $defs and referred to inside allOf.",
     _reference(True)),
    (CHOICE, "schema-titles", "The schema and each field have a title.",
     lambda schema, tool: _each(lambda name, field, tool: {"title": name.replace("_", " ").title()} | field)(
         schema | {"title": tool.function.__name__}, tool)),
    (CHOICE, "schema-dialect-draft-07", "The schema names draft-07 in $schema.",
     lambda schema, tool: {"$schema": "http://json-schema.org/draft-07/schema#"} | schema),
    (CHOICE, "schema-dialect-2020-12", "The schema names 2020-12 in $schema.",
     lambda schema, tool: {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema),
    (CHOICE, "schema-empty-required", "A schema without required fields has an empty required array.",
     lambda schema, tool: {"required": []} | schema),
    (CHOICE, "schema-examples", "Each string field has examples in its schema.",
     _each(lambda name, field, tool: field | {"examples": field.get("enum", ["LH-007"])} if field.get("type") == "string"
           else field)),
    (CHOICE, "schema-defaults-in-text", "Defaults are told in the descriptions and not in the default keyword.",
     _each(lambda name, field, tool: {k: v for k, v in field.items() if k != "default"} | {
         "description": f"{field['description']} Default: {field['default']}."} if "default" in field else field)),
    (BREAK, "schema-without-constraints", "The fields of the log list show no constraints, though they are enforced.",
     _tool_only("list_logs", lambda schema: _each(
         lambda name, field, tool: {k: v for k, v in field.items() if k in ("type", "description", "default")})(schema, None))),
    (BREAK, "schema-field-undescribed", "The offset field of the log list has no description.",
     _tool_only("list_logs", lambda schema: _set("offset", description=None)(schema, None))),
    (BREAK, "schema-field-untyped", "The tower_id field of each tool has no type.", _set("tower_id", type=None)),
    (BREAK, "schema-default-limit-10", "The schemas show 10 as the default of limit, though 20 is applied.",
     _set("limit", default=10)),
    (BREAK, "schema-maximum-1000", "The schemas show 1000 as the maximum of limit, though 100 is enforced.",
     _set("limit", maximum=1000)),
    (BREAK, "schema-default-format-json", "The schema of the search shows json as the default format, markdown is applied.",
     _tool_only("search_towers", lambda schema: _set("response_format", default="json")(schema, None))),
    (BREAK, "schema-format-third-value", "The schemas list text as a third response_format, which is rejected.",
     _set("response_format", enum=["markdown", "json", "text"])),
    (BREAK, "schema-bounds-as-text", "The minimum of offset is the string 0, which is not valid JSON Schema.",
     _set("offset", minimum="0")),
    (BREAK, "schema-type-int", "The type of limit is int, which JSON Schema does not know.", _set("limit", type="int")),
    (BREAK, "schema-required-in-field", "The search marks query as required: true in the field, not in the required array.",
     _tool_only("search_towers", lambda schema: _set("query", required=True)(_without("required")(schema), None))),
    (BREAK, "schema-required-missing", "The schema of the get tool does not list tower_id as required, though it is.",
     _tool_only("get_tower", _without("required"))),
    (BREAK, "schema-without-offset", "The schema of the log list does not show offset, though the tool applies it.",
     _tool_only("list_logs", lambda schema: schema | {
         "properties": {k: v for k, v in schema["properties"].items() if k != "offset"}})),
)
table(
    "shown schema", "MCP: Tools",
    (BREAK, "schema-not-an-object", "The input schema of the tool without arguments has no type object.",
     _tool_only("describe_server", _without("type"))),
    (BREAK, "schema-null", "The input schema of the tool without arguments is null.", _tool_only("describe_server", lambda s: None)),
)
