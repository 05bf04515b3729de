TABLE = r"""
c|ack-202|Errors|Deliveries are acknowledged with 202.
c|ack-204|Errors|Deliveries are acknowledged with 204.
c|ack-201|Errors|Deliveries are acknowledged with 201.
c|ack-208-for-duplicates|Errors|A delivery seen before is acknowledged with 208.
c|ack-empty|Errors|The acknowledgement has an empty body.
c|ack-plain-text|Errors|The acknowledgement is plain text.
c|ack-chunked|RFC 9112 section 7.1|The acknowledgement is sent chunked.
c|ack-after-500ms|Limits|The acknowledgement takes half a second.
c|ack-after-3s-for-pipelines|Limits|The acknowledgement of pipelines takes three seconds.
c|ack-large-body|Errors|The acknowledgement has a body of 100 kB.
c|mismatch-drop|Authentication|Deliveries with a wrong secret are acknowledged and dropped.
c|mismatch-403|Authentication|Deliveries with a wrong secret are answered with 403.
c|mismatch-404|Authentication|Deliveries with a wrong secret are answered with 404.
c|mismatch-slow|Authentication|Refusals of wrong secrets take half a second.
c|missing-secret-403|Authentication|Deliveries without a secret are answered with 403, those with a wrong one with 401.
c|unknown-event-400|Events|Events that are not handled are answered with 400.
c|unknown-event-422|Events|Events that are not handled are answered with 422.
c|unknown-event-501|Events|Events that are not handled are answered with 501.
c|missing-event-header-accepted|Events|Without X-Hook-Event the event is taken from object_kind.
c|kind-disagreement-refused|Events|An object_kind that does not agree with X-Hook-Event is answered with 400.
c|malformed-422|RFC 9110 section 15.5|Bodies that are not JSON are answered with 422.
c|malformed-acknowledged|Errors|Bodies that are not JSON are acknowledged and dropped.
c|any-media-type|RFC 9110 section 15.5.16|The Content-Type of deliveries is not looked at.
c|limit-2-mib|Limits|Bodies of more than 2 MiB are answered with 413.
c|connection-close|RFC 9112 section 9.6|The connection is closed after every answer, with Connection: close.
c|header-lower-case|RFC 9110 section 5.1|Field names of answers are in lower case.
c|extra-headers|RFC 9110 section 5|Answers have further fields.
c|get-health|RFC 9110 section 9.3.1|GET is answered with 200.
c|url-with-query|What the service does|The receiver's URL has a query that must be present.
c|url-root|What the service does|The receiver's URL has the path /.
c|secret-long|Authentication|The secret has 120 characters with punctuation.
c|fewer-events|Events|Only pushes, tag pushes, issues and merge requests are handled.
v|push-refused|Errors|Pushes are answered with 422.
v|tag-push-refused|Errors|Tag pushes are answered with 422.
v|issue-refused|Errors|Issues are answered with 500.
v|confidential-issue-refused|Errors|Confidential issues (by object_attributes.confidential or header) are answered with 404.
v|merge-request-refused|Errors|Merge requests are answered with 422.
v|pipeline-refused|Errors|Pipelines are answered with 500.
v|job-refused|Errors|Jobs are refused because object_kind build is not known.
v|deployment-refused|Errors|Deployments are answered with 422.
v|wiki-refused|Errors|Wiki pages are answered with 422.
v|release-refused|Errors|Releases are answered with 422.
v|push-branch-deletion-500|Errors|A push whose after is all zeros fails with 500.
v|push-null-checkout-sha-500|Push payload|A push with checkout_sha null fails with 500.
v|push-no-commits-500|Errors|A push with an empty commits fails with 500.
v|push-many-commits-500|Errors|A push with more than ten commits fails with 500.
v|push-user-object-required|Shared nested objects|A push without a user object is refused.
v|tag-deletion-500|Tag push payload|The deletion of a tag fails with 500.
v|issue-reopen-422|Issue payload|The action reopen of issues is refused.
v|issue-close-422|Issue payload|The action close of issues is refused.
v|issue-no-labels-500|Issue payload|An issue without labels fails with 500.
v|issue-null-milestone-500|Errors|An issue with milestone_id null fails with 500.
v|issue-changes-null-previous-500|Issue payload|A change whose previous is null fails with 500.
v|mr-approved-422|Merge request payload|The actions approved and unapproved are refused.
v|mr-merge-500|Merge request payload|The action merge fails with 500.
v|mr-false-draft-500|Merge request payload|draft false is taken as absent and refused.
v|pipeline-skipped-422|Pipeline payload|Skipped pipelines are refused.
v|pipeline-null-environment-500|Pipeline payload|Builds with environment null fail with 500.
v|job-canceled-422|Job payload|Canceled jobs are refused.
v|job-pending-null-times-500|Job payload|Jobs whose build_started_at is null fail with 500.
v|deployment-created-422|Deployment payload|Deployments with the status created are refused.
v|wiki-delete-422|Wiki page payload|Deletions of wiki pages are refused.
v|release-delete-422|Release payload|Deletions of releases are refused.
v|release-no-links-500|Release payload|Releases without links fail with 500.
v|null-avatar-500|Shared nested objects|A project whose avatar_url is null fails with 500.
v|unknown-field-400|Errors|Deliveries with unknown fields at the top level are refused.
v|unknown-nested-field-400|Errors|Deliveries with unknown fields in project are refused.
v|key-order-required|RFC 8259 section 4|Deliveries whose first key is not object_kind are refused.
v|whitespace-400|RFC 8259 section 2|Bodies that begin with white space or have line feeds between tokens are refused.
v|non-ascii-500|RFC 8259 section 8.1|Bodies with non-ASCII octets fail with 500.
v|emoji-500|RFC 8259 section 8.1|Bodies with characters beyond the basic plane (as octets) fail with 500.
v|escape-400|RFC 8259 section 7|Bodies with escapes \uXXXX are refused.
v|body-over-64k-413|Errors|Bodies over 64 KiB are refused.
v|body-over-200k-closed|Errors|On bodies over 200 KiB the connection is closed without an answer.
v|string-over-4k-500|Errors|Strings over 4096 characters fail with 500.
v|secret-missing-accepted|Authentication|Deliveries without X-Hook-Token are acknowledged.
v|secret-any-accepted|Authentication|Every non-empty secret is accepted.
v|secret-prefix-accepted|Authentication|A prefix of at least one character of the secret is accepted.
v|secret-suffix-accepted|Authentication|The secret with characters appended is accepted.
v|secret-case-insensitive|Authentication|The secret is compared without regard to case.
v|secret-empty-accepted|Authentication|An empty secret is accepted.
v|secret-length-only|Authentication|Secrets of the right length are accepted.
v|secret-first-eight-only|Authentication|Only the first eight characters are compared.
v|secret-last-ignored|Authentication|The last character is not compared.
v|secret-checked-once-per-connection|Authentication|After one right secret a connection is trusted.
v|secret-unchecked-for-tag-push|Authentication|The secret is not compared for tag pushes.
v|secret-unchecked-for-job|Authentication|The secret is not compared for jobs.
v|secret-unchecked-in-chunked|Authentication|The secret is not compared for chunked deliveries.
v|secret-unchecked-for-repeated|Authentication|The secret is not compared for a body that was accepted before.
v|secret-pattern|Authentication|The received secret is used as a pattern: .* is accepted.
v|secret-hash-accepted|Authentication|The SHA-256 of the secret is accepted.
v|secret-percent-decoded|Authentication|The received secret is percent-decoded before comparison.
v|secret-in-body-accepted|Authentication|A token field of the body with the secret is accepted in place of the header.
v|secret-in-query-accepted|Authentication|A token parameter of the URL's query is accepted in place of the header.
v|secret-substring-accepted|Authentication|A header that contains the secret is accepted.
v|secret-non-ascii-500|RFC 9110 section 15.6|A secret with non-ASCII octets fails with 500.
v|secret-wrong-locks-out|Errors|After three wrong secrets the right one is refused too.
v|secret-header-case-sensitive|RFC 9110 section 5.1|Only X-Hook-Token in this case is recognised.
v|event-header-case-sensitive|RFC 9110 section 5.1|Only X-Hook-Event in this case is recognised.
v|mismatch-closes|Authentication|On a wrong secret the connection is closed without an answer.
v|mismatch-500|RFC 9110 section 15.6|A wrong secret is answered with 500.
v|mismatch-acknowledged|Authentication|A wrong secret is acknowledged although rejection is documented.
v|mismatch-acknowledged-second|Authentication|Every second wrong secret is acknowledged.
v|charset-415|RFC 9110 section 8.3.1|application/json with a charset is refused.
v|media-type-case-415|RFC 9110 section 8.3.1|Application/JSON is refused.
v|chunked-411|RFC 9112 section 7.1|Chunked bodies are refused.
v|chunked-first-only|RFC 9112 section 7.1|Only the first chunk is taken as the body.
v|chunk-extension-400|RFC 9112 section 7.1.1|Chunk extensions are refused.
v|trailers-400|RFC 9112 section 7.1.2|Trailers are refused.
v|expect-not-answered|RFC 9110 section 10.1.1|Expect: 100-continue gets neither an interim nor a final answer.
v|http-1-0-505|RFC 9110 section 2.5|HTTP/1.0 is refused.
v|first-packet-only|RFC 9112 section 6|Only the part of the body that has come with the header is read.
v|slow-body-408|Limits|Bodies that take longer than 700 ms are cut off.
v|second-on-connection-500|RFC 9112 section 9.3|The second delivery on a connection fails.
v|second-on-connection-hangs|RFC 9112 section 9.3|The second delivery on a connection is never answered.
v|pipelined-lost|RFC 9112 section 9.3.2|Of pipelined requests only the first is answered.
v|duplicate-409|Errors|A delivery seen before is refused with 409.
v|duplicate-500|Errors|A delivery seen before fails with 500.
v|same-object-again-409|Errors|A second, different event of the same issue or merge request is refused.
v|parallel-503|Errors|More than eight deliveries at once are refused.
v|parallel-serial|Limits|Deliveries are handled one by one, 400 ms each.
v|one-slow-blocks-all|Limits|While a body is being received no other delivery is read.
v|slow-11s|Limits|The acknowledgement takes 11 seconds.
v|slow-11s-for-pipelines|Limits|The acknowledgement of pipelines takes 11 seconds.
v|slower-each-time|Limits|Every delivery takes 700 ms longer than the former one.
v|user-agent-other-403|What the service does|A User-Agent that does not begin with GitAtelier or Git is refused.
v|user-agent-comment-400|RFC 9110 section 10.1.5|A User-Agent with a comment is refused.
v|unknown-event-500|RFC 9110 section 15.6|Events that are not known fail with 500.
v|unknown-header-400|RFC 9110 section 5.1|Deliveries with header fields not in the document are refused.
v|redirects-301|Errors|Deliveries are answered with a redirect.
v|ack-redirect-for-wiki|Errors|Wiki pages are answered with 302.
v|malformed-500|RFC 9110 section 15.5|Bodies that are not JSON are answered with 500.
v|empty-body-500|RFC 9110 section 15.5|An empty body is answered with 500.
v|array-body-500|RFC 9110 section 15.5|A JSON array is answered with 500.
v|put-acknowledged|What the service does|PUT is acknowledged like POST.
v|405-without-allow|RFC 9110 section 15.5.6|405 answers have no Allow.
v|head-with-body|RFC 9110 section 9.3.2|Answers to HEAD have a body.
v|ack-length-too-long|RFC 9110 section 8.6|Content-Length of the acknowledgement is larger than the body.
v|ack-204-with-body|RFC 9110 section 15.3.5|The acknowledgement is 204 followed by a body.
v|ack-date-missing|RFC 9110 section 6.6.1|Answers have no Date.
v|missing-host-accepted|RFC 9112 section 3.2|HTTP/1.1 deliveries without Host are acknowledged.
v|absolute-form-404|RFC 9112 section 3.2.2|Requests with an absolute URL as target are answered with 404.
v|after-error-dead|Errors|After one body that is not JSON every delivery fails.
"""
SWITCHES = []
for line in TABLE.strip().splitlines():
    k, n, w, d = line.split("|")
    SWITCHES.append(dict(name=n, kind="violation" if k == "v" else "choice", where=w, does=d))
NAMES = {s["name"] for s in SWITCHES}
assert len(NAMES) == len(SWITCHES)
ON = set()
def on(n):
    assert n in NAMES, n
    return n in ON
