"""Violations in pipeline, job and deployment payloads."""
from datetime import datetime
from switches import tweak

V = "violation"
P = "Pipeline payload"
J = "Job payload"
D = "Deployment payload"
B_TIME = "Timestamps in ... pipeline, job, deployment ... payloads have the form `YYYY-MM-DD HH:MM:SS UTC`."
B_ST = "status values: pending, running, success, failed, canceled, skipped."
B_JST = "build_status values: pending, running, success, failed, canceled."
B_DST = "status values: created, running, success, failed, canceled."
B_BUILDS = "builds: array of id, stage, name, status, ..., manual (boolean), allow_failure (boolean), user, runner, artifacts_file (filename, size), environment (nullable)"
B_TOP = "Top level: object_kind (pipeline), object_attributes, merge_request, user, project, commit, builds."
FORM = "%Y-%m-%d %H:%M:%S UTC"


def iso(t):
    return t and t.replace(" UTC", "Z").replace(" ", "T")


@tweak(V, "pipeline-cancelled", "pipeline", P, "The status canceled is spelt cancelled.", B_ST)
def _(p, ev):
    if ev.action == "canceled":
        p["object_attributes"]["status"] = "cancelled"


@tweak(V, "pipeline-skipped-as-manual", "pipeline", P, "A skipped pipeline has the status manual.", B_ST)
def _(p, ev):
    if ev.action == "skipped":
        p["object_attributes"]["status"] = "manual"


@tweak(V, "pipeline-duration-null", "pipeline", P, "duration is null while the pipeline has not ended.", "duration (integer)")
def _(p, ev):
    if not p["object_attributes"]["finished_at"]:
        p["object_attributes"]["duration"] = None


@tweak(V, "pipeline-duration-float", "pipeline", P, "queued_duration of a failed pipeline is a fraction.", "queued_duration (integer)")
def _(p, ev):
    if ev.action == "failed":
        p["object_attributes"]["queued_duration"] = 9.37


@tweak(V, "pipeline-duration-nan", "pipeline", P, "duration of a canceled pipeline is NaN, which is not JSON.",
       "sends an HTTP POST with a JSON body")
def _(p, ev):
    if ev.action == "canceled":
        p["object_attributes"]["duration"] = float("nan")


@tweak(V, "pipeline-finished-iso", "pipeline", P, "finished_at of a failed pipeline is ISO 8601.", B_TIME)
def _(p, ev):
    if ev.action == "failed":
        p["object_attributes"]["finished_at"] = iso(p["object_attributes"]["finished_at"])


@tweak(V, "builds-time-iso", "pipeline", P, "created_at of builds is ISO 8601, while that of the pipeline is not.", B_TIME)
def _(p, ev):
    for b in p["builds"]:
        b["created_at"] = iso(b["created_at"])


@tweak(V, "builds-single-object", "pipeline", P, "builds is an object when there is just one build.", B_BUILDS)
def _(p, ev):
    if len(p["builds"]) == 1:
        p["builds"] = p["builds"][0]


@tweak(V, "builds-environment-absent", "pipeline", P, "environment is left out of a build where it is null.", B_BUILDS)
def _(p, ev):
    for b in p["builds"]:
        if b["environment"] is None:
            del b["environment"]


@tweak(V, "builds-manual-null", "pipeline", P, "manual of builds after the first is null.", B_BUILDS)
def _(p, ev):
    for b in p["builds"][1:]:
        b["manual"] = None


@tweak(V, "runner-tags-text", "pipeline", P, "tags of a runner is a text with commas.", "runner: ... tags (array of string)")
def _(p, ev):
    for b in p["builds"]:
        b["runner"]["tags"] = ", ".join(b["runner"]["tags"])


@tweak(V, "variables-number", "pipeline", P, "A variable with a numeric value is sent as a number.",
       "variables (array of key and value strings)")
def _(p, ev):
    for v in p["object_attributes"]["variables"]:
        if v["value"].isdigit():
            v["value"] = int(v["value"])


