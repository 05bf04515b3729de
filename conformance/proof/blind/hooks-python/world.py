"""The made-up world: projects, users, commits, and the clock forms of the document."""
import hashlib
import itertools
import threading
from datetime import datetime, timedelta, timezone
from switches import on

HOST = "https://forge.example"
TOKEN = "fpat-Xw7Qm2RtK9sLzB4vNcHd"
ZERO = "0" * 40
_ids = itertools.count(1)
_lock = threading.Lock()

USERS = [
    dict(id=31, name="Ada Winter", username="awinter", email="ada.winter@forge.example"),
    dict(id=47, name="Zoë Müller", username="zoe.m", email="zoe.mueller@forge.example"),
    dict(id=52, name="Ben Okafor", username="bokafor", email="ben.okafor@forge.example"),
    dict(id=68, name="Chen Li", username="chenli", email="chen.li@forge.example"),
]


class Project:
    def __init__(self, pid, slug, name, group, visibility, avatar):
        self.id, self.slug, self.name, self.group = pid, slug, name, group
        self.visibility, self.avatar = visibility, avatar
        self.path = group.lower() + "/" + slug
        self.web = f"{HOST}/{self.path}"

    @property
    def default_branch(self):
        return "trunk" if on("default-branch-trunk") else "main"

    def obj(self):
        return dict(id=self.id, name=self.name, description=f"{self.name}: sources and issues",
                    web_url=self.web, avatar_url=self.avatar,
                    git_ssh_url=f"git@forge.example:{self.path}.git", git_http_url=self.web + ".git",
                    namespace=self.group, visibility_level=self.visibility,
                    path_with_namespace=self.path, default_branch=self.default_branch)

    def repository(self):
        return dict(name=self.name, url=f"git@forge.example:{self.path}.git",
                    description=f"{self.name}: sources and issues", homepage=self.web)


PROJECTS = {p.id: p for p in (
    Project(4217, "harbor", "Harbor", "Coast", 0, None),          # private, no avatar
    Project(4398, "lantern", "Lantern", "Night", 20, HOST + "/uploads/project/avatar/4398/l.png"),
)}


def new_id():
    with _lock:
        n = next(_ids)
    return 9_100_000_000_000 + n if on("large-ids") else 50100 + n


def sha(*parts):
    h = hashlib.sha256(repr(parts).encode()).hexdigest()
    return h if on("sha256-ids") else h[:40]


def zeros():
    return "0" * 64 if on("sha256-ids") else ZERO


def avatar(u):
    return f"{HOST}/uploads/user/avatar/{u['id']}/avatar.png"


def user(u):
    return dict(id=u["id"], name=u["name"], username=u["username"], avatar_url=avatar(u), email=u["email"])


def person(u):
    return dict(id=u["id"], name=u["name"], username=u["username"], avatar_url=avatar(u))


def now():
    return datetime.now(timezone.utc)


def utc(dt):
    return dt.strftime("%Y-%m-%d %H:%M:%S UTC")


def ago(**kw):
    return now() - timedelta(**kw)


def iso(dt):
    if on("commit-time-z"):
        return dt.strftime("%Y-%m-%dT%H:%M:%SZ")
    if on("commit-time-offset"):
        return dt.astimezone(timezone(timedelta(hours=5, minutes=30))).isoformat(timespec="seconds")
    if on("commit-time-fraction"):
        return dt.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "+00:00"
    return dt.isoformat(timespec="seconds")


def commit(project, n, k, u, files=False):
    """One commit object; with files it is the push form. Messages have more than one line."""
    cid = sha(project.id, "commit", n, k)
    title = ["Fix the tide table lookup", "Add search for moorings", "Ändere die Übersicht",
             "Document the buoy format"][(n + k) % 4]
    c = dict(id=cid, message=f"{title}\n\nSee change {n}-{k}.\n", title=title,
             timestamp=iso(ago(minutes=40 - k)), url=f"{project.web}/-/commit/{cid}",
             author=dict(name=u["name"], email=u["email"]))
    if files:
        c.update(added=[f"docs/note-{n}.md"] if k % 2 == 0 else [], modified=[f"src/tide_{k}.py"],
                 removed=[] if k % 2 == 0 else [f"src/old_{n}.py"])
    return c
