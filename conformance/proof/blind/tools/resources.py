"""Resources: the server's description and each tower, addressed by a URI template."""
import base64
import json
import re

from data import SERVER_NAME, TOWERS, find_tower
from failures import RpcError
from switches import BREAK, CHOICE, on, table, twist

ABOUT = "lighthouse://about"
TEMPLATE = "lighthouse://towers/{tower_id}"


def _text(change):
    """A change of the text of a resource."""
    return lambda content, uri: content | {"text": change(content["text"])}


table(
    "resource", "Resources",
    (CHOICE, "resource-as-blob", "Resources come as base64 in blob.",
     lambda content, uri: {k: v for k, v in content.items() if k != "text"} | {
         "blob": base64.b64encode(content["text"].encode()).decode()}),
    (CHOICE, "resource-as-plain-text", "Resources have the MIME type text/plain.",
     lambda content, uri: content | {"mimeType": "text/plain"}),
    (CHOICE, "resource-with-meta", "The contents of resources carry _meta.",
     lambda content, uri: content | {"_meta": {"lighthouse.example/source": "register"}}),
    (CHOICE, "resource-indented", "The JSON of resources is indented.",
     _text(lambda text: json.dumps(json.loads(text), indent=2))),
    (BREAK, "resource-template-ignored", "The URI template always reads the first tower.",
     lambda content, uri: content | {"text": json.dumps(TOWERS[0])} if uri != ABOUT else content),
)
table(
    "resource", "MCP: Resources",
    (BREAK, "resource-uri-differs", "The contents carry the URI template in place of the URI that was read.",
     lambda content, uri: content | {"uri": TEMPLATE}),
    (BREAK, "resource-without-uri", "The contents carry no URI.",
     lambda content, uri: {k: v for k, v in content.items() if k != "uri"}),
    (BREAK, "resource-misnames-text", "The contents have content in place of text.",
     lambda content, uri: {("content" if k == "text" else k): v for k, v in content.items()}),
    (BREAK, "resource-text-as-object", "The text of a resource is a JSON object, not a string.", _text(json.loads)),
    (BREAK, "resource-empty-on-second-read", "From the second read of the server on, resources have an empty text.",
     lambda content, uri: content | {"text": "" if _reads() > 1 else content["text"]}),
    (BREAK, "resource-blob-not-base64", "Resources come in blob as plain text that is not base64.",
     lambda content, uri: {"uri": uri, "blob": content["text"]}),
)
table("", "MCP: Resources",
      (CHOICE, "resource-unknown-as-bad-params", "An unknown resource is answered with code -32602, not -32002."),
      (BREAK, "resource-unknown-is-empty", "An unknown resource is answered with empty contents."),
      (BREAK, "resource-unknown-reads-first", "An unknown tower is answered with the first tower."),
      (BREAK, "resource-unknown-is-text", "An unknown resource is answered as a result whose text says not found."))
table(
    "resource list", "MCP: Resources",
    (CHOICE, "resource-list-with-towers", "resources/list also lists the first five towers.",
     lambda listed: listed + [_entry(f"lighthouse://towers/{t['id']}", t["name"]) for t in TOWERS[:5]]),
    (CHOICE, "resource-list-with-sizes", "resources/list tells sizes.",
     lambda listed: [entry | {"size": len(read(entry["uri"])["contents"][0].get("text", ""))} for entry in listed]),
    (CHOICE, "resource-list-empty", "resources/list is empty; resources are reached by the template only.", lambda listed: []),
    (BREAK, "resource-list-without-names", "The entries of resources/list have no name.",
     lambda listed: [{k: v for k, v in entry.items() if k != "name"} for entry in listed]),
    (BREAK, "resource-list-has-dead-uri", "resources/list names a resource that cannot be read.",
     lambda listed: listed + [_entry("lighthouse://charts", "charts")]),
)
table("", "Resources",
      (BREAK, "template-with-colon", "The URI template marks its parameter with a colon, not with braces."),
      (BREAK, "template-without-parameter", "The URI template has a star in place of a parameter."))
table("", "MCP: Resources",
      (BREAK, "templates-misnamed", "resources/templates/list has templates in place of resourceTemplates."))

_read = {"count": 0}


def _reads():
    _read["count"] += 1
    return _read["count"]


def _entry(uri, name):
    return {"uri": uri, "name": name, "mimeType": "application/json"}


def list_resources():
    entry = _entry(ABOUT, "about") | {"description": "What this server holds."}
    return {"resources": twist("resource list", [entry])}


def list_templates():
    template = TEMPLATE
    if on("template-with-colon"):
        template = "lighthouse://towers/:tower_id"
    if on("template-without-parameter"):
        template = "lighthouse://towers/*"
    key = "templates" if on("templates-misnamed") else "resourceTemplates"
    return {key: [{"uriTemplate": template, "name": "tower", "mimeType": "application/json",
                   "description": "One tower of the register."}]}


def read(uri):
    """The result of resources/read."""
    value = _value(uri)
    if value is None:
        if on("resource-unknown-is-empty"):
            return {"contents": []}
        if on("resource-unknown-is-text"):
            return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": "Resource not found"}]}
        code = -32602 if on("resource-unknown-as-bad-params") else -32002
        raise RpcError(code, "Resource not found", {"uri": uri})
    content = {"uri": uri, "mimeType": "application/json", "text": text_of(uri)}
    return {"contents": [twist("resource", content, uri)]}


def text_of(uri):
    """The JSON text of a resource."""
    return json.dumps(_value(uri), ensure_ascii=False)


def _value(uri):
    if uri == ABOUT:
        return {"server": SERVER_NAME, "towers": len(TOWERS)}
    match = re.fullmatch(r"lighthouse://towers/([^/]+)", uri)
    if not match:
        return None
    return find_tower(match[1]) or (TOWERS[0] if on("resource-unknown-reads-first") else None)
