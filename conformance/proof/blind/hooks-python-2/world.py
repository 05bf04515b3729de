"""The state of the hosting service: projects, issues, merge requests ... and the payloads of their events."""
import os, random, threading, time
from datetime import datetime, timezone, timedelta

RND = random.Random(os.environ.get("HOOKS_SEED") or os.urandom(16))
ZERO = "0" * 40
LOCK = threading.RLock()
HOST = "https://git.example.com"
_seq = {}

def nid(kind, start=None):
    _seq.setdefault(kind, start or RND.randrange(1000, 90000))
    _seq[kind] += 1
    return _seq[kind]
def sha(): return "%040x" % RND.getrandbits(160)
def now(): return datetime.now(timezone.utc)
def ts(d): return d.strftime("%Y-%m-%d %H:%M:%S UTC")
def iso(d): return d.strftime("%Y-%m-%dT%H:%M:%S+00:00")
WORDS = ["parser", "cache", "login", "élan", "queue", "résumé", "index", "日本語", "widget", "träger", "branch", "token"]
def words(n): return " ".join(RND.choice(WORDS) for _ in range(n))

USERS = [dict(id=11, name="Zoë Müller", username="zoe", avatar_url=HOST + "/u/11.png", email="zoe@example.com"),
         dict(id=12, name="李雷", username="lilei", avatar_url=HOST + "/u/12.png", email="lilei@example.com"),
         dict(id=13, name="Sam O'Hara", username="sam", avatar_url=HOST + "/u/13.png", email="sam@example.com")]
def user(i): return dict(USERS[i])
def short(u): return {k: u[k] for k in ("id", "name", "username", "avatar_url")}
RUNNER = dict(id=380987, description="shared-runner-1", active=True, runner_type="instance_type", is_shared=True, tags=["linux", "docker"])

class Project:
    def __init__(self, id, name, path):
        self.id, self.name, self.path = id, name, path
        self.web = HOST + "/" + path
        self.head = sha(); self.branches = {}; self.tags = {}
        self.issues, self.mrs, self.pages, self.releases, self.deps = [], [], [], [], []
        self.nopush = 0; self.niid = {"i": 0, "m": 0}; self.npipe = 0; self.njob = 0; self.nissue = 0
    def obj(self):
        return dict(id=self.id, name=self.name, description="Werkzeuge für %s – ✓" % self.name, web_url=self.web, avatar_url=None,
                    git_ssh_url="git@git.example.com:%s.git" % self.path, git_http_url=self.web + ".git",
                    namespace=self.path.split("/")[0].title(), visibility_level=20, path_with_namespace=self.path, default_branch="main")
    def repo(self):
        o = self.obj()
        return dict(name=self.name, url=o["git_ssh_url"], description=o["description"], homepage=self.web)
    def commit(self, id=None, files=False, when=None):
        id = id or sha(); title = "Fix naïve %s – 🚀" % words(2)
        c = dict(id=id, message=title + "\n\nRéférence: %s\n" % words(2), title=title, timestamp=iso(when or now()),
                 url=self.web + "/-/commit/" + id, author=dict(name=USERS[0]["name"], email=USERS[0]["email"]))
        if files:
            c.update(added=["docs/%s é.md" % sha()[:5]], modified=["src/%s.py" % sha()[:6]], removed=[])
        return c
    def labels(self, n, t):
        return [dict(id=500 + i, title=["bug", "größe", "API"][i], color=["#ff0000", "#00ff00", "#0000ff"][i], project_id=self.id,
                     created_at=ts(t - timedelta(days=9)), updated_at=ts(t - timedelta(days=2))) for i in range(n)]

PROJECTS = {4217: Project(4217, "Lumière", "atelier/lumiere"), 5308: Project(5308, "Zweites Projekt", "atelier/zweites")}

# ---------------------------------------------------------------- builders: (project, action) -> payload
def push(p, a):
    a = a or "push"
    p.nopush += 1
    n = (p.nopush - 1) % 3 + 1 if os.environ.get("HOOKS_SEED") is None else 3
    branch = "main" if a in ("push", "update") else "feature/%s" % sha()[:6]
    u = USERS[0]
    if a == "delete":
        before, after, commits = sha(), ZERO, []
    else:
        before = ZERO if a == "create" else p.head
        t = now(); commits = [p.commit(files=True, when=t - timedelta(minutes=n - i)) for i in range(n)]
        after = commits[-1]["id"]
        if branch == "main": p.head = after
    return dict(object_kind="push", event_name="push", before=before, after=after, ref="refs/heads/" + branch,
                checkout_sha=None if a == "delete" else after, user_id=u["id"], user_name=u["name"], user_username=u["username"],
                user_email=u["email"], user_avatar=u["avatar_url"], project_id=p.id, project=p.obj(), commits=commits,
                total_commits_count=len(commits), repository=p.repo())
