"""Violations in push and tag push payloads, and in the project object of all."""
from switches import tweak
from world import PROJECTS
import datetime

V = "violation"
P = "Push payload"
T = "Tag push payload"
S = "Shared nested objects"
B_RULE = "Rule: before is all zeros when the tag is created. after is all zeros when the tag is deleted."
B_COMMIT = "Commit in push events: id, message, title, timestamp (ISO 8601), url, author (name, email), added (array), modified (array), removed (array)."
B_PROJECT = "Project: id (integer), name, description, web_url, avatar_url (nullable), ..., visibility_level (integer), ..."
_last = {}


@tweak(V, "ref-short-with-slash", "push", P, "ref of a branch with a slash in its name lacks refs/heads/.",
       "ref (string, full ref name)")
def _(p, ev):
    b = p["ref"][len("refs/heads/"):]
    p["ref"] = b if "/" in b else p["ref"]


@tweak(V, "commit-time-not-iso", "push", P, "The second commit of a push has a timestamp in the UTC form.",
       "Timestamps in commit objects are ISO 8601.")
def _(p, ev):
    t = datetime.datetime.fromisoformat(p["commits"][1]["timestamp"])
    p["commits"][1]["timestamp"] = t.strftime("%Y-%m-%d %H:%M:%S UTC")


@tweak(V, "commit-removed-null", "push", P, "removed of a commit is null when nothing was removed.", B_COMMIT)
def _(p, ev):
    for c in p["commits"]:
        c["removed"] = c["removed"] or None


@tweak(V, "commit-added-absent", "push", P, "added is left out of a commit that added nothing.", B_COMMIT)
def _(p, ev):
    for c in p["commits"]:
        if not c["added"]:
            del c["added"]


@tweak(V, "commit-title-absent-later", "push", P, "Only the first commit of a push has a title.", B_COMMIT)
def _(p, ev):
    for c in p["commits"][1:]:
        del c["title"]


@tweak(V, "commit-author-bare", "push", P, "The author of a third commit is one string.", B_COMMIT)
def _(p, ev):
    for c in p["commits"][2:]:
        c["author"] = f"{c['author']['name']} <{c['author']['email']}>"


@tweak(V, "commit-email-absent", "push", P, "Authors with a non-ASCII name have no email.", B_COMMIT)
def _(p, ev):
    for c in p["commits"]:
        if not c["author"]["name"].isascii():
            del c["author"]["email"]


@tweak(V, "commit-files-objects", "push", P, "modified holds objects with a path instead of path strings, in tests.",
       "added (array of path strings), modified (array), removed (array)")
def _(p, ev):
    if ev.test:
        for c in p["commits"]:
            c["modified"] = [dict(path=f) for f in c["modified"]]


@tweak(V, "push-user-id-string", "push", P, "user_id is a string in real pushes and an integer in tests.", "user_id (integer)")
def _(p, ev):
    if not ev.test:
        p["user_id"] = str(p["user_id"])


@tweak(V, "push-username-absent-in-tests", "push", P, "Test deliveries of a push lack user_username.",
       "user_id (integer), user_name, user_username, user_email, user_avatar")
def _(p, ev):
    if ev.test:
        del p["user_username"]


@tweak(V, "push-event-name-absent-in-tests", "push", P, "Test deliveries of a push lack event_name.",
       "object_kind, event_name (both push)")
def _(p, ev):
    if ev.test:
        del p["event_name"]


@tweak(V, "tag-event-name-push", "tag_push", T, "event_name of a deleted tag is push.", "object_kind, event_name (both tag_push)")
def _(p, ev):
    if ev.action == "delete":
        p["event_name"] = "push"


@tweak(V, "tag-deletion-swapped", "tag_push", T, "A deleted tag has the zeros in before, not in after.", B_RULE)
def _(p, ev):
    if ev.action == "delete":
        p["before"], p["after"] = p["after"], p["before"]


@tweak(V, "tag-before-stale", "tag_push", T, "From a project's second created tag on, before is the tag before it.", B_RULE)
def _(p, ev):
    if ev.action == "create":
        p["before"] = _last.get(ev.project.id, p["before"])
        _last[ev.project.id] = p["after"]


@tweak(V, "tag-deletion-after-null", "tag_push", T, "A deleted tag has after null.", B_RULE)
def _(p, ev):
    if ev.action == "delete":
        p["after"] = None


@tweak(V, "tag-count-absent", "tag_push", T, "total_commits_count is left out when it is 0.", "total_commits_count (integer)")
def _(p, ev):
    if not p["total_commits_count"]:
        del p["total_commits_count"]


@tweak(V, "tag-homepage-absent", "tag_push", T, "repository of a deleted tag has no homepage.",
       "Repository (push events): name, url, description, homepage.")
def _(p, ev):
    if ev.action == "delete":
        del p["repository"]["homepage"]


@tweak(V, "visibility-absent-when-zero", "*", S, "visibility_level is left out of a project where it is 0.", B_PROJECT)
def _(p, ev):
    if p.get("project", {}).get("visibility_level") == 0:
        del p["project"]["visibility_level"]


@tweak(V, "visibility-named", "tag_push wiki_page release", S, "visibility_level is a name in tag, wiki and release payloads.", B_PROJECT)
def _(p, ev):
    p["project"]["visibility_level"] = {0: "private", 20: "public"}[p["project"]["visibility_level"]]


@tweak(V, "project-avatar-absent", "*", S, "avatar_url is left out of a project without avatar.", B_PROJECT)
def _(p, ev):
    if "project" in p and p["project"]["avatar_url"] is None:
        del p["project"]["avatar_url"]


@tweak(V, "project-id-mismatch", "push tag_push", P, "project_id of a push in the second project is the first project's.",
       "a JSON body describing the event; project_id (integer)")
def _(p, ev):
    p["project_id"] = next(iter(PROJECTS))