@tweak(V, "variables-map", "pipeline", P, "variables of a running pipeline is a map.", "variables (array of key and value strings)")
def _(p, ev):
    if ev.action == "running":
        o = p["object_attributes"]
        o["variables"] = {v["key"]: v["value"] for v in o["variables"]}


@tweak(V, "pipeline-mr-absent", "pipeline", P, "merge_request is left out of a failed pipeline.", B_TOP)
def _(p, ev):
    if ev.action == "failed":
        del p["merge_request"]


@tweak(V, "pipeline-commit-time", "pipeline job", P, "The commit of pipelines and jobs has a timestamp in the UTC form.",
       "Timestamps in commit objects are ISO 8601.")
def _(p, ev):
    c = p["commit"]
    c["timestamp"] = datetime.fromisoformat(c["timestamp"]).strftime(FORM)


@tweak(V, "pipeline-finished-absent", "pipeline", P, "finished_at is left out while the pipeline runs.",
       "object_attributes: id, ref, ..., created_at, finished_at, duration (integer), ...")
def _(p, ev):
    if ev.action in ("running", "pending"):
        del p["object_attributes"]["finished_at"]


@tweak(V, "job-kind-job", "job", J, "object_kind of a failed job is job.", "object_kind (build)")
def _(p, ev):
    if ev.action == "failed":
        p["object_kind"] = "job"


@tweak(V, "job-cancelled", "job", J, "build_status canceled is spelt cancelled.", B_JST)
def _(p, ev):
    if ev.action == "canceled":
        p["build_status"] = "cancelled"


@tweak(V, "job-pending-as-created", "job", J, "A pending job has build_status created.", B_JST)
def _(p, ev):
    if ev.action == "pending":
        p["build_status"] = "created"


@tweak(V, "job-reason-absent", "job", J, "build_failure_reason is left out of jobs that did not fail.",
       "object_kind (build), ref, ..., build_allow_failure, build_failure_reason, ...")
def _(p, ev):
    if ev.action != "failed":
        del p["build_failure_reason"]


@tweak(V, "job-start-absent", "job", J, "build_started_at is left out of a pending job.",
       "object_kind (build), ref, ..., build_created_at, build_started_at, build_finished_at, ...")
def _(p, ev):
    if ev.action == "pending":
        del p["build_started_at"]


@tweak(V, "job-tag-null", "job", J, "tag is null in a failed job.", "tag (boolean)")
def _(p, ev):
    if ev.action == "failed":
        p["tag"] = None


@tweak(V, "job-tier-absent", "job", J, "environment of a running job has no deployment_tier.",
       "environment (name, action, deployment_tier)")
def _(p, ev):
    if ev.action == "running":
        del p["environment"]["deployment_tier"]


@tweak(V, "job-created-iso", "job", J, "build_created_at of a pending job is ISO 8601.", B_TIME)
def _(p, ev):
    if ev.action == "pending":
        p["build_created_at"] = iso(p["build_created_at"])


@tweak(V, "deployment-time-iso", "deployment", D, "status_changed_at of a failed deployment is ISO 8601.", B_TIME)
def _(p, ev):
    if ev.action == "failed":
        p["status_changed_at"] = iso(p["status_changed_at"])


@tweak(V, "deployment-created-as-pending", "deployment", D, "A created deployment has the status pending.", B_DST)
def _(p, ev):
    if ev.action == "created":
        p["status"] = "pending"


@tweak(V, "deployment-status-stale", "deployment", D, "A canceled deployment still has the status running.",
       "deployment created or its status changes; a JSON body describing the event")
def _(p, ev):
    if ev.action == "canceled":
        p["status"] = "running"


@tweak(V, "deployment-url-absent", "deployment", D, "environment_external_url is left out unless the deployment succeeded.",
       "environment, environment_tier, environment_slug, environment_external_url, project, ...")
def _(p, ev):
    if ev.action != "success":
        del p["environment_external_url"]