def tag(p, a):
    a = a or "create"; u = USERS[0]
    if a == "delete":
        if not p.tags: p.tags["v0.%d" % RND.randrange(99)] = p.head
        name, at = p.tags.popitem(); before, after, co = at, ZERO, None
    else:
        name = "v1.%d.%d-β" % (RND.randrange(99), RND.randrange(999)); p.tags[name] = p.head; before, after, co = ZERO, p.head, p.head
    return dict(object_kind="tag_push", event_name="tag_push", before=before, after=after, ref="refs/tags/" + name, checkout_sha=co,
                user_id=u["id"], user_name=u["name"], user_avatar=u["avatar_url"], project_id=p.id, project=p.obj(), commits=[],
                total_commits_count=0, repository=p.repo())
def pick(lst, want, make):
    for x in reversed(lst):
        if x["state"] in want: return x
    x = make(); x["state"] = want[0]; lst.append(x); return x
def issue(p, a, conf=False):
    a = a or "open"; t = now(); sid = {"opened": 1, "closed": 2}
    def make():
        p.niid["i"] += 1; p.nissue += 1
        return dict(id=nid("issue"), iid=p.niid["i"], title="Fehler im %s ☃" % words(2), description="Beschreibung: %s\nzweite Zeile" % words(4),
                    ass=[12, 13] if p.nissue % 2 else [12], created=t - timedelta(hours=3), state="opened", conf=conf, nlab=2)
    lst = [x for x in p.issues if x["conf"] == conf]
    if a == "open":
        x = make(); x["created"] = t; p.issues.append(x)
    else:
        x = pick(lst, ["closed"] if a == "reopen" else ["opened"], make)
        if x not in p.issues: p.issues.append(x)
    old = dict(x)
    if a == "close": x["state"] = "closed"
    if a == "reopen": x["state"] = "opened"
    if a == "update": x["title"] = "Neu: %s ✎ %d" % (words(2), RND.randrange(999))
    ch = {}
    if a == "open": ch = {"title": dict(previous=None, current=x["title"]), "state_id": dict(previous=None, current=1)}
    if a in ("close", "reopen"): ch = {"state_id": dict(previous=sid[old["state"]], current=sid[x["state"]])}
    if a == "update": ch = {"title": dict(previous=old["title"], current=x["title"])}
    if a != "open": ch["updated_at"] = dict(previous=ts(x.get("upd", x["created"])), current=ts(t))
    x["upd"] = t
    labs = p.labels(x["nlab"], t)
    oa = dict(id=x["id"], title=x["title"], assignee_ids=list(x["ass"]), assignee_id=x["ass"][0], author_id=11, project_id=p.id,
              created_at=ts(x["created"]), updated_at=ts(t), position=0, branch_name=None, description=x["description"], milestone_id=None,
              state=x["state"], state_id=sid[x["state"]], iid=x["iid"], url=p.web + "/-/issues/%d" % x["iid"], action=a, labels=[dict(l) for l in labs])
    if conf: oa["confidential"] = True
    return dict(object_kind="issue", event_type="issue", user=user(0), project=p.obj(), object_attributes=oa,
                assignees=[short(u) for u in USERS if u["id"] in x["ass"]], labels=labs, changes=ch)
def mr_make(p):
    p.niid["m"] += 1; t = now()
    return dict(id=nid("mr"), iid=p.niid["m"], title="Ändere %s" % words(2), src="feature/%s" % sha()[:6], state="opened", created=t - timedelta(hours=2),
                commit=p.commit(when=t - timedelta(hours=2)))
