"""Violations in wiki page and release payloads."""
from datetime import datetime
from switches import tweak

V = "violation"
W = "Wiki page payload"
R = "Release payload"
B_ACT = "action values: create, update, delete."
B_OBJ = "object_attributes (title, content, format, message, url, action)"
B_LINK = "links: array of id, external (boolean), link_type, name, url"


@tweak(V, "wiki-action-deleted", "wiki_page", W, "action of a deleted page is deleted.", B_ACT)
def _(p, ev):
    if ev.action == "delete":
        p["object_attributes"]["action"] = "deleted"


@tweak(V, "wiki-content-absent", "wiki_page", W, "object_attributes of a deleted page has no content.", B_OBJ)
def _(p, ev):
    if ev.action == "delete":
        del p["object_attributes"]["content"]


@tweak(V, "wiki-message-absent", "wiki_page", W, "object_attributes of an updated page has no message.", B_OBJ)
def _(p, ev):
    if ev.action == "update":
        del p["object_attributes"]["message"]


@tweak(V, "wiki-branch-absent", "wiki_page", W, "wiki has no default_branch in the payload of a created page.",
       "wiki (web_url, git_ssh_url, git_http_url, path_with_namespace, default_branch)")
def _(p, ev):
    if ev.action == "create":
        del p["wiki"]["default_branch"]


@tweak(V, "wiki-user-flat", "wiki_page", W, "The user of a deleted page is given as flat fields.",
       "object_kind (wiki_page), user, project, wiki (...)")
def _(p, ev):
    if ev.action == "delete":
        u = p.pop("user")
        p.update(user_id=u["id"], user_name=u["name"], user_username=u["username"])


@tweak(V, "release-action-updated", "release", R, "action of an updated release is updated.", B_ACT)
def _(p, ev):
    if ev.action == "update":
        p["action"] = "updated"


@tweak(V, "release-delete-as-update", "release", R, "action of a deleted release is update.", B_ACT)
def _(p, ev):
    if ev.action == "delete":
        p["action"] = "update"


@tweak(V, "release-created-iso", "release", R, "created_at of an updated release is ISO 8601.",
       "Timestamps in ... wiki and release payloads have the form `YYYY-MM-DD HH:MM:SS UTC`.")
def _(p, ev):
    if ev.action == "update":
        p["created_at"] = p["created_at"].replace(" UTC", "Z").replace(" ", "T")


@tweak(V, "release-sources-absent", "release", R, "A deleted release has assets without sources.",
       "assets (count; links: array of ...; sources: array of format and url)")
def _(p, ev):
    if ev.action == "delete":
        del p["assets"]["sources"]


@tweak(V, "release-external-string", "release", R, "external of a link is the string true.", B_LINK)
def _(p, ev):
    for x in p["assets"]["links"]:
        x["external"] = "true"


@tweak(V, "release-link-type-absent", "release", R, "link_type is left out of a link where it is other.", B_LINK)
def _(p, ev):
    for x in p["assets"]["links"]:
        if x["link_type"] == "other":
            del x["link_type"]


@tweak(V, "release-commit-time", "release", R, "timestamp of the commit of a release has the UTC form.",
       "Timestamps in commit objects are ISO 8601.")
def _(p, ev):
    c = p["commit"]
    c["timestamp"] = datetime.fromisoformat(c["timestamp"]).strftime("%Y-%m-%d %H:%M:%S UTC")
