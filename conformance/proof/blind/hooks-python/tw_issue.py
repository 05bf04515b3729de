"""Violations in issue and merge request payloads."""
from datetime import datetime, timedelta
from switches import tweak

V = "violation"
I = "Issue payload"
M = "Merge request payload"
S = "Shared nested objects"
B_TIME = "Timestamps in issue, merge request, ... payloads have the form `YYYY-MM-DD HH:MM:SS UTC`."
B_CH = "changes: map from changed field name to an object with previous and current"
B_ACT = "action values: open, update, close, reopen."
B_MACT = "action values: open, update, close, reopen, merge, approved, unapproved."
B_MTOP = "Top level: object_kind and event_type (both merge_request), user, project, object_attributes, labels, changes, assignees, reviewers."
B_LAST = "last_commit (id, message, timestamp, url, author with name and email)"
B_USER = "User (object form): id (integer), name, username, avatar_url, email."
FORM = "%Y-%m-%d %H:%M:%S UTC"
_prev = {}


def attrs(p):
    return p["object_attributes"]


@tweak(V, "issue-updated-iso", "issue", I, "updated_at of an updated issue is ISO 8601.", B_TIME)
def _(p, ev):
    if ev.action == "update":
        attrs(p)["updated_at"] = attrs(p)["updated_at"].replace(" UTC", "Z").replace(" ", "T")


@tweak(V, "label-time-offset", "issue", S, "Timestamps of labels end in +0000 instead of UTC.", B_TIME)
def _(p, ev):
    for x in p["labels"]:
        x["created_at"] = x["created_at"].replace("UTC", "+0000")


@tweak(V, "changes-time-iso", "issue merge_request", I, "Timestamps inside changes are ISO 8601.", B_TIME)
def _(p, ev):
    c = p["changes"].get("updated_at")
    if c:
        c["previous"] = c["previous"].replace(" UTC", ".000Z").replace(" ", "T")


@tweak(V, "issue-time-fraction", "issue", I, "created_at of an opened issue has fractions of a second.", B_TIME)
def _(p, ev):
    if ev.action == "open":
        attrs(p)["created_at"] = attrs(p)["created_at"].replace(" UTC", ".412 UTC")


@tweak(V, "local-time-as-utc", "merge_request", M, "updated_at is local time two hours ahead, labelled UTC.", B_TIME)
def _(p, ev):
    t = datetime.strptime(attrs(p)["updated_at"], FORM) + timedelta(hours=2)
    attrs(p)["updated_at"] = t.strftime(FORM)


@tweak(V, "issue-action-closed", "issue", I, "action of a closed issue is closed, not close.", B_ACT)
def _(p, ev):
    if ev.action == "close":
        attrs(p)["action"] = "closed"


@tweak(V, "issue-reopen-as-update", "issue", I, "action of a reopened issue is update.", B_ACT)
def _(p, ev):
    if ev.action == "reopen":
        attrs(p)["action"] = "update"


@tweak(V, "issue-type-plural-in-tests", "issue", I, "event_type of an issue in a test delivery is issues.", "object_kind, event_type: strings, both issue")
def _(p, ev):
    if ev.test:
        p["event_type"] = "issues"


@tweak(V, "issue-inner-labels-absent", "issue", I, "object_attributes of a closed issue has no labels.", "object_attributes: ... labels (array of Label)")
def _(p, ev):
    if ev.action == "close":
        del attrs(p)["labels"]


@tweak(V, "issue-branch-absent", "issue", I, "branch_name is left out when it is null.", "object_attributes: ... branch_name (nullable)")
def _(p, ev):
    if attrs(p)["branch_name"] is None:
        del attrs(p)["branch_name"]


@tweak(V, "issue-position-absent", "issue", I, "position is left out when it is 0.", "object_attributes: ... position (integer)")
def _(p, ev):
    if not attrs(p)["position"]:
        del attrs(p)["position"]


