"""Choices in payloads: values and extra members that the document leaves open."""
from switches import tweak
from world import sha, zeros


@tweak("choice", "payload-extra-members", "*", "Events", "Payloads and their objects have members the document lacks.")
def _(p, ev):
    p["x_schema"] = "2024-11"
    for o in (p.get("project"), p.get("object_attributes"), p.get("user"), p.get("assets")):
        if o:
            o.update(x_trace="t-1", x_flags=[1, {"a": None}])


@tweak("choice", "payload-reversed-order", "*", "Events", "Members of a payload come in reverse order.")
def _(p, ev):
    items = list(p.items())[::-1]
    p.clear()
    p.update(items)


@tweak("choice", "email-redacted", "*", "Shared nested objects", "The email of the object form of a user is [REDACTED].")
def _(p, ev):
    for u in [p.get("user")] + [b["user"] for b in p.get("builds", [])]:
        if u:
            u["email"] = "[REDACTED]"


@tweak("choice", "push-email-empty", "push", "Push payload", "user_email is an empty string.")
def _(p, ev):
    p["user_email"] = ""


@tweak("choice", "project-avatar-null", "*", "Shared nested objects", "avatar_url of every project is null.")
def _(p, ev):
    if "project" in p:
        p["project"]["avatar_url"] = None


@tweak("choice", "project-description-empty", "*", "Shared nested objects", "description of a project is an empty string.")
def _(p, ev):
    if "project" in p:
        p["project"]["description"] = ""


@tweak("choice", "nobody-assigned", "issue merge_request", "Issue payload",
       "Nobody is assigned: the arrays are empty and assignee_id is null.")
def _(p, ev):
    a = p["object_attributes"]
    a.update(assignee_ids=[], assignee_id=None)
    p["assignees"] = []
    if "assignee" in a:
        a.update(assignee=None, reviewer_ids=[])
        p["reviewers"] = []


@tweak("choice", "no-labels", "issue merge_request", "Issue payload", "Issues and merge requests have no labels.")
def _(p, ev):
    p["labels"] = []
    p["object_attributes"]["labels"] = []
    p["changes"].pop("labels", None)


@tweak("choice", "milestone-null", "issue merge_request", "Issue payload", "milestone_id is null.")
def _(p, ev):
    p["object_attributes"]["milestone_id"] = None


@tweak("choice", "issue-branch-named", "issue", "Issue payload", "branch_name is a string, not null.")
def _(p, ev):
    p["object_attributes"]["branch_name"] = "11-tide-table"


@tweak("choice", "position-large", "issue", "Issue payload", "position is a large negative integer.")
def _(p, ev):
    p["object_attributes"]["position"] = -2147483000


@tweak("choice", "commits-capped", "push", "Push payload", "commits holds the last 2 commits of 25 that the count names.")
def _(p, ev):
    p["commits"] = p["commits"][-2:]
    p["total_commits_count"] = 25


@tweak("choice", "push-new-branch", "push", "Push payload", "A push creates a branch: before is zeros, no commits.")
def _(p, ev):
    p.update(before=zeros(), commits=[], total_commits_count=0, ref="refs/heads/new-quay")


@tweak("choice", "tag-annotated", "tag_push", "Tag push payload", "after is the tag object and checkout_sha its commit.")
def _(p, ev):
    if ev.action != "delete":
        p["after"] = sha(ev.project.id, "tagobj", ev.n)


@tweak("choice", "tag-deletion-no-checkout", "tag_push", "Tag push payload", "A deleted tag has checkout_sha null.")
def _(p, ev):
    if ev.action == "delete":
        p["checkout_sha"] = None


@tweak("choice", "tag-without-commits", "tag_push", "Tag push payload", "A created tag lists no commits.")
def _(p, ev):
    p.update(commits=[], total_commits_count=0)


@tweak("choice", "tag-name-with-slash", "tag_push", "Tag push payload", "Tag names contain a slash.")
def _(p, ev):
    p["ref"] = p["ref"].replace("refs/tags/", "refs/tags/release/")


@tweak("choice", "pipeline-on-tag", "pipeline job", "Pipeline payload", "Pipelines and jobs run for a tag.")
def _(p, ev):
    o = p.get("object_attributes", p)
    o.update(ref="v1.0.0", tag=True)


@tweak("choice", "pipeline-no-variables", "pipeline", "Pipeline payload", "variables is an empty array.")
def _(p, ev):
    p["object_attributes"]["variables"] = []


@tweak("choice", "pipeline-no-builds", "pipeline", "Pipeline payload", "builds and stages are empty arrays.")
def _(p, ev):
    p["builds"] = []
    p["object_attributes"]["stages"] = []


@tweak("choice", "runner-no-tags", "pipeline job", "Pipeline payload", "tags of a runner is an empty array.")
def _(p, ev):
    for b in p.get("builds", [p]):
        b["runner"]["tags"] = []


@tweak("choice", "release-no-links", "release", "Release payload", "A release has no links, only its sources.")
def _(p, ev):
    p["assets"].update(links=[], count=2)


@tweak("choice", "release-four-sources", "release", "Release payload", "A release has four source formats.")
def _(p, ev):
    base = p["assets"]["sources"][0]["url"][:-4]
    p["assets"]["sources"] = [dict(format=f, url=f"{base}.{f}") for f in ("tar", "tar.bz2", "tar.gz", "zip")]
    p["assets"]["count"] = 5