def mr(p, a):
    a = a or "open"; t = now(); sid = {"opened": 1, "closed": 2, "merged": 3}
    if a == "open":
        x = mr_make(p); x["created"] = t; p.mrs.append(x)
    else: x = pick(p.mrs, ["closed"] if a == "reopen" else ["opened"], lambda: mr_make(p))
    old = dict(x)
    x["state"] = {"close": "closed", "merge": "merged", "reopen": "opened"}.get(a, x["state"])
    if a == "update": x["title"] = "Überarbeitet: %s %d" % (words(2), RND.randrange(999))
    ch = {}
    if a == "open": ch = {"title": dict(previous=None, current=x["title"])}
    if a == "update": ch = {"title": dict(previous=old["title"], current=x["title"])}
    if a in ("close", "merge", "reopen"): ch = {"state_id": dict(previous=sid[old["state"]], current=sid[x["state"]])}
    labs = p.labels(1, t); po = p.obj()
    oa = dict(id=x["id"], iid=x["iid"], target_branch="main", source_branch=x["src"], source_project_id=p.id, author_id=11, assignee_ids=[12],
              assignee_id=12, reviewer_ids=[13], title=x["title"], created_at=ts(x["created"]), updated_at=ts(t), milestone_id=None, state=x["state"],
              state_id=sid[x["state"]], merge_status="can_be_merged", target_project_id=p.id, description="Warum: %s" % words(3),
              url=p.web + "/-/merge_requests/%d" % x["iid"], source=dict(po), target=dict(po),
              last_commit={k: x["commit"][k] for k in ("id", "message", "timestamp", "url", "author")}, work_in_progress=False, draft=False,
              action=a, assignee=short(USERS[1]), labels=[dict(l) for l in labs])
    return dict(object_kind="merge_request", event_type="merge_request", user=user(0), project=p.obj(), object_attributes=oa, labels=labs, changes=ch,
                assignees=[short(USERS[1])], reviewers=[short(USERS[2])])
def pipeline(p, a):
    a = a or "success"; t = now(); p.npipe += 1; done = a in ("success", "failed", "canceled")
    x = pick(p.mrs, ["opened"], lambda: mr_make(p)); c = x["commit"]; c0 = t - timedelta(seconds=75)
    def build(i, stage, name):
        st = a if a != "skipped" else "skipped"; started = st not in ("pending", "skipped")
        return dict(id=nid("job"), stage=stage, name=name, status=st, created_at=ts(c0), started_at=ts(c0 + timedelta(seconds=5)) if started else None,
                    finished_at=ts(t) if done else None, duration=70.0 if done else None, queued_duration=5.0 if started else None, when="on_success",
                    manual=False, allow_failure=False, user=short(USERS[0]), runner=dict(RUNNER, tags=list(RUNNER["tags"])) if started else None,
                    artifacts_file=dict(filename="ergebnis-ß.zip" if done else None, size=1234 if done else None), environment=None)
    oa = dict(id=nid("pipe"), ref=x["src"], tag=False, sha=c["id"], before_sha=p.head, source="merge_request_event", status=a,
              detailed_status="passed" if a == "success" else a, stages=["build", "test"], created_at=ts(c0), finished_at=ts(t) if done else None,
              duration=70 if done else 0, queued_duration=5, variables=[dict(key="GRÖSSE", value="1")] if p.npipe % 2 else [])
    return dict(object_kind="pipeline", object_attributes=oa,
                merge_request=dict(id=x["id"], iid=x["iid"], title=x["title"], source_branch=x["src"], source_project_id=p.id, target_branch="main",
                                   target_project_id=p.id, state=x["state"], merge_status="can_be_merged", url=p.web + "/-/merge_requests/%d" % x["iid"]),
                user=user(0), project=p.obj(), commit=dict(c), builds=[build(0, "build", "übersetzen"), build(1, "test", "test:linux")])
def job(p, a):
    a = a or "success"; t = now(); done = a in ("success", "failed", "canceled"); started = a != "pending"; c0 = t - timedelta(seconds=40)
    c = p.commit(id=p.head, when=c0)
    return dict(object_kind="build", ref="main", tag=False, before_sha=ZERO, sha=p.head, build_id=nid("job"), build_name="prüfen:linux", build_stage="test",
                build_status=a, build_created_at=ts(c0), build_started_at=ts(c0 + timedelta(seconds=4)) if started else None,
                build_finished_at=ts(t) if done else None, build_duration=36.0 if done else None, build_queued_duration=4.0 if started else None,
                build_allow_failure=False, build_failure_reason="script_failure" if a == "failed" else "unknown_failure", pipeline_id=nid("pipe"),
                runner=dict(RUNNER, tags=list(RUNNER["tags"])) if started else None, project_id=p.id, project_name="Atelier / " + p.name, user=user(0),
                commit=c, repository=p.repo(), environment=dict(name="staging", action="start", deployment_tier="staging"))
