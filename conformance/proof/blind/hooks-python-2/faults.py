"""Switches: violations in payloads (PAYLOAD) - functions applied to a finished payload - and the table of all other switches."""
import re, copy
PAYLOAD = []   # (name, where, does, events, action(s) or None, fn)

def _walk(o, path, fn):
    k = path[0]
    if k == "*":
        for x in o: _walk(x, path[1:], fn)
        return
    if not isinstance(o, dict) or k not in o: return
    if len(path) == 1: fn(o, k)
    else: _walk(o[k], path[1:], fn)
def S(path, v):
    def f(p, c):
        _walk(p, path.split("."), lambda o, k: o.__setitem__(k, v(o[k]) if callable(v) else v))
    return f
def D(path, cond=lambda v: True):
    def f(p, c): _walk(p, path.split("."), lambda o, k: o.pop(k) if cond(o[k]) else None)
    return f
def to_iso(v): return v.replace(" UTC", "+00:00").replace(" ", "T") if isinstance(v, str) else v
def to_utc(v): return v.replace("T", " ").replace("+00:00", " UTC") if isinstance(v, str) else v
def V(name, where, does, ev, act, fn): PAYLOAD.append((name, where, does, ev.split(), act.split() if act else None, fn))
def swap(a, b):
    def f(p, c): p[a], p[b] = p[b], p[a]
    return f
def other(p, c): return 5308 if c["project"] == 4217 else 4217
P, T, I, M, L, J, DP, W, R = ("push_events", "tag_push_events", "issues_events", "merge_requests_events", "pipeline_events", "job_events", "deployment_events", "wiki_page_events", "releases_events")
PP, TP, IP, MP, LP, JP, DD, WP, RP = ("Push payload", "Tag push payload", "Issue payload", "Merge request payload", "Pipeline payload", "Job payload", "Deployment payload", "Wiki page payload", "Release payload")
SH = "Shared nested objects"
# push
V("push-count-capped-at-two", PP, "total_commits_count of a push of three or more commits is 2.", P, None, S("total_commits_count", lambda v: min(v, 2)))
V("push-before-after-swapped", PP, "before and after of a push are exchanged (after is the old commit).", P, "push update", swap("before", "after"))
V("push-ref-short", PP, "ref of a push is the branch name instead of the full ref name.", P, None, S("ref", lambda v: v.split("/", 2)[2]))
V("push-new-branch-ref-short", PP, "ref of a push that creates a branch is not the full ref name.", P, "create", S("ref", lambda v: v.split("/", 2)[2]))
def _flat(p, c):
    p["user"] = dict(id=p.pop("user_id"), name=p.pop("user_name"), username=p.pop("user_username"), email=p.pop("user_email"), avatar_url=p.pop("user_avatar"))