@tweak(V, "issue-assignee-ids-strings", "issue", I, "assignee_ids of an updated issue holds strings.", "assignee_ids (array of integer)")
def _(p, ev):
    if ev.action == "update":
        attrs(p)["assignee_ids"] = [str(i) for i in attrs(p)["assignee_ids"]]


@tweak(V, "issue-state-id-string", "issue", I, "state_id of a closed issue is a string.", "Issue state: state_id is an integer")
def _(p, ev):
    if ev.action == "close":
        attrs(p)["state_id"] = "2"


@tweak(V, "changes-previous-absent", "issue merge_request", I, "previous is left out of a change where it is null.", B_CH)
def _(p, ev):
    for c in p["changes"].values():
        if c["previous"] is None:
            del c["previous"]


@tweak(V, "changes-pairs", "issue", I, "Changes of a reopened issue are pairs in an array.", B_CH)
def _(p, ev):
    if ev.action == "reopen":
        p["changes"] = {k: [c["previous"], c["current"]] for k, c in p["changes"].items()}


@tweak(V, "changes-swapped", "issue", I, "previous and current of a state_id change are swapped.", B_CH)
def _(p, ev):
    c = p["changes"].get("state_id")
    if c:
        c["previous"], c["current"] = c["current"], c["previous"]


@tweak(V, "changes-leak", "issue", I, "changes also holds the fields that the issue event before it changed.", B_CH)
def _(p, ev):
    mine = dict(p["changes"])
    p["changes"].update({k: v for k, v in _prev.items() if k not in mine})
    _prev.clear()
    _prev.update(mine)


@tweak(V, "changes-empty-array", "merge_request", M, "Empty changes are an empty array.", B_CH)
def _(p, ev):
    p["changes"] = p["changes"] or []


@tweak(V, "changes-absent-on-merge", "merge_request", M, "A merged merge request has no changes member.", B_MTOP)
def _(p, ev):
    if ev.action == "merge":
        del p["changes"]


@tweak(V, "user-email-absent", "issue merge_request", S, "The user object lacks email when the action is not open.", B_USER)
def _(p, ev):
    if ev.action != "open":
        del p["user"]["email"]


@tweak(V, "mr-type-absent", "merge_request", M, "event_type is left out of an approved merge request.", B_MTOP)
def _(p, ev):
    if ev.action == "approved":
        del p["event_type"]


@tweak(V, "mr-reviewers-absent", "merge_request", M, "reviewers is left out of a closed merge request.", B_MTOP)
def _(p, ev):
    if ev.action == "close":
        del p["reviewers"]


@tweak(V, "mr-unapproved-as-approved", "merge_request", M, "action of an unapproved merge request is approved.", B_MACT)
def _(p, ev):
    if ev.action == "unapproved":
        attrs(p)["action"] = "approved"


@tweak(V, "mr-action-merged", "merge_request", M, "action of a merged merge request is merged.", B_MACT)
def _(p, ev):
    if ev.action == "merge":
        attrs(p)["action"] = "merged"


@tweak(V, "mr-draft-number", "merge_request", M, "draft and work_in_progress of an updated merge request are 0.",
       "work_in_progress (boolean), draft (boolean)")
def _(p, ev):
    if ev.action == "update":
        attrs(p).update(draft=0, work_in_progress=0)


@tweak(V, "mr-last-commit-time", "merge_request", M, "timestamp of last_commit has the UTC form.",
       "Timestamps in commit objects are ISO 8601.")
def _(p, ev):
    c = attrs(p)["last_commit"]
    c["timestamp"] = datetime.fromisoformat(c["timestamp"]).strftime(FORM)


@tweak(V, "mr-last-author-string", "merge_request", M, "author of last_commit of a merged merge request is a name.", B_LAST)
def _(p, ev):
    if ev.action == "merge":
        attrs(p)["last_commit"]["author"] = attrs(p)["last_commit"]["author"]["name"]


@tweak(V, "mr-reviewer-ids-null", "merge_request", M, "reviewer_ids is null in an unapproved merge request.",
       "reviewer_ids (array of integer)")
def _(p, ev):
    if ev.action == "unapproved":
        attrs(p)["reviewer_ids"] = None