def deployment(p, a):
    a = a or "created"; t = now()
    if a == "created" or not p.deps: p.deps.append(dict(id=nid("dep"), job=nid("job"), sha=p.head))
    d = p.deps[-1]
    return dict(object_kind="deployment", status=a, status_changed_at=ts(t), deployment_id=d["id"], deployable_id=d["job"],
                deployable_url=p.web + "/-/jobs/%d" % d["job"], environment="production", environment_tier="production", environment_slug="production",
                environment_external_url="https://prod.example.com", project=p.obj(), short_sha=d["sha"][:8], user=user(0), user_url=HOST + "/zoe",
                commit_url=p.web + "/-/commit/" + d["sha"], commit_title="Veröffentliche 🚀 %s" % words(2))
def wiki(p, a):
    a = a or "create"; o = p.obj()
    if a == "create" or not p.pages:
        p.pages.append(dict(title="Anleitung %s %d" % (words(1), RND.randrange(999)), slug="Anleitung-%d" % RND.randrange(9999)))
    g = p.pages[-1]
    if a == "delete": p.pages.remove(g)
    return dict(object_kind="wiki_page", user=user(0), project=o,
                wiki=dict(web_url=p.web + "/-/wikis/home", git_ssh_url="git@git.example.com:%s.wiki.git" % p.path, git_http_url=p.web + ".wiki.git",
                          path_with_namespace=p.path + ".wiki", default_branch="main"),
                object_attributes=dict(title=g["title"], content="# Überschrift\n\n%s" % words(5), format="markdown", message="%s page" % a,
                                       slug=g["slug"], url=p.web + "/-/wikis/" + g["slug"], action=a))
def release(p, a):
    a = a or "create"; t = now()
    if a == "create" or not p.releases:
        r = dict(id=nid("rel"), tag="v2.%d.%d" % (RND.randrange(99), RND.randrange(99)), created=t, description="Änderungen: %s" % words(3),
                 links=[dict(id=nid("link"), external=True, link_type="other", name="Änderungsprotokoll", url="https://example.net/changes")])
        p.releases.append(r)
    r = p.releases[-1]
    if a == "update": r["description"] = "Korrigiert: %s" % words(3)
    if a == "delete": p.releases.remove(r)
    src = [dict(format=f, url=p.web + "/-/archive/%s/%s-%s.%s" % (r["tag"], p.path.split("/")[1], r["tag"], f)) for f in ("zip", "tar.gz", "tar.bz2", "tar")]
    return dict(id=r["id"], created_at=ts(r["created"]), description=r["description"], name="Ausgabe " + r["tag"], released_at=ts(r["created"]),
                tag=r["tag"], object_kind="release", project=p.obj(), url=p.web + "/-/releases/" + r["tag"], action=a,
                assets=dict(count=len(r["links"]) + len(src), links=[dict(l) for l in r["links"]], sources=src), commit=p.commit(id=p.head, when=t))

IA = ["open", "update", "close", "reopen"]; JS = ["pending", "running", "success", "failed", "canceled"]
EVENTS = {  # flag: (header, builder, actions)
    "push_events": ("Push Hook", push, ["push", "update", "create", "delete"]),
    "tag_push_events": ("Tag Push Hook", tag, ["create", "delete"]),
    "issues_events": ("Issue Hook", issue, IA),
    "confidential_issues_events": ("Confidential Issue Hook", lambda p, a: issue(p, a, True), IA),
    "merge_requests_events": ("Merge Request Hook", mr, IA + ["merge", "approved", "unapproved"]),
    "wiki_page_events": ("Wiki Page Hook", wiki, ["create", "update", "delete"]),
    "deployment_events": ("Deployment Hook", deployment, ["created", "running", "success", "failed", "canceled"]),
    "job_events": ("Job Hook", job, JS),
    "pipeline_events": ("Pipeline Hook", pipeline, JS + ["skipped"]),
    "releases_events": ("Release Hook", release, ["create", "update", "delete"]),
}
