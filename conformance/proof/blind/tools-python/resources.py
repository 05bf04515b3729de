"""Artifacts, departments and a page about the museum, as resources."""
import base64
import json
import re
from urllib.parse import quote, unquote

import data
import store
from switches import on

ABOUT = "museum://about"
TEMPLATES = [
    {"uriTemplate": "museum://artifacts/{id}", "name": "artifact", "title": "Artifact",
     "description": "One artifact by its identifier, as JSON.", "mimeType": "application/json"},
    {"uriTemplate": "museum://departments/{name}", "name": "department", "title": "Department",
     "description": "A department by its name, as JSON.", "mimeType": "application/json"},
]


def listing(session_id):
    found = [{"uri": ABOUT, "name": "about", "title": "About the museum", "mimeType": "text/plain",
              "description": "What this collection is."}]
    for name in data.DEPARTMENTS:
        found.append({"uri": f"museum://departments/{quote(name, safe='')}", "name": name,
                      "mimeType": "application/json", "description": f"The department {name}."})
    for artifact in sorted(store.everything(session_id), key=lambda a: a["id"]):
        found.append({"uri": f"museum://artifacts/{artifact['id']}", "name": artifact["title"],
                      "mimeType": "application/json", "description": f"Artifact {artifact['id']}."})
    return found


def read(uri, session_id):
    """(mime type, text) or None."""
    if uri == ABOUT:
        return "text/plain", "A made-up museum with 130 artifacts in four departments: Émaux, Céladon and more."
    greedy = "(?:/.*)?" if on("resource-template-greedy") else ""
    match = re.fullmatch(r"museum://artifacts/([^/?#]+)" + greedy, uri)
    if match:
        with store.LOCK:  # not store.get: reading must leave no trace
            artifact = store.ARTIFACTS.get(unquote(match.group(1)))
            if artifact is None or not store.visible(artifact, session_id):
                return None
            return "application/json", json.dumps(artifact, ensure_ascii=False)
    match = re.fullmatch(r"museum://departments/([^/?#]+)", uri)
    if match:
        name = match.group(1) if on("resource-percent-kept") else unquote(match.group(1))
        if name not in data.DEPARTMENTS:
            return None
        count = sum(a["department"]["name"] == name for a in store.everything(session_id))
        return "application/json", json.dumps({"id": data.DEPARTMENTS[name], "name": name, "artifacts": count},
                                              ensure_ascii=False)
    return None


def contents(uri, session_id):
    found = read(uri, session_id)
    if found is None:
        return None
    item = {"uri": uri, "mimeType": found[0]}
    if on("resource-as-blob"):
        item["blob"] = base64.b64encode(found[1].encode()).decode()
    else:
        item["text"] = found[1]
    return [item]
