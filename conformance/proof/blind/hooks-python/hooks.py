"""The store of hooks, and the reading of a creation request."""
import itertools
import threading
import uuid
from world import PROJECTS, utc, now
from switches import on

EVENT_FLAGS = ["push_events", "tag_push_events", "issues_events", "confidential_issues_events",
               "merge_requests_events", "wiki_page_events", "deployment_events", "job_events",
               "pipeline_events", "releases_events"]
FIELDS = set(EVENT_FLAGS) | {"url", "token", "enable_ssl_verification", "id"}
BOOLS = {"true": True, "1": True, "false": False, "0": False, "": None}


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status, self.message = status, message


class Hook:
    def __init__(self, hid, project, url, token, flags, ssl):
        self.id, self.project, self.url, self.token = hid, project, url, token
        self.flags, self.ssl = flags, ssl
        self.created = utc(now())
        self.tests, self.sent, self.events = [], 0, 0
        self.dead = self.failed = False

    def record(self):
        if on("record-minimal"):
            return dict(id=self.id)
        rec = dict(id=self.id, url=self.url, project_id=self.project.id, created_at=self.created)
        if on("record-flags-nested"):
            rec["events"] = dict(self.flags)
        else:
            rec.update(self.flags)
        rec["enable_ssl_verification"] = self.ssl
        if on("record-shows-token"):
            rec["token"] = self.token
        if on("record-masks-token"):
            rec["token"] = "********" if self.token else None
        if on("record-extra-members"):
            rec.update(name=None, alert_status="executable", disabled_until=None, url_variables=[],
                       custom_headers=[], repository_update_events=False, note_events=False, x={"y": [1]})
        return rec


class Store:
    def __init__(self):
        self.lock = threading.Lock()
        self.hooks = []
        start = 2 ** 40 if on("hook-id-large") else 300
        self.ids = itertools.count(start + 1)

    def new_id(self):
        if on("hook-id-uuid"):
            return str(uuid.uuid4())
        n = next(self.ids)
        return str(n) if on("hook-id-string") else n

    def of(self, project):
        return [h for h in list(self.hooks) if h.project is project]

    def find(self, project, hid):
        for h in list(self.hooks):
            if str(h.id) == hid and (h.project is project or on("test-crosses-projects")):
                return h
        return None

    def add(self, project, body):
        with self.lock:
            hook = read(self, project, body)
            for old in self.hooks:
                if old.url != hook.url:
                    continue
                if on("same-url-shares-token"):
                    old.token = hook.token
                if on("same-url-shares-flags"):
                    old.flags = hook.flags
                if on("same-url-older-dropped") and old.project is not project:
                    old.dead = True
            self.hooks.append(hook)
            return hook


def flag(body, name):
    v = body.get(name)
    if v is None or isinstance(v, bool):
        return v
    if not on("flag-strings-refused") and str(v).lower() in BOOLS:
        return BOOLS[str(v).lower()]
    raise Refused(400, f"{name} is invalid")


def read(store, project, body):
    """The hook that a request body describes, with the document's defaults."""
    if on("unknown-fields-refused") and set(body) - FIELDS:
        raise Refused(400, "unknown field: " + sorted(set(body) - FIELDS)[0])
    url, token = body.get("url"), body.get("token")
    lenient = (on("url-null-accepted") and "url" in body and url is None) or \
              (on("url-missing-with-token") and "url" not in body and token)
    if not lenient:
        if url is None or url == "":
            raise Refused(422 if on("missing-url-422") else 400, "url is missing")
        if not isinstance(url, str):
            raise Refused(400, "url is invalid")
        good = url.lower().startswith(("http://", "https://")) and len(url.split("://", 1)[1].split("/")[0]) > 0
        if not good and not on("any-url-accepted"):
            raise Refused(400, "url is not a valid URL")
    if token is not None and not isinstance(token, str) or token and ("\r" in token or "\n" in token):
        raise Refused(400, "token is invalid")
    if token is None and "token" in body and on("token-null-sent"):
        token = "null"
    flags = {f: flag(body, f) for f in EVENT_FLAGS}
    sent = [f for f in EVENT_FLAGS if flags[f] is not None]
    if flags["push_events"] is None:
        flags["push_events"] = not (
            (on("push-default-lost-with-flag") and any(flags.values()))
            or (on("push-default-lost-later") and len(store.of(project)) >= 2)
            or (on("push-default-lost-other") and project.id != next(iter(PROJECTS))))
    elif flags["push_events"] is False and sent == ["push_events"] and on("push-false-alone-ignored"):
        flags["push_events"] = True
    for f in EVENT_FLAGS:
        if flags[f] is None:
            flags[f] = on("flags-default-true")
    ssl = flag(body, "enable_ssl_verification")
    if ssl is None:
        ssl = not (token and on("ssl-default-off-with-token"))
    if on("ssl-false-ignored"):
        ssl = True
    return Hook(store.new_id(), project, url or "", token or None, flags, ssl)
