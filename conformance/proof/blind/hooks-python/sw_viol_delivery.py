"""Violations of the sender: headers, target, who gets what, and the framing of the body."""
from switches import table

W = "What the service does"
V = "Events"
B_TOK = "the secret token of the hook, present only when a token is configured"
B_SEC = "Deliveries to the receiver carry X-Hook-Token with the configured secret, when one is set."
B_EVT = "X-Hook-Event | event type name (see Events)"
B_AGENT = "User-Agent | <product>/<version>"
B_URL = "sends an HTTP POST with a JSON body describing the event to the URL set in a hook"
B_HAPPEN = "When configured events happen in a project, the service sends an HTTP POST"
B_FLAG = "Enabling: each event is governed by the flag named in Hook configuration"
B_JSON = "the service sends an HTTP POST with a JSON body describing the event"
table("violation", [
    ("token-cut-72", W, "A secret is cut after 72 characters.", B_SEC),
    ("token-lowercased-in-tests", W, "Test deliveries send the secret in lower case.", B_SEC),
    ("token-plus-to-space", W, "A plus sign in the secret is sent as a space.", B_SEC),
    ("token-percent-decoded", W, "Percent sequences in the secret are decoded.", B_SEC),
    ("token-cut-at-comma", W, "A secret is cut at its first comma.", B_SEC),
    ("token-html-escaped", W, "Ampersands and angle brackets in the secret are sent HTML-escaped.", B_SEC),
    ("token-padding-lost", W, "Equals signs at the end of the secret are lost.", B_SEC),
    ("token-missing-in-tests", W, "Test deliveries carry no X-Hook-Token.", B_SEC),
    ("token-missing-on-tag-deletion", W, "Deliveries of a deleted tag carry no X-Hook-Token.", B_SEC),
    ("token-leaks-to-next", W, "A hook without token sends the token of the last delivery of its project.", B_TOK),
    ("token-lost-after-failure", W, "After the receiver answered 500 the hook's secret is no longer sent.", B_SEC),
    ("header-failed-job-build", V, "A failed job has X-Hook-Event: Build Hook.", "Job | Job Hook | build"),
    ("header-tag-deletion-push", V, "A deleted tag has X-Hook-Event: Push Hook.", "Tag push | Tag Push Hook | tag_push"),
    ("header-system-in-tests", V, "Test deliveries have X-Hook-Event: System Hook.", B_EVT),
    ("header-approved", V, "Approved merge requests have X-Hook-Event: Merge Request Approved Hook.",
     "Merge request | Merge Request Hook | merge_request"),
    ("header-wiki-deletion", V, "A deleted wiki page has X-Hook-Event: Wiki Hook.", "Wiki page | Wiki Page Hook | wiki_page"),
    ("header-release-update", V, "An updated release has X-Hook-Event: Releases Hook.", "Release | Release Hook | release"),
    ("header-stale-second-hook", V, "The second hook of a fan-out gets the header value of the event before.", B_EVT),
    ("agent-bare-in-tests", W, "User-Agent of test deliveries has no version.", B_AGENT),
    ("agent-bare-with-token", W, "User-Agent has no version when the hook has a token.", B_AGENT),
    ("query-dropped-in-tests", W, "Test deliveries leave out the query of the hook's URL.", B_URL),
    ("query-repeats-merged", W, "Repeated query parameters in the hook's URL are reduced to the last.", B_URL),
    ("query-2b-decoded", W, "%2B in the query of the hook's URL is sent as a plain plus.", B_URL),
    ("path-slash-decoded", W, "%2F in the path of the hook's URL is sent as a slash.", B_URL),
    ("path-end-slash-cut", W, "A slash at the end of the hook's URL path is cut.", B_URL),
    ("url-amp-escaped", W, "An ampersand in the hook's URL becomes &amp;.", B_URL),
    ("tag-deletion-to-push-hooks", V, "Deleted tags also go to hooks with only push_events.", B_FLAG),
    ("push-to-tag-hooks", V, "Pushes to branches with a slash also go to hooks with only tag_push_events.", B_FLAG),
    ("pipeline-to-job-hooks", V, "Failed pipelines also go to hooks with only job_events.", B_FLAG),
    ("deployment-under-pipeline", V, "Deployments are governed by pipeline_events.", B_FLAG),
    ("confidential-to-issue-hooks", V, "Confidential issue events go to hooks with only issues_events.", B_FLAG),
    ("issue-to-confidential-hooks", V, "Plain issue updates go to hooks with only confidential_issues_events.", B_FLAG),
    ("confidential-needs-both", V, "Confidential issue events need issues_events too.", B_FLAG),
    ("wiki-needs-push-flag", V, "Wiki page events go only to hooks that have push_events too.", B_FLAG),
    ("tag-deletion-lost", V, "A deleted tag causes no delivery.", "Tag push: tag created or deleted"),
    ("issue-reopen-lost", V, "A reopened issue causes no delivery.", "Issue: issue created, updated, closed or reopened"),
    ("mr-merge-lost", V, "A merged merge request causes no delivery.",
     "Merge request: merge request created, updated, merged or closed"),
    ("wiki-deletion-lost", V, "A deleted wiki page causes no delivery.", "Wiki page: page created, updated or deleted"),
    ("release-deletion-lost", V, "A deleted release causes no delivery.", "Release: release created, updated or deleted"),
    ("pipeline-skipped-lost", V, "A pipeline that becomes skipped causes no delivery.", "Pipeline: pipeline status changes"),
    ("job-pending-lost", V, "A job that becomes pending causes no delivery.", "Job: job status changes"),
    ("deployment-created-lost", V, "A created deployment causes no delivery.",
     "Deployment: deployment created or its status changes"),
    ("first-event-lost", W, "The first real event after a hook's creation is not delivered to it.", B_HAPPEN),
    ("burst-lost", W, "An event within 150 ms of one of its kind in the project is not delivered.", B_HAPPEN),
    ("release-to-all-projects", W, "Release events go to subscribed hooks of every project.",
     "A hook is configured per project"),
    ("same-url-other-project-leak", W, "An event also goes to another project's hook when a local hook has its URL.",
     "A hook is configured per project"),
    ("dead-after-500", W, "After one answer of 500 a hook gets no more events.", B_HAPPEN),
    ("dead-after-slow", W, "A hook whose receiver took over 2 seconds gets no more events.", B_HAPPEN),
    ("only-200-acknowledges", "Errors", "A 2xx answer other than 200 is no acknowledgement: the delivery is sent again.",
     "The receiver answers a delivery with an HTTP 2xx status to acknowledge it."),
    ("length-in-characters", W, "Content-Length counts characters, so a body with non-ASCII text is cut short.", B_JSON),
    ("body-latin1", W, "A body with non-ASCII text is sent as ISO 8859-1.", B_JSON),
    ("body-raw-newlines", W, "Line ends inside strings of commit payloads of tests are sent unescaped.", B_JSON),
    ("body-bom", W, "A body with non-ASCII text starts with a byte order mark.", B_JSON),
    ("body-stale-second-hook", W, "The second hook of a fan-out gets the body of the event before.", B_JSON),
    ("body-cut-in-fan-out", W, "A delivery for a fan-out of over three hooks ends before its last brace.", B_JSON),
])
