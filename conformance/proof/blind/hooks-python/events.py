"""Builders: one realistic payload for each event of the document."""
import itertools
import threading
from world import (HOST, USERS, ago, avatar, commit, new_id, now, person, sha, user, utc, zeros)
from switches import apply_tweaks, on
import events_ci

FLAGS = {"push": "push_events", "tag_push": "tag_push_events", "issue": "issues_events",
         "confidential_issue": "confidential_issues_events", "merge_request": "merge_requests_events",
         "wiki_page": "wiki_page_events", "pipeline": "pipeline_events", "job": "job_events",
         "deployment": "deployment_events", "release": "releases_events"}
HEADERS = {"push": "Push Hook", "tag_push": "Tag Push Hook", "issue": "Issue Hook",
           "confidential_issue": "Confidential Issue Hook", "merge_request": "Merge Request Hook",
           "wiki_page": "Wiki Page Hook", "pipeline": "Pipeline Hook", "job": "Job Hook",
           "deployment": "Deployment Hook", "release": "Release Hook"}
ACTIONS = {"push": [], "tag_push": ["create", "delete"], "issue": ["open", "update", "close", "reopen"],
           "merge_request": ["open", "update", "close", "reopen", "merge", "approved", "unapproved"],
           "wiki_page": ["create", "update", "delete"], "release": ["create", "update", "delete"],
           "pipeline": ["success", "pending", "running", "failed", "canceled", "skipped"],
           "job": ["success", "pending", "running", "failed", "canceled"],
           "deployment": ["success", "created", "running", "failed", "canceled"]}
ACTIONS["confidential_issue"] = ACTIONS["issue"]
SYNONYMS = {"opened": "open", "updated": "update", "closed": "close", "reopened": "reopen", "merged": "merge",
            "created": "create", "deleted": "delete", "approve": "approved", "unapprove": "unapproved"}
_counters = {}
_lock = threading.Lock()


class Event:
    def __init__(self, kind, action, project, test=False):
        self.kind, self.project, self.test = kind, project, test
        self.family = "issue" if kind == "confidential_issue" else kind
        self.action = action or (ACTIONS[kind] or [None])[0]
        with _lock:
            self.n = next(_counters.setdefault(self.family, itertools.count(0)))
        self.user = USERS[self.n % len(USERS)]
        self.flag, self.header = FLAGS[kind], HEADERS[kind]
        self.payload = BUILDERS[self.family](self)
        apply_tweaks(self.payload, self)


def valid_action(kind, action):
    """The action as the document writes it, or None when it has none such."""
    known = ACTIONS[kind]
    if action in known or not known:
        return action
    return SYNONYMS.get(action) if SYNONYMS.get(action) in known else None


def push(ev):
    p, u, n = ev.project, ev.user, ev.n
    branch = [p.default_branch, "feature/search", p.default_branch][n % 3]
    commits = [commit(p, n, k, USERS[(n + k) % 4], files=True) for k in range(2 + n % 2)]
    after = commits[-1]["id"]
    return dict(object_kind="push", event_name="push", before=sha(p.id, "before", n), after=after,
                ref="refs/heads/" + branch, checkout_sha=after, user_id=u["id"], user_name=u["name"],
                user_username=u["username"], user_email=u["email"], user_avatar=avatar(u), project_id=p.id,
                project=p.obj(), commits=commits, total_commits_count=len(commits), repository=p.repository())


def tag_push(ev):
    p, u, n = ev.project, ev.user, ev.n
    tip = commit(p, n, 7, u, files=True)
    gone = ev.action == "delete"
    return dict(object_kind="tag_push", event_name="tag_push", before=tip["id"] if gone else zeros(),
                after=zeros() if gone else tip["id"], ref=f"refs/tags/v1.{n}.0", checkout_sha=tip["id"],
                user_id=u["id"], user_name=u["name"], user_avatar=avatar(u), project_id=p.id, project=p.obj(),
                commits=[] if gone else [tip], total_commits_count=0 if gone else 1, repository=p.repository())


def label(p, k):
    return dict(id=700 + k, title=["bug", "tides", "docs"][k % 3], color=["#d9534f", "#428bca", "#5cb85c"][k % 3],
                project_id=p.id, created_at=utc(ago(days=90)), updated_at=utc(ago(days=80)))


def ticket_changes(ev, attrs, old_updated):
    """What this action changed: each field with its previous and its current value."""
    a = ev.action
    ch = {}
    if a == "open":
        ch = {f: dict(previous=None, current=attrs[f]) for f in ("id", "title", "author_id", "created_at")}
    elif a == "update":
        ch["title"] = dict(previous="Draft title " + str(ev.n), current=attrs["title"])
        ch["updated_at"] = dict(previous=old_updated, current=attrs["updated_at"])
        ch["labels"] = dict(previous=[], current=attrs["labels"])
    elif a in ("close", "merge", "reopen"):
        ch["state_id"] = dict(previous=2 if a == "reopen" else 1, current=attrs["state_id"])
        ch["updated_at"] = dict(previous=old_updated, current=attrs["updated_at"])
    return ch


