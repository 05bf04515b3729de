"""Violations at the configuration API: authentication, stored settings, test calls."""
from switches import table

A = "Authentication"
R = "Hook configuration (request fields)"
E = "Endpoints"
W = "What the service does"
B_AUTH = "Calls to the hook API carry the header `PRIVATE-TOKEN: <ACCESS_TOKEN>`."
B_URL = "url | string | required; receiver URL"
B_PUSH = "push_events | boolean | default true"
B_SSL = "enable_ssl_verification (default true) makes the service verify the receiver's TLS certificate."
B_PROJ = "A hook is configured per project in the settings or through the API."
B_TEST = "A hook can be tested on demand."
B_SECRET = "Deliveries to the receiver carry X-Hook-Token with the configured secret, when one is set."
B_FLAG = "Enabling: each event is governed by the flag named in Hook configuration"
table("violation", [
    ("auth-test-open", A, "Test calls are carried out without any access token.", B_AUTH),
    ("auth-prefix-enough", A, "The first 12 or more characters of the access token are enough.", B_AUTH),
    ("auth-tail-ignored", A, "An access token with further characters behind it is accepted.", B_AUTH),
    ("auth-any-case", A, "The access token is compared without regard to case.", B_AUTH),
    ("auth-empty-accepted", A, "An empty PRIVATE-TOKEN header is accepted.", B_AUTH),
    ("auth-sticks-to-connection", A, "After one good call a connection needs no token any more.", B_AUTH),
    ("auth-refused-but-done", A, "Creation with a wrong token gets 401, yet the hook exists and gets events.", B_AUTH),
    ("url-null-accepted", R, "Hook creation with url null succeeds.", B_URL),
    ("url-missing-with-token", R, "Hook creation without url succeeds when a token is given.", B_URL),
    ("push-false-alone-ignored", R, "push_events false is ignored when no other flag is sent.", B_PUSH),
    ("push-default-lost-with-flag", R, "push_events left out is false once another event flag is sent.", B_PUSH),
    ("push-default-lost-later", R, "push_events left out is true only for a project's first two hooks.", B_PUSH),
    ("push-default-lost-other", R, "push_events left out is false in every project but the first.", B_PUSH),
    ("ssl-default-off-with-token", R, "With a token set, enable_ssl_verification left out means false.", B_SSL),
    ("ssl-false-ignored", R, "enable_ssl_verification false is treated as true.", B_SSL),
    ("ssl-tests-unverified", R, "Test deliveries never verify the receiver's certificate.", B_SSL),
    ("ssl-second-unverified", R, "Only the first delivery of a hook verifies the certificate.", B_SSL),
    ("test-crosses-projects", E, "A test call finds a hook of another project.", B_PROJ),
    ("test-second-silent", E, "The second and later test calls of a hook answer 201 but send nothing.", B_TEST),
    ("test-hits-newest", E, "A test call delivers to the newest hook of the project.", B_TEST),
    ("test-turns-push-on", E, "A test call sets push_events of the hook to true.", B_FLAG),
    ("test-needs-content-type", E, "A test call without Content-Type gets 415.",
     "POST | /projects/{id}/hooks/{hook_id}/test/{event} | no body"),
    ("test-wrong-project-data", E, "A test payload always describes the first project.",
     "sends an HTTP POST with a JSON body describing the event (happening in the hook's project)"),
    ("same-url-shares-token", R, "A new hook with a url already in use replaces the older hook's token.", B_SECRET),
    ("same-url-shares-flags", R, "A new hook with a url already in use replaces the older hook's flags.", B_FLAG),
    ("same-url-older-dropped", R, "A new hook with a url used in another project silences that hook.", B_PROJ),
    ("fourth-hook-silent", W, "Only the first three hooks of a project get real events.",
     "When configured events happen in a project, the service sends an HTTP POST"),
    ("token-null-sent", R, "A hook created with token null sends X-Hook-Token: null.",
     "the secret token of the hook, present only when a token is configured"),
])
