"""The state made at server start and shared by all requests. Memory only."""
import copy
import threading
import uuid
from datetime import datetime, timezone

import data
from switches import on

LOCK = threading.RLock()
ARTIFACTS = {a["id"]: copy.deepcopy(a) for a in data.ARTIFACTS}
OWNERS = {}     # used by writes-private-to-session
GHOSTS = {}     # used by delete-leaves-search-hit
COUNTS = {"created": 0, "deleted": 0}
LISTENERS = []  # called with (uri, kind) after a change


def now():
    return data.iso(datetime.now(timezone.utc))


def changed(artifact_id, kind):
    for listener in LISTENERS:
        listener(f"museum://artifacts/{artifact_id}", kind)


def visible(artifact, session_id):
    if on("writes-private-to-session"):
        return OWNERS.get(artifact["id"], session_id) == session_id
    return True


def get(artifact_id, session_id):
    with LOCK:
        artifact = ARTIFACTS.get(artifact_id)
        if artifact is None or not visible(artifact, session_id):
            return None
        if on("get-bumps-version"):
            artifact["version"] += 1
            artifact["updated_at"] = now()
        return copy.deepcopy(artifact)


def everything(session_id):
    with LOCK:
        found = [copy.deepcopy(a) for a in ARTIFACTS.values() if visible(a, session_id)]
    return found


def text_of(a):
    return " ".join([a["title"], a["material"], a["description"], " ".join(a["tags"])]).casefold()


def search(query, session_id):
    needle = query.casefold()
    with LOCK:
        pool = list(ARTIFACTS.values())
        if on("delete-leaves-search-hit"):
            pool += list(GHOSTS.values())
        found = [copy.deepcopy(a) for a in pool if visible(a, session_id) and needle in text_of(a)]
    found.sort(key=(lambda a: (a["title"], a["id"])) if on("search-by-title-order") else (lambda a: a["id"]))
    return found


def create(fields, session_id):
    with LOCK:
        if on("uuid-artifact-ids"):
            artifact_id = "art-" + uuid.uuid4().hex
        else:
            artifact_id = f"art-{130 + COUNTS['created'] + 1:04d}"
        COUNTS["created"] += 1
        moment = now()
        name = fields.get("department", "Decorative Arts")
        artifact = {
            "id": artifact_id, "title": fields["title"],
            "department": {"id": data.DEPARTMENTS[name], "name": name},
            "maker": {"id": "mkr-04", "name": "Unknown potter"},
            "curator": {"id": "cur-01", "name": "Ines Roca"},
            "year": fields["year"], "material": fields.get("material", "ceramic"),
            "tags": list(fields.get("tags", [])), "description": fields.get("description", ""),
            "loan": None, "version": 1, "checksum": data.checksum(fields["title"]), "image_url": None,
            "created_at": moment, "updated_at": moment,
        }
        ARTIFACTS[artifact_id] = artifact
        OWNERS[artifact_id] = session_id
        result = copy.deepcopy(artifact)
    changed(artifact_id, "list")
    return result


def update(artifact_id, fields, session_id):
    with LOCK:
        artifact = ARTIFACTS.get(artifact_id)
        if artifact is None or not visible(artifact, session_id):
            return None
        before = copy.deepcopy(artifact)
        for key in ("title", "year", "material", "description", "tags"):
            if key in fields:
                artifact[key] = copy.copy(fields[key])
        if "department" in fields:
            artifact["department"] = {"id": data.DEPARTMENTS[fields["department"]], "name": fields["department"]}
        if on("update-appends-tags") and "tags" in fields:
            artifact["tags"] = before["tags"] + list(fields["tags"])
        if on("update-drops-unsent-tags") and "tags" not in fields:
            artifact["tags"] = []
        artifact["checksum"] = data.checksum(artifact["title"])
        # A repeated equal update has no effect at all: the tool's idempotentHint says so.
        if artifact != before or on("repeated-update-bumps-version"):
            artifact["version"] += 1
            artifact["updated_at"] = now()
        result = copy.deepcopy(artifact)
    changed(artifact_id, "updated")
    return result


def delete(artifact_id, session_id):
    with LOCK:
        artifact = ARTIFACTS.get(artifact_id)
        if artifact is None or not visible(artifact, session_id):
            if on("delete-twice-takes-next"):
                later = sorted(key for key in ARTIFACTS if key > artifact_id)
                if later:
                    ARTIFACTS.pop(later[0])
            return False
        ARTIFACTS.pop(artifact_id)
        GHOSTS[artifact_id] = artifact
        COUNTS["deleted"] += 1
    changed(artifact_id, "list")
    return True


def record_loan(artifact_id, borrower, weeks):
    with LOCK:
        artifact = ARTIFACTS.get(artifact_id)
        if artifact is None:
            return
        artifact["loan"] = {"borrower": borrower, "weeks": weeks}
    changed(artifact_id, "updated")
