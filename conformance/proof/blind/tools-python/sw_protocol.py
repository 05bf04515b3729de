"""Violations of MCP 2025-06-18 and JSON-RPC 2.0."""
from switches import violation

RPC = "JSON-RPC 2.0"
PROG = "MCP Progress"
LOG = "MCP Logging"
HTTP = "MCP Transports: Streamable HTTP"
SESS = "MCP Transports: Session Management"
STDIO = "MCP Transports: stdio"

violation("id-zero-lost", RPC, "A request with id 0 is taken as a notification.")
violation("empty-id-lost", RPC, "A request whose id is the empty string is taken as a notification.")
violation("numeric-string-id-changed", RPC, "A string id made of digits is echoed as a number.")
violation("error-id-null", RPC, "Errors for unknown tools carry id null.")
violation("unknown-tools-method-32602", RPC, "An unknown method that begins with tools/ is answered with -32602.")
violation("parse-error-32600", RPC, "A body that is not JSON is answered with -32600 instead of -32700.")
violation("progress-without-token", PROG, "Progress is sent though no token was given, with the request id as token.")
violation("progress-token-stringified", PROG, "A numeric progress token comes back as a string.")
violation("progress-repeats-value", PROG, "The last two progress notifications have the same value.")
violation("progress-after-response", PROG, "One more progress notification follows the response.")
violation("progress-token-last-seen", PROG, "Concurrent calls in a session report progress with the token seen last.")
violation("loglevel-global", LOG, "Setting the log level changes it for all sessions.")
violation("loglevel-exclusive", LOG, "Messages of exactly the level that was set are not sent.")
violation("loglevel-alphabetical", LOG, "Levels are compared by their names.")
violation("cancel-from-any-session", "MCP Cancellation", "A cancellation reaches a request of the same id in another session.")
violation("cancel-id-type-blind", "MCP Cancellation", "Cancelling the string id 5 cancels the numeric id 5.")
violation("unknown-version-echoed", "MCP Lifecycle: Version Negotiation", "Any protocol version that looks like a date is echoed.")
violation("version-header-unchecked-get", HTTP, "GET ignores an unsupported MCP-Protocol-Version.")
violation("version-header-unchecked-notify", HTTP, "POSTed notifications ignore an unsupported MCP-Protocol-Version.")
violation("deleted-session-still-lists", SESS, "After DELETE, tools/list and ping are still served in the session.")
violation("unknown-session-adopted", SESS, "An unknown session id that looks like a UUID is taken as a new session.")
violation("origin-prefix-match", HTTP, "Origins that begin with http://localhost are allowed, as localhost.evil.example.")
violation("origin-unchecked-get", HTTP, "GET does not check Origin.")
violation("origin-unchecked-delete", HTTP, "DELETE does not check Origin.")
violation("messages-doubled-on-get-stream", HTTP, "Log messages of a call are also sent on the session's GET stream.")
violation("updates-to-all-sessions", "MCP Resources: Subscriptions", "Resource updates are sent to sessions that did not subscribe.")
violation("unsubscribe-ignored", "MCP Resources: Subscriptions", "After unsubscribe the updates still come.")
violation("elicit-without-capability", "MCP Lifecycle: Capability Negotiation", "Elicits though the client did not declare it.")
violation("elicit-answer-any-session", SESS, "An elicitation can be answered by a response in another session.")
violation("cancel-202-has-body", HTTP, "The 202 for notifications/cancelled has a body.")
violation("roots-notification-200", HTTP, "notifications/roots/list_changed is answered 200 with an empty object.")
violation("body-read-as-latin1", HTTP, "Request bodies are decoded as Latin-1 when Content-Type names no charset.")
violation("resource-percent-kept", "Resources (URI templates)", "Percent-encoding in the URI of a department is not decoded.")
violation("resource-template-greedy", "Resources (URI templates)", "museum://artifacts/{id} also matches further path segments.")
violation("resources-page-loses-one", "MCP Pagination", "One resource between two pages of resources/list is lost.")
violation("stdio-multiline-errors", STDIO, "Over stdio, error responses are indented over several lines.")
violation("stdio-plain-line", STDIO, "Over stdio, a create writes a plain text line on stdout.")
violation("stdio-latin1", STDIO, "Over stdio, text is written in Latin-1 where it fits.")
violation("stdio-answers-notifications", STDIO, "Over stdio, unknown notifications get an error response with id null.")
violation("stdio-serial", "MCP Ping", "Over stdio, a ping waits until a running condition check has ended.")