V("push-user-object", PP, "A push carries its user as an object instead of flat fields.", P, None, _flat)
V("push-project-id-of-other", PP, "project_id of a push is the id of another project than project.id.", P, None, lambda p, c: p.update(project_id=other(p, c)))
V("push-project-id-string", PP, "project_id of a push is a string of digits.", P, None, S("project_id", str))
V("push-commit-author-string", SH, "author of a commit is a string 'name <email>'.", P, None, S("commits.*.author", lambda a: "%(name)s <%(email)s>" % a))
V("push-empty-removed-null", SH, "An empty removed list of a commit is null.", P, None, S("commits.*.removed", lambda v: v or None))
V("push-empty-removed-left-out", SH, "An empty removed list of a commit is left out.", P, None, D("commits.*.removed", lambda v: not v))
V("push-paths-objects", SH, "added holds objects instead of path strings.", P, None, S("commits.*.added", lambda v: [{"path": x} for x in v]))
V("push-commit-timestamp-utc-form", SH, "Commits of a push have timestamps in the 'UTC' form instead of ISO 8601.", P, None, S("commits.*.timestamp", to_utc))
V("push-first-commit-timestamp-utc-form", SH, "Only the first of several commits has a timestamp not in ISO 8601.", P, None, S("commits", lambda v: [dict(c, timestamp=to_utc(c["timestamp"])) if i == 0 and len(v) > 1 else c for i, c in enumerate(v)]))
V("push-event-name-flag", PP, "event_name of a push is push_events.", P, None, S("event_name", "push_events"))
V("push-only-last-commit-listed", PP, "A push of several commits lists only the last one although the count is right.", P, None, S("commits", lambda v: v[-1:]))
V("push-commits-null-on-branch-deletion", PP, "commits is null when a branch is deleted.", P, "delete", S("commits", lambda v: None))
V("push-user-email-missing", PP, "user_email is missing from pushes.", P, None, D("user_email"))
V("push-homepage-missing", SH, "homepage is missing from the repository object.", P, None, D("repository.homepage"))
V("project-namespace-object", SH, "namespace of the project is an object.", P, None, S("project.namespace", lambda v: {"name": v}))
V("project-visibility-word", SH, "visibility_level is a word instead of an integer.", "push_events issues_events wiki_page_events", None, S("project.visibility_level", "public"))
V("project-null-avatar-left-out", SH, "avatar_url of the project is left out when there is none.", "push_events releases_events", None, D("project.avatar_url"))
V("project-id-string-in-releases", SH, "id of the project is a string in release payloads.", R, None, S("project.id", str))
# tag
V("tag-created-before-not-zeros", TP, "before of a created tag is the commit id instead of zeros.", T, "create", lambda p, c: p.update(before=p["after"]))
V("tag-deleted-after-not-zeros", TP, "after of a deleted tag is the old commit id instead of zeros.", T, "delete", lambda p, c: p.update(after=p["before"]))
V("tag-deleted-swapped", TP, "before and after of a deleted tag are exchanged.", T, "delete", swap("before", "after"))
V("tag-created-before-null", TP, "before of a created tag is null.", T, "create", S("before", None))
V("tag-deleted-after-empty", TP, "after of a deleted tag is an empty string.", T, "delete", S("after", ""))
V("tag-event-name-push", TP, "event_name of a tag push is push.", T, None, S("event_name", "push"))
V("tag-object-kind-push", TP, "object_kind of a tag push is push.", T, None, S("object_kind", "push"))
V("tag-deleted-object-kind-push", TP, "object_kind is push only when a tag is deleted.", T, "delete", S("object_kind", "push"))
V("tag-count-null", TP, "total_commits_count of a tag push is null.", T, None, S("total_commits_count", lambda v: None))
# issue
IC = "issues_events confidential_issues_events"
V("issue-close-previous-current-swapped", IP, "previous and current of changes are exchanged when an issue is closed or reopened.", IC, "close reopen", S("changes.state_id", lambda d: dict(previous=d["current"], current=d["previous"])))
V("issue-update-previous-current-swapped", IP, "previous and current of the title are exchanged on an update.", IC, "update", S("changes.title", lambda d: dict(previous=d["current"], current=d["previous"])))
V("issue-action-closed", IP, "action is 'closed' when an issue is closed.", IC, "close", S("object_attributes.action", "closed"))
V("issue-action-reopen-as-open", IP, "action is 'open' when an issue is reopened.", IC, "reopen", S("object_attributes.action", "open"))
V("issue-action-update-as-edit", IP, "action is 'edit' when an issue is updated.", IC, "update", S("object_attributes.action", "edit"))
V("issue-assignee-ids-one-only", IP, "assignee_ids has only the first assignee although assignees has more.", IC, None, S("object_attributes.assignee_ids", lambda v: v[:1]))
V("issue-labels-inner-empty", IP, "object_attributes.labels is empty although labels is not.", IC, None, S("object_attributes.labels", lambda v: []))
V("issue-created-at-iso", SH, "created_at of an issue is in ISO 8601.", IC, None, S("object_attributes.created_at", to_iso))
V("issue-updated-at-iso-on-close", SH, "updated_at of an issue is in ISO 8601 when it is closed.", IC, "close", S("object_attributes.updated_at", to_iso))
V("issue-label-timestamps-iso", SH, "Timestamps of labels in issue payloads are in ISO 8601.", IC, None, S("labels.*.created_at", to_iso))
V("issue-changes-pairs", IP, "changes maps names to arrays of two values.", IC, None, lambda p, c: p.update(changes={k: [d["previous"], d["current"]] for k, d in p["changes"].items()}))
V("issue-event-type-issues", IP, "event_type of an issue is issues.", IC, None, S("event_type", "issues"))
V("issue-project-id-of-other", IP, "object_attributes.project_id is the id of another project.", IC, None, lambda p, c: p["object_attributes"].update(project_id=other(p, c)))
V("issue-user-flat", SH, "The user of an issue is carried as flat fields.", IC, None, lambda p, c: p.update({"user_" + k: v for k, v in p.pop("user").items()}))
V("issue-state-id-word", IP, "state_id of an issue is a word.", IC, None, S("object_attributes.state_id", lambda v: "state%d" % v))
V("issue-single-assignee-object", IP, "assignees is an object instead of an array when there is one assignee.", IC, None, S("assignees", lambda v: v[0] if len(v) == 1 else v))
V("issue-null-branch-name-left-out", IP, "branch_name is left out when null.", IC, None, D("object_attributes.branch_name"))
V("issue-opened-state-open", "States and transitions", "state of an opened issue is 'open' instead of 'opened'.", IC, None, S("object_attributes.state", lambda v: "open" if v == "opened" else v))
V("label-project-id-missing", SH, "project_id is missing from labels.", IC, None, D("labels.*.project_id"))
V("user-email-missing-in-issue", SH, "email is missing from the user of issue payloads.", IC, None, D("user.email"))
V("issue-update-changes-missing", IP, "changes is missing from updates of issues.", IC, "update", D("changes"))
# merge request
V("mr-merge-action-close", MP, "action is 'close' when a merge request is merged.", M, "merge", S("object_attributes.action", "close"))
V("mr-approved-action-approval", MP, "action is 'approval' when a merge request is approved.", M, "approved", S("object_attributes.action", "approval"))
V("mr-unapproved-as-approved", MP, "action is 'approved' when an approval is withdrawn.", M, "unapproved", S("object_attributes.action", "approved"))
V("mr-reopen-as-open", MP, "action is 'open' when a merge request is reopened.", M, "reopen", S("object_attributes.action", "open"))
V("mr-created-at-iso", SH, "created_at of a merge request is in ISO 8601.", M, None, S("object_attributes.created_at", to_iso))
V("mr-reviewer-ids-strings", MP, "reviewer_ids holds strings.", M, None, S("object_attributes.reviewer_ids", lambda v: [str(x) for x in v]))
V("mr-draft-false-null", MP, "draft is null when it would be false.", M, None, S("object_attributes.draft", lambda v: v or None))
V("mr-last-commit-timestamp-utc-form", SH, "timestamp of last_commit is not in ISO 8601.", M, None, S("object_attributes.last_commit.timestamp", to_utc))
V("mr-event-type-mr", MP, "event_type of a merge request is 'mr'.", M, None, S("event_type", "mr"))
V("mr-last-commit-author-string", MP, "author of last_commit is a string.", M, None, S("object_attributes.last_commit.author", lambda a: a["name"]))
V("mr-work-in-progress-missing", MP, "work_in_progress is missing.", M, None, D("object_attributes.work_in_progress"))
V("mr-opened-state-open", "States and transitions", "state of an opened merge request is 'open'.", M, None, S("object_attributes.state", lambda v: "open" if v == "opened" else v))
V("mr-reviewers-missing-on-approval", MP, "reviewers is missing from approved and unapproved events.", M, "approved unapproved", D("reviewers"))
V("mr-object-kind-on-merge", "Events", "object_kind is 'merge' when a merge request is merged.", M, "merge", S("object_kind", "merge"))
# pipeline
V("pipeline-status-cancelled", LP, "status of a canceled pipeline is spelled cancelled.", L, "canceled", S("object_attributes.status", "cancelled"))
V("pipeline-status-skipped-success", LP, "status of a skipped pipeline is success.", L, "skipped", S("object_attributes.status", "success"))
V("pipeline-status-failed-error", LP, "status of a failed pipeline is error.", L, "failed", S("object_attributes.status", "error"))
V("pipeline-builds-status-other", LP, "Builds of a canceled pipeline have the status 'cancelled'.", L, "canceled", S("builds.*.status", "cancelled"))
V("pipeline-variables-map", LP, "variables is a map instead of an array.", L, None, S("object_attributes.variables", lambda v: {x["key"]: x["value"] for x in v}))
V("pipeline-variables-null-when-none", LP, "variables is null when there are none.", L, None, S("object_attributes.variables", lambda v: v or None))
V("pipeline-duration-string", LP, "duration of a pipeline is a string '70s'.", L, None, S("object_attributes.duration", lambda v: "%ds" % v))
V("pipeline-failed-duration-fraction", LP, "duration of a failed pipeline has a fraction.", L, "failed", S("object_attributes.duration", lambda v: v + 0.5))
V("pipeline-stages-joined", LP, "stages is one string.", L, None, S("object_attributes.stages", lambda v: ",".join(v)))
V("pipeline-object-kind-pipelines", "Events", "object_kind of a pipeline is pipelines.", L, None, S("object_kind", "pipelines"))
V("pipeline-builds-created-at-iso", SH, "created_at of builds of a pipeline is in ISO 8601.", L, None, S("builds.*.created_at", to_iso))
V("pipeline-finished-at-iso", SH, "finished_at of a pipeline is in ISO 8601.", L, None, S("object_attributes.finished_at", to_iso))
V("pipeline-tag-zero", LP, "tag of a pipeline is 0 instead of false.", L, None, S("object_attributes.tag", int))
V("pipeline-commit-timestamp-utc-form", SH, "timestamp of the commit of a pipeline is not in ISO 8601.", L, None, S("commit.timestamp", to_utc))
V("pipeline-runner-tags-joined", LP, "tags of the runner of builds is one string.", L, None, S("builds.*.runner.tags", lambda v: " ".join(v)))
V("pipeline-artifacts-size-missing", LP, "size is missing from artifacts_file.", L, None, D("builds.*.artifacts_file.size"))
V("pipeline-mr-iid-missing", LP, "iid is missing from merge_request of a pipeline.", L, None, D("merge_request.iid"))
# job
V("job-object-kind-job", "Events", "object_kind of a job is job instead of build.", J, None, S("object_kind", "job"))
V("job-status-cancelled", JP, "build_status of a canceled job is spelled cancelled.", J, "canceled", S("build_status", "cancelled"))
V("job-pending-created", JP, "build_status of a pending job is created.", J, "pending", S("build_status", "created"))
V("job-false-allow-failure-left-out", JP, "build_allow_failure is left out when false.", J, None, D("build_allow_failure"))
V("job-failure-reason-only-on-failure", JP, "build_failure_reason is left out of jobs that did not fail.", J, "pending running success canceled", D("build_failure_reason"))
V("job-tag-string", JP, "tag of a job is the string 'false'.", J, None, S("tag", "false"))
V("job-environment-string", JP, "environment of a job is a string.", J, None, S("environment", lambda v: v["name"]))
V("job-started-at-iso", SH, "build_started_at of a job is in ISO 8601.", J, None, S("build_started_at", to_iso))
V("job-runner-shared-missing", JP, "is_shared is missing from the runner of a job.", J, None, D("runner.is_shared"))
V("job-user-flat", SH, "The user of a job is carried as a bare name.", J, None, S("user", lambda u: u["name"]))
# deployment
V("deployment-running-in-progress", DD, "status of a running deployment is in_progress.", DP, "running", S("status", "in_progress"))
V("deployment-status-cancelled", DD, "status of a canceled deployment is spelled cancelled.", DP, "canceled", S("status", "cancelled"))
V("deployment-status-changed-at-iso", SH, "status_changed_at is in ISO 8601.", DP, None, S("status_changed_at", to_iso))
V("deployment-created-without-status-time", DD, "status_changed_at is missing when a deployment is created.", DP, "created", D("status_changed_at"))
V("deployment-user-flat", SH, "The user of a deployment is a bare user name.", DP, None, S("user", lambda u: u["username"]))
V("deployment-failed-object-kind", "Events", "object_kind is deployment_failed when a deployment fails.", DP, "failed", S("object_kind", "deployment_failed"))
V("deployment-short-sha-missing", DD, "short_sha is missing.", DP, None, D("short_sha"))
# wiki
V("wiki-create-created", WP, "action is 'created' when a page is created.", W, "create", S("object_attributes.action", "created"))
V("wiki-delete-destroy", WP, "action is 'destroy' when a page is deleted.", W, "delete", S("object_attributes.action", "destroy"))
V("wiki-update-as-create", WP, "action is 'create' when a page is updated.", W, "update", S("object_attributes.action", "create"))
V("wiki-object-kind-wiki", "Events", "object_kind of a wiki page is wiki.", W, None, S("object_kind", "wiki"))
V("wiki-wiki-missing-on-delete", WP, "wiki is missing when a page is deleted.", W, "delete", D("wiki"))
V("wiki-content-missing-on-delete", WP, "content is missing when a page is deleted.", W, "delete", D("object_attributes.content"))
# release
V("release-count-zero", RP, "assets.count is 0 although links and sources are not empty.", R, None, S("assets.count", 0))
V("release-external-string", RP, "external of links is the string 'true'.", R, None, S("assets.links.*.external", "true"))
V("release-sources-strings", RP, "sources is an array of URLs.", R, None, S("assets.sources", lambda v: [x["url"] for x in v]))
V("release-created-at-iso", SH, "created_at of a release is in ISO 8601.", R, None, S("created_at", to_iso))
V("release-released-at-iso-on-update", SH, "released_at is in ISO 8601 on updates.", R, "update", S("released_at", to_iso))
V("release-create-published", RP, "action is 'published' when a release is created.", R, "create", S("action", "published"))
V("release-delete-as-update", RP, "action is 'update' when a release is deleted.", R, "delete", S("action", "update"))
V("release-object-kind-releases", "Events", "object_kind of a release is releases.", R, None, S("object_kind", "releases"))
V("release-project-missing-on-delete", RP, "project is missing when a release is deleted.", R, "delete", D("project"))
V("release-commit-missing-on-update", RP, "commit is missing from updates of releases.", R, "update", D("commit"))