def issue(ev):
    p, u, n = ev.project, ev.user, ev.n
    who, iid, t = USERS[(n + 2) % 4], n + 11, utc(now())
    closed = ev.action == "close"
    labels = [label(p, n), label(p, n + 1)]
    a = dict(id=new_id(), title=f"Tide table is late at pier {iid}", assignee_ids=[who["id"]],
             assignee_id=who["id"], author_id=u["id"], project_id=p.id,
             created_at=t if ev.action == "open" else utc(ago(days=2)), updated_at=t, position=0,
             branch_name=None, description="The table lags.\nSeen twice.", milestone_id=81,
             state="closed" if closed else "opened", state_id=2 if closed else 1, iid=iid,
             url=f"{p.web}/-/issues/{iid}", action=ev.action, labels=labels)
    if ev.kind == "confidential_issue":
        a["confidential"] = True
    return dict(object_kind="issue", event_type="issue", user=user(u), project=p.obj(), object_attributes=a,
                assignees=[person(who)], labels=list(labels), changes=ticket_changes(ev, a, utc(ago(days=1))))


def merge_request(ev):
    p, u, n = ev.project, ev.user, ev.n
    who, rev, iid, t = USERS[(n + 1) % 4], USERS[(n + 3) % 4], n + 5, utc(now())
    state, sid = {"close": ("closed", 2), "merge": ("merged", 3)}.get(ev.action, ("opened", 1))
    labels = [label(p, n)]
    last = commit(p, n, 3, u)
    for extra in ("title",):
        last.pop(extra)
    side = dict(name=p.name, web_url=p.web) if on("mr-sides-minimal") else p.obj()
    a = dict(id=new_id(), iid=iid, target_branch=p.default_branch, source_branch=f"feature/moor-{iid}",
             source_project_id=p.id, author_id=u["id"], assignee_ids=[who["id"]], assignee_id=who["id"],
             reviewer_ids=[rev["id"]], title=f"Add mooring search {iid}",
             created_at=t if ev.action == "open" else utc(ago(days=3)), updated_at=t, milestone_id=81,
             state=state, state_id=sid, merge_status="can_be_merged", target_project_id=p.id,
             description="Adds the search.\nCloses #11.", url=f"{p.web}/-/merge_requests/{iid}",
             source=dict(side), target=dict(side), last_commit=last, work_in_progress=False, draft=False,
             action=ev.action, assignee=person(who), labels=labels)
    return dict(object_kind="merge_request", event_type="merge_request", user=user(u), project=p.obj(),
                object_attributes=a, labels=list(labels), changes=ticket_changes(ev, a, utc(ago(days=1))),
                assignees=[person(who)], reviewers=[person(rev)])


def wiki_page(ev):
    p, n = ev.project, ev.n
    title = f"Harbour rules {n + 1}"
    return dict(object_kind="wiki_page", user=user(ev.user), project=p.obj(),
                wiki=dict(web_url=p.web + "/-/wikis/home", git_ssh_url=f"git@forge.example:{p.path}.wiki.git",
                          git_http_url=p.web + ".wiki.git", path_with_namespace=p.path + ".wiki",
                          default_branch=p.default_branch),
                object_attributes=dict(title=title, content=f"# Rules {n}\n\nKeep the quay free.", format="markdown",
                                       message=f"{ev.action} {title}", url=f"{p.web}/-/wikis/harbour-rules-{n + 1}",
                                       action=ev.action))


def release(ev):
    p, n = ev.project, ev.n
    tag, t = f"v2.{n}.0", utc(now())
    base = f"{p.web}/-/archive/{tag}/{p.slug}-{tag}"
    links = [dict(id=new_id(), external=True, link_type="other", name=f"manual-{tag}.pdf",
                  url=f"https://files.example/{p.slug}/{tag}.pdf")]
    sources = [dict(format=f, url=f"{base}.{f}") for f in ("zip", "tar.gz")]
    return dict(id=new_id(), created_at=t if ev.action == "create" else utc(ago(days=5)),
                description="Faster tide lookups.", name=f"Spring {n}", released_at=t, tag=tag,
                object_kind="release", project=p.obj(), url=f"{p.web}/-/releases/{tag}", action=ev.action,
                assets=dict(count=len(links) + len(sources), links=links, sources=sources),
                commit=commit(p, n, 5, ev.user))


BUILDERS = dict(push=push, tag_push=tag_push, issue=issue, merge_request=merge_request, wiki_page=wiki_page,
                release=release, pipeline=events_ci.pipeline, job=events_ci.job, deployment=events_ci.deployment)
