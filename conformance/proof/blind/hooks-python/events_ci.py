"""Builders of the pipeline, job and deployment payloads."""
from world import HOST, ago, commit, new_id, now, sha, user, utc  # noqa: F401
from switches import on

DONE = ("success", "failed", "canceled", "skipped")
RUNNER = dict(id=12, description="dock runner", active=True, runner_type="instance_type", is_shared=True,
              tags=["linux", "docker"])


def runner():
    return dict(RUNNER, tags=list(RUNNER["tags"]))


def times(status):
    """created, started, finished, as far as the status has come."""
    started = utc(ago(minutes=3)) if status in ("running", "success", "failed", "canceled") else None
    return utc(ago(minutes=4)), started, utc(now()) if status in DONE else None


def environment():
    return dict(name="staging", action="start", deployment_tier="staging")


def build(ev, stage, name, status, env=None):
    created, started, finished = times(status)
    return dict(id=new_id(), stage=stage, name=name, status=status, created_at=created, started_at=started,
                finished_at=finished, duration=0 if not started else 171, queued_duration=0 if not started else 9,
                when="on_success", manual=False, allow_failure=False, user=user(ev.user), runner=runner(),
                artifacts_file=dict(filename="artifacts.zip", size=1822), environment=env)


def pipeline(ev):
    p, n, status = ev.project, ev.n, ev.action
    c = commit(p, n, 2, ev.user)
    created, started, finished = times(status)
    first = "canceled" if status == "skipped" else status
    builds = [build(ev, "build", "compile", first)]
    if status != "skipped":       # a skipped pipeline never got to its second stage
        env = None if on("builds-no-environment") else environment()
        builds.append(build(ev, "deploy", "stage-it", first, env))
    attrs = dict(id=new_id(), ref=p.default_branch, tag=False, sha=c["id"], before_sha=sha(p.id, "pb", n),
                 source="push", status=status, detailed_status="passed" if status == "success" else status,
                 stages=["build", "deploy"], created_at=created, finished_at=finished,
                 duration=180 if finished and started else 0, queued_duration=9 if started else 0,
                 variables=[dict(key="DEPLOY_SITE", value="quay-7"), dict(key="RETRIES", value="3")])
    iid = n + 40
    mr = dict(id=new_id(), iid=iid, title=f"Add mooring search {iid}", source_branch=f"feature/moor-{iid}",
              source_project_id=p.id, target_branch=p.default_branch, target_project_id=p.id, state="opened",
              merge_status="can_be_merged", url=f"{p.web}/-/merge_requests/{iid}")
    return dict(object_kind="pipeline", object_attributes=attrs, merge_request=mr, user=user(ev.user),
                project=p.obj(), commit=c, builds=builds)


def job(ev):
    p, n, status = ev.project, ev.n, ev.action
    c = commit(p, n, 4, ev.user)
    created, started, finished = times(status)
    return dict(object_kind="build", ref=p.default_branch, tag=False, before_sha=sha(p.id, "jb", n), sha=c["id"],
                build_id=new_id(), build_name="compile", build_stage="build", build_status=status,
                build_created_at=created, build_started_at=started, build_finished_at=finished,
                build_duration=171 if started else 0, build_queued_duration=9 if started else 0,
                build_allow_failure=False,
                build_failure_reason="script_failure" if status == "failed" else "unknown_failure",
                pipeline_id=new_id(), runner=runner(), project_id=p.id, project_name=f"{p.group} / {p.name}",
                user=user(ev.user), commit=c, repository=p.repository(), environment=environment())


def deployment(ev):
    p, n = ev.project, ev.n
    c = commit(p, n, 6, ev.user)
    jid = new_id()
    return dict(object_kind="deployment", status=ev.action, status_changed_at=utc(now()), deployment_id=new_id(),
                deployable_id=jid, deployable_url=f"{p.web}/-/jobs/{jid}", environment="staging",
                environment_tier="staging", environment_slug="staging",
                environment_external_url=f"https://staging.{p.slug}.example", project=p.obj(),
                short_sha=c["id"][:8], user=user(ev.user), user_url=f"{HOST}/{ev.user['username']}",
                commit_url=c["url"], commit_title=c["title"])