TABLE = r"""
v|auth-missing-token-accepted-on-create|Authentication|Creates hooks without a PRIVATE-TOKEN header.
v|auth-missing-token-accepted-on-test|Authentication|Tests hooks without a PRIVATE-TOKEN header.
v|auth-wrong-token-accepted|Authentication|Accepts every non-empty PRIVATE-TOKEN.
v|auth-wrong-token-accepted-on-test|Authentication|Accepts every non-empty PRIVATE-TOKEN on test calls.
v|auth-token-prefix-accepted|Authentication|Accepts a prefix of at least four characters of the token.
v|auth-token-suffix-accepted|Authentication|Accepts the token with characters appended.
v|auth-token-case-insensitive|Authentication|Compares the token without regard to case.
v|auth-empty-token-accepted|Authentication|Accepts an empty PRIVATE-TOKEN.
v|auth-header-case-sensitive|RFC 9110 section 5.1|Recognises the field name only when written PRIVATE-TOKEN.
v|auth-refused-create-still-creates|Authentication|A creation refused for a wrong token creates the hook nevertheless.
v|auth-refused-test-still-delivers|Authentication|A test refused for a wrong token makes the delivery nevertheless.
v|auth-remembered-on-connection|Authentication|After one authorised request a connection needs no token any more.
v|auth-401-without-challenge|RFC 9110 section 15.5.2|401 answers have no WWW-Authenticate.
v|url-not-required|Hook configuration (request fields)|Creates a hook when url is absent.
v|url-null-accepted|Hook configuration (request fields)|Creates a hook when url is null.
v|url-number-accepted|Hook configuration (request fields)|Creates a hook when url is a JSON number.
v|push-events-default-false|Hook configuration (request fields)|push_events is false when absent.
v|push-events-default-false-beside-others|Hook configuration (request fields)|push_events is false when absent and another flag is given.
v|push-events-default-false-in-forms|Hook configuration (request fields)|push_events is false when absent from a form body.
v|push-events-false-ignored|Hook configuration (request fields)|An explicit push_events false is treated as absent.
v|form-false-is-true|Hook configuration (request fields)|A flag given as false in a form body is taken as true.
v|ssl-verification-default-off|Hook configuration (request fields)|enable_ssl_verification is false when absent.
v|ssl-never-verified|Authentication|Certificates are never verified.
v|ssl-always-verified|Hook configuration (request fields)|Certificates are verified although enable_ssl_verification is false.
v|ssl-not-verified-on-test|Authentication|Test calls do not verify the certificate.
v|events-cross-projects|What the service does|Events of one project are delivered to hooks of all projects.
v|hooks-created-in-first-project|What the service does|Hooks created in the second project belong to the first.
v|test-through-other-project|Endpoints|A hook can be tested through the path of another project.
v|test-newest-hook|Endpoints|A test call delivers to the newest hook of the project instead of the addressed one.
v|test-all-hooks|Endpoints|A test call delivers to all hooks of the project.
v|test-always-push|Endpoints|Every test call delivers a push.
v|test-tag-push-as-push|Endpoints|The test of tag_push_events delivers a push.
v|test-job-as-pipeline|Endpoints|The test of job_events delivers a pipeline event.
v|test-header-always-push|Events|Test deliveries always say Push Hook in X-Hook-Event.
v|test-without-token|Authentication|Test deliveries carry no X-Hook-Token.
v|test-only-once|What the service does|Only the first test of a hook makes a delivery.
v|test-doubled|What the service does|A test call makes the delivery twice.
v|test-missing-hook-2xx|RFC 9110 section 15.3|The test of a hook that does not exist is answered with success.
v|create-in-missing-project-2xx|RFC 9110 section 15.3|Creation in a project that does not exist is answered with success.
v|malformed-json-500|RFC 9110 section 15.5|A body that is not JSON is answered with 500.
v|missing-url-500|RFC 9110 section 15.5|A missing url is answered with 500.
v|non-object-body-500|RFC 9110 section 15.5|A JSON body that is not an object is answered with 500.
v|unknown-path-500|RFC 9110 section 15.5|An unknown path is answered with 500.
v|pipeline-flag-governs-jobs|Events|Job events are governed by pipeline_events.
v|job-flag-also-enables-pipelines|Events|Pipeline events are also sent to hooks with job_events alone.
v|push-flag-also-enables-tag-push|Events|Tag pushes are also sent to hooks with push_events alone.
v|issues-flag-also-enables-confidential|Events|Confidential issues are also sent to hooks with issues_events alone.
v|confidential-flag-also-enables-issues|Events|Ordinary issues are also sent to hooks with confidential_issues_events alone.
v|wiki-flag-ignored|Events|Wiki page events are sent to every hook.
v|releases-false-is-true|Events|releases_events given as false enables releases.
v|deployment-needs-job-flag|Events|Deployments are sent only if job_events is set too.
v|deployment-running-not-delivered|Events|A change of a deployment to running is not delivered.
v|deployment-created-not-delivered|Events|The creation of a deployment is not delivered.
v|issue-reopen-not-delivered|Events|The reopening of an issue is not delivered.
v|mr-close-not-delivered|Events|The closing of a merge request is not delivered.
v|wiki-delete-not-delivered|Events|The deletion of a wiki page is not delivered.
v|release-delete-not-delivered|Events|The deletion of a release is not delivered.
v|release-update-not-delivered|Events|The update of a release is not delivered.
v|tag-delete-not-delivered|Events|The deletion of a tag is not delivered.
v|pipeline-skipped-not-delivered|Events|Skipped pipelines are not delivered.
v|job-pending-not-delivered|Events|A change of a job to pending is not delivered.
v|url-query-dropped|Hook configuration (request fields)|Deliveries leave out the query of the URL.
v|url-percent-decoded|Hook configuration (request fields)|Escapes %2F in the path of the URL are decoded.
v|url-percent-encoded-twice|Hook configuration (request fields)|Percent signs of the URL are encoded again.
v|url-plus-becomes-space|Hook configuration (request fields)|A plus in the query of the URL becomes %20.
v|url-empty-parameter-dropped|Hook configuration (request fields)|Query parameters with empty values are dropped.
v|url-repeated-parameter-dropped|Hook configuration (request fields)|Of repeated query parameters only the last is kept.
v|url-trailing-slash-stripped|Hook configuration (request fields)|A slash at the end of the path is dropped.
v|url-path-lower-case|Hook configuration (request fields)|The path of the URL is put into lower case.
v|url-double-slash-collapsed|Hook configuration (request fields)|Two slashes in the path become one.
v|url-truncated-255|Hook configuration (request fields)|The URL is silently cut after 255 characters.
v|url-fragment-sent|RFC 9110 section 7.1|The fragment of the URL is sent in the request target.
v|host-without-port|RFC 9110 section 7.2|Host of deliveries lacks the port.
v|host-missing|RFC 9110 section 7.2|Deliveries carry no Host.
v|token-header-when-none|What the service does|An empty X-Hook-Token is sent when no token is configured.
v|token-access-token-when-none|What the service does|The API's access token is sent in X-Hook-Token when no token is configured.
v|token-of-newest-hook|What the service does|X-Hook-Token is that of the newest hook of the project.
v|token-of-hook-with-same-url|What the service does|Of two hooks with one URL, both send the token of the first.
v|token-lower-case|What the service does|The token is sent in lower case.
v|token-cut-at-32|What the service does|The token is cut after 32 characters.
v|token-html-escaped|What the service does|The characters & < > of the token are sent as HTML entities.
v|token-plus-becomes-space|What the service does|A plus in a token given in JSON becomes a space.
v|token-percent-decoded|What the service does|Percent escapes in the token are decoded.
v|token-numeric-normalised|What the service does|A token of digits loses its leading zeros.
v|token-hashed|What the service does|The SHA-256 of the token is sent.
v|token-first-delivery-only|Authentication|X-Hook-Token is sent only with the first delivery of a hook.
v|token-missing-on-releases|Authentication|Release events carry no X-Hook-Token.
v|token-missing-on-confidential|Authentication|Confidential issue events carry no X-Hook-Token.
v|token-header-renamed|What the service does|The token is sent in X-Hook-Secret.
v|token-old-after-update|What the service does|After an update of the token the old one is sent.
v|token-kept-when-emptied|What the service does|After an update of the token to the empty string the old one is still sent.
v|url-old-after-update|RFC 9110 section 9.3.4|After an update of the url deliveries still go to the old one.
v|flag-old-after-update|Events|After an update of flags the old ones govern deliveries.
v|deleted-hook-still-delivers|RFC 9110 section 9.3.5|A deleted hook still gets deliveries of events.
v|deleted-hook-still-testable|RFC 9110 section 9.3.5|A deleted hook can still be tested.
v|event-header-missing|What the service does|Deliveries carry no X-Hook-Event.
v|event-header-flag-name|Events|X-Hook-Event is the name of the flag.
v|event-header-tag-push|Events|X-Hook-Event of tag pushes is Push Hook.
v|event-header-tag-deletion|Events|X-Hook-Event of deletions of tags is Push Hook.
v|event-header-issues|Events|X-Hook-Event of issues is Issues Hook.
v|event-header-mr-merged|Events|X-Hook-Event of merged merge requests is Merge Hook.
v|event-header-build|Events|X-Hook-Event of jobs is Build Hook.
v|event-header-pipeline-failed|Events|X-Hook-Event of failed pipelines is Job Hook.
v|event-header-deployment-lower-case|Events|X-Hook-Event of changes of a deployment is in lower case.
v|event-header-wiki|Events|X-Hook-Event of wiki pages is Wiki Hook.
v|event-header-release-deleted|Events|X-Hook-Event of deleted releases is Tag Push Hook.
v|user-agent-missing|What the service does|Deliveries carry no User-Agent.
v|user-agent-without-version|What the service does|User-Agent has no version.
v|user-agent-missing-on-test|What the service does|Test deliveries carry no User-Agent.
v|delivery-method-put|What the service does|Deliveries use PUT.
v|delivery-form-encoded|What the service does|The JSON is sent as payload of a form.
v|delivery-content-type-text|RFC 8259 section 11|Deliveries are labelled text/plain.
v|delivery-length-in-characters|RFC 9110 section 8.6|Content-Length counts characters instead of octets.
v|delivery-latin-1|RFC 8259 section 8.1|Bodies are encoded in Latin-1 with ? for other characters.
v|delivery-utf8-twice|RFC 8259 section 8.1|Bodies are encoded in UTF-8 twice.
v|delivery-bom|RFC 8259 section 8.1|Bodies begin with a byte order mark.
v|delivery-raw-newlines|RFC 8259 section 7|Line feeds within strings are not escaped.
v|delivery-nan|RFC 8259 section 6|The absent durations of jobs are sent as NaN.
v|delivery-emoji-lost|RFC 8259 section 8.1|Characters beyond the basic plane become question marks.
v|delivery-in-array|What the service does|The body is an array with the event in it.
v|delivery-doubled|What the service does|Every delivery of an event is made twice.
v|delivery-doubled-with-two-hooks|What the service does|With several hooks listening the first gets the event twice.
v|delivery-first-hook-only|What the service does|Only the first of several listening hooks gets an event.
v|delivery-lost-in-bursts|What the service does|Events within 200 ms of the former one are lost.
v|delivery-burst-bodies-mixed|What the service does|The second event within 200 ms is delivered with the body of the former one.
v|delivery-burst-headers-mixed|Events|An event within 200 ms of a different one has the former one's X-Hook-Event.
v|delivery-serial-blocked|What the service does|A failing delivery keeps the remaining hooks from their delivery of the event.
v|delivery-stops-after-failure|What the service does|After one answer other than 2xx a hook never gets deliveries again.
v|ack-200-only|Errors|Answers 2xx other than 200 are not taken as acknowledgement: the event is delivered again.
v|ack-204-not-accepted|Errors|204 is not taken as acknowledgement: the event is delivered again.
v|ack-needs-body|Errors|A 2xx answer with an empty body is not taken as acknowledgement: the event is delivered again.
v|timeout-2s-retried|Limits|A receiver that needs more than 2 s is cut off and gets the event again.
v|api-length-in-characters|RFC 9110 section 8.6|Content-Length of API answers with non-ASCII characters counts characters.
v|api-content-type-html|RFC 8259 section 11|Hook records are labelled text/html.
v|api-chunked-refused|RFC 9112 section 7.1|Requests with chunked bodies are read as empty.
v|api-absolute-form-refused|RFC 9112 section 3.2.2|Requests with an absolute URL as target are answered 404.
v|api-missing-host-accepted|RFC 9112 section 3.2|HTTP/1.1 requests without Host are accepted.
v|api-405-without-allow|RFC 9110 section 15.5.6|405 answers have no Allow.
v|api-date-missing|RFC 9110 section 6.6.1|Answers have no Date.
v|api-json-parameter-refused|RFC 9110 section 8.3.1|application/json with a charset parameter is refused.
v|api-media-type-case-sensitive|RFC 9110 section 8.3.1|Application/JSON is refused.
v|api-json-escapes-kept|RFC 8259 section 7|Escapes \uXXXX in strings of the body are not decoded.
v|api-204-with-body|RFC 9110 section 15.3.5|The 204 answer to a deletion is followed by a body.
v|api-body-left-on-refusal|RFC 9112 section 9.3|The body of a refused request is left on the connection and read as the next request.
c|create-status-200|Endpoints|Creation is answered with 200.
c|test-status-200|Endpoints|Test calls are answered with 200.
c|test-status-202|Endpoints|Test calls are answered with 202.
c|test-status-204|Endpoints|Test calls are answered with 204 and no body.
c|test-waits-for-receiver|Endpoints|Test calls are answered after the receiver has answered.
c|test-failure-422|Errors|Test calls wait for the receiver and are answered with 422 when it did not acknowledge.
c|test-needs-enabled-event|Endpoints|Tests of events not enabled on the hook are refused with 422.
c|test-unknown-event-404|Endpoints|Tests of unknown events are answered with 404 instead of 422.
c|test-returns-delivery|Endpoints|Test calls answer with a record of the delivery.
c|test-rate-limited|Limits|More than five tests within one second are answered with 429 and Retry-After.
c|invalid-422|Errors|Invalid fields are answered with 422 instead of 400.
c|wrong-token-403|Authentication|A wrong token is answered with 403.
c|wrong-token-404|Authentication|Calls without a valid token are answered with 404.
c|missing-project-403|Errors|Unknown projects are answered with 403.
c|error-plain-text|Errors|Error answers are plain text.
c|error-list|Errors|Error answers are objects with an errors array.
c|error-problem-json|RFC 9457|Error answers are application/problem+json.
c|error-empty|Errors|Error answers have no body.
c|record-with-token|Hook configuration (request fields)|Hook records include the token.
c|record-with-masked-token|Hook configuration (request fields)|Hook records include a masked token.
c|record-minimal|Hook configuration (request fields)|Hook records have id and url only.
c|record-extra-fields|Hook configuration (request fields)|Hook records have further fields.
c|record-id-large|Hook configuration (request fields)|Hook ids are beyond 2^32.
c|record-id-string|Hook configuration (request fields)|Hook ids are strings of letters and digits.
c|record-pretty|RFC 8259 section 2|API answers are indented.
c|record-chunked|RFC 9112 section 7.1|API answers are sent chunked.
c|create-with-location|RFC 9110 section 10.2.2|Creation answers with Location.
c|api-connection-close|RFC 9112 section 9.6|The API closes the connection after every answer.
c|api-header-lower-case|RFC 9110 section 5.1|Field names of API answers are in lower case.
c|api-extra-headers|RFC 9110 section 5|API answers have request id, rate limit and cache fields.
c|api-slow|Limits|API answers take 300 ms.
c|only-documented-endpoints|Endpoints|Only creation and test exist.
c|delete-returns-record|Endpoints|Deletion answers 200 with the record.
c|delete-idempotent|RFC 9110 section 9.2.2|Deleting a missing hook answers 204.
c|update-via-patch-only|Endpoints|Updates use PATCH; PUT is answered 405.
c|update-replaces|RFC 9110 section 9.3.4|Updates set absent fields to defaults.
c|json-only|RFC 9110 section 15.5.16|Form bodies are refused with 415.
c|query-parameters-accepted|Endpoints|Fields of the hook may be given in the query.
c|project-path-ids|Endpoints|Projects can be named by their encoded path as well.
c|trailing-slash-accepted|Endpoints|A slash at the end of API paths is ignored.
c|bearer-accepted|Authentication|Authorization: Bearer is accepted as well.
c|unknown-fields-refused|Hook configuration (request fields)|Unknown fields are refused with 400.
c|unknown-fields-kept|Hook configuration (request fields)|Unknown fields are kept and returned in the record.
c|lenient-booleans|Hook configuration (request fields)|Flags may be given as 1, 0, "yes", "on" in JSON.
c|url-2048-limit|Limits|URLs longer than 2048 characters are refused.
c|token-255-limit|Limits|Tokens longer than 255 characters are refused.
c|duplicate-url-refused|Hook configuration (request fields)|A second hook with the same URL in a project is refused with 409.
c|hook-limit-20|Limits|A project can have at most twenty hooks.
c|userinfo-as-basic|RFC 9110 section 4.2.4|Userinfo of the URL is sent as Basic credentials.
c|other-flags-default-true|Endpoints|Flags other than push_events are true by default, confidential ones excepted.
c|retry-5xx|Limits|Deliveries answered with 5xx are tried twice more after 300 ms each.
c|retry-non-2xx|Limits|Deliveries answered with anything but 2xx are tried once more.
c|retry-connection-failure|Limits|Deliveries whose connection fails are tried again after 500 ms.
c|auto-disable-after-4|Errors|Hooks get no more deliveries of events after four failures in a row.
c|redirects-followed|RFC 9110 section 15.4|Deliveries follow 307 and 308 with the same method.
c|user-agent-other|What the service does|User-Agent names another product.
c|user-agent-with-comment|RFC 9110 section 10.1.5|User-Agent has a comment after product and version.
c|delivery-headers-lower-case|RFC 9110 section 5.1|Field names of deliveries are in lower case.
c|delivery-headers-upper-case|RFC 9110 section 5.1|Field names of deliveries are in upper case.
c|delivery-extra-headers|RFC 9110 section 5|Deliveries carry an instance, a UUID and an idempotency key.
c|delivery-extra-fields|Events|Payloads have further fields at all levels.
c|delivery-keys-sorted|RFC 8259 section 4|Keys of payloads are sorted.
c|delivery-ascii-json|RFC 8259 section 7|Payloads escape all non-ASCII characters.
c|delivery-pretty-json|RFC 8259 section 2|Payloads are indented.
c|delivery-charset|RFC 9110 section 8.3.1|Content-Type of deliveries is application/json; charset=utf-8.
c|delivery-chunked|RFC 9112 section 7.1|Deliveries are sent chunked.
c|delivery-slow-body|RFC 9112 section 6|Bodies are sent in pieces over 200 ms.
c|delivery-expect-continue|RFC 9110 section 10.1.1|Deliveries carry Expect: 100-continue and wait for it up to 300 ms.
c|delivery-http-1-0|RFC 9110 section 2.5|Deliveries use HTTP/1.0.
c|delivery-keep-alive|RFC 9112 section 9.3|Deliveries use persistent connections.
c|delivery-delayed|What the service does|Deliveries are made 400 ms after the event.
c|delivery-newest-hook-first|What the service does|Hooks get deliveries in turn, the newest first, 50 ms apart.
c|delivery-serial-per-hook|What the service does|Deliveries of one hook wait for each other.
c|confidential-header-issue|Events|X-Hook-Event of confidential issues is Issue Hook.
c|pipeline-without-mr-null|Pipeline payload|merge_request of pipelines is null.
c|optional-texts-null|Issue payload|description of issues and merge requests is null.
c|milestone-set|Issue payload|milestone_id is an integer.
c|no-labels|Shared nested objects|Issues and merge requests have no labels.
"""
SWITCHES = []
for n, w, d, e, a, f in PAYLOAD: SWITCHES.append(dict(name=n, kind="violation", where=w, does=d))
for line in TABLE.strip().splitlines():
    k, n, w, d = line.split("|")
    SWITCHES.append(dict(name=n, kind="violation" if k == "v" else "choice", where=w, does=d))
NAMES = {s["name"] for s in SWITCHES}
assert len(NAMES) == len(SWITCHES)
ON = set()
def on(n):
    assert n in NAMES, n
    return n in ON
def mutate(flag, action, project, payload):
    acts = action
    for n, w, d, e, a, f in PAYLOAD:
        if n in ON and flag in e and (a is None or action in a):
            f(payload, dict(project=project, action=action))
    return payload
