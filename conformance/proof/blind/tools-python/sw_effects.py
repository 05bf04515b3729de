"""Violations in errors, upstream handling and the effects of tools."""
from switches import violation

TOOL = "Tool definition"
ERR = "Errors"
CTX = "Tool context capabilities"

violation("swap-401-403", ERR, "The texts for upstream 401 and 403 are swapped.")
violation("rate-limit-no-wait", ERR, "The text for 429 does not tell to wait.")
violation("other-status-named-500", ERR, "Any other upstream 5xx status is reported as status 500.")
violation("unlisted-4xx-as-success", ERR, "An upstream 4xx without a text of its own, with a JSON body, is taken as success.")
violation("not-found-no-advice", ERR, "The text for upstream 404 does not tell to check the identifier.")
violation("error-type-unnamed", ERR, "The text for an unexpected error does not name its type.")
violation("rate-limit-prefix-lowercase", ERR, "The text for 429 begins with error: in lower case.")
violation("local-not-found-unprefixed", ERR, "The update tool's failure for an absent artifact does not begin with Error:.")
violation("stalled-body-unexpected", ERR, "A timeout in the upstream body is reported as an unexpected error.")
violation("timeout-doubled", "Limits", "The upstream timeout is 60 seconds.")
violation("timeout-per-read", "Limits", "The timeout restarts with every byte, so a dripping upstream never times out.")
violation("sticky-404", ERR, "Once upstream said 404 for an item it stays not found.")
violation("sticky-401", ERR, "After one upstream 401 every lookup says invalid authentication.")
violation("connection-refused-as-timeout", ERR, "A refused connection is reported as a timeout.")
violation("no-match-names-older-query", ERR, "The text for no result quotes the query of the search before it.")
violation("no-match-hidden-by-tags", ERR, "A tagged search with no result returns an empty page, not the text.")
violation("get-bumps-version", TOOL, "The read-only get tool changes the artifact's version and updated_at.")
violation("repeated-update-bumps-version", TOOL, "Repeating an update, though declared idempotent, raises version and updated_at.")
violation("update-appends-tags", TOOL, "The idempotent update tool adds its tags again on each call.")
violation("delete-leaves-search-hit", TOOL, "A deleted artifact is still found by search.")
violation("delete-twice-takes-next", TOOL, "Repeating a delete removes the following artifact.")
violation("writes-private-to-session", CTX, "A created artifact is visible only in the session that created it.")
violation("update-drops-unsent-tags", TOOL, "An update that does not mention tags empties them.")
violation("status-count-as-string", "MCP Tools: Output Schema", "artifacts in the structured status is a string once something was created.")
violation("status-text-lags", "Tool server transports", "The text of the status result is that of the call before.")
violation("decline-records-loan", "MCP Elicitation: Response Actions", "A declined loan form still records a loan, while the text says it did not.")
violation("elicit-answer-ignored", CTX, "The loan is recorded with the borrower of the previous answer.")
violation("elicit-nested-schema", "MCP Elicitation: Request Schema", "The form asked of the user has a nested object.")
violation("debug-logged-as-info", CTX, "Debug messages are sent with level info.")
violation("error-logs-lost", CTX, "Error messages are dropped when the level is set to error.")
