ON = set()
def on(n): return n in ON
W = {'e': 'Response envelope', 'i': 'Image', 'v': 'Variant', 'c': 'Account configuration', 't': 'Upload ticket (direct creator upload result)', 's': 'States and transitions', 'p': 'Endpoints', 'd': 'Completing a direct creator upload', 'b': 'Batch host', 'a': 'Authentication', 'x': 'Errors', 'l': 'Limits', 'w': 'What the service does', '1': 'RFC 9112', '0': 'RFC 9110', 'm': 'RFC 7578 / RFC 2046', 'j': 'RFC 8259', 'u': 'RFC 3986'}
CHOICE = '''
id-hex32|i|generated ids are 32 hex digits
id-short-base62|i|generated ids are 11 base62 characters
id-uuid-uppercase|i|generated ids are upper-case UUIDs
id-prefixed|i|generated ids look like img_<hex>
id-long|i|generated ids have 128 characters
id-with-tilde-and-dot|i|generated ids contain a dot and a tilde
id-time-ordered|i|generated ids start with the time
header-names-lowercase|0|header names are sent in lower case
header-names-uppercase|0|header names are sent in upper case
header-order-reversed|0|response headers come in another order
server-header|0|a Server header is sent
request-id-header|0|an X-Request-Id header is sent
cors-on-api|0|CORS header on API responses
no-store-on-api|0|Cache-Control: no-store on API responses
security-headers|0|nosniff and HSTS headers everywhere
set-cookie-on-api|0|a load balancer cookie is set
vary-header|0|a Vary header is sent
rate-limit-headers|x|RateLimit-* headers are sent
rate-limit-occasionally|x|429 with Retry-After above 60 requests within a second
problem-link-header|0|failures carry a Link header
empty-reason-phrase|1|the status line has an empty reason phrase
chunked-responses|1|all bodies use chunked transfer
chunked-json-only|1|JSON bodies use chunked transfer, delivery has Content-Length
close-after-each-response|1|the connection is closed after each response
close-after-ten-responses|1|the connection is closed after ten responses
close-after-error|1|the connection is closed after an error
keep-alive-header|1|Keep-Alive and Connection: keep-alive headers are sent
split-writes|1|responses arrive in several TCP segments
delay-each-response|0|every response takes 30 ms
delay-jitter|0|responses take a random 0-150 ms
etag-on-api|0|API responses carry an ETag
json-pretty|j|JSON is indented
json-ascii-escaped|j|non-ASCII characters are escaped in JSON
json-charset-parameter|j|Content-Type has a charset parameter
json-keys-sorted|j|JSON members are sorted by name
json-trailing-newline|j|JSON bodies end with a newline
envelope-messages|e|the envelope has an additional messages array
envelope-extra-member|e|the envelope has an unknown member
envelope-result-first|e|result comes before success
success-omits-errors|e|no errors member on success
failure-result-null|e|result is null on failure
error-codes-per-status|x|other error codes than 5400 where the document names none
error-message-terse|x|messages are only "error <code>"
error-documentation-url|x|error objects have a documentation_url
error-list-of-two|x|the errors array has two entries
delete-result-null|p|DELETE answers result null
delete-result-id|p|DELETE answers the id as result
delete-result-empty-string|p|DELETE answers an empty string as result
delete-result-object|p|DELETE answers an object with id and deleted
duplicate-id-409|x|an id in use is refused with 409
duplicate-variant-409|x|an existing variant name is refused with 409
used-ticket-404|d|a used upload URL answers 404
used-ticket-410|d|a used upload URL answers 410
used-ticket-409|d|a used upload URL answers 409
expired-ticket-410|l|an expired upload URL answers 410
expired-ticket-403|l|an expired upload URL answers 403
expired-ticket-404|l|an expired upload URL answers 404
private-delivery-401|i|an unsigned request for a private image answers 401
private-delivery-404|i|an unsigned request for a private image answers 404
unknown-account-404|x|an account that does not exist answers 404
wrong-account-404|x|an account of somebody else answers 404
not-an-image-415|x|a file that is no image is refused with 415
unknown-method-404|x|an unsupported method answers 404
json-media-type-required|p|JSON bodies are refused unless sent as application/json
part-media-type-required|p|the file part must have an image media type (else 415)
unknown-json-members-refused|p|unknown members of JSON bodies are refused
null-members-as-absent|p|null members of a ticket request count as absent
direct-empty-body-refused|p|a ticket request without a body is refused
direct-accepts-multipart|p|a ticket request may also be multipart
direct-signed-string-accepted|p|a ticket request may give requireSignedURLs as text
direct-past-expiry-accepted|l|an expiry in the past gives a ticket that is expired
direct-minimum-expiry-two-minutes|l|an expiry less than two minutes ahead is refused
signed-accepts-one-and-zero|p|requireSignedURLs may be 1 or 0 in forms
signed-garbage-accepted|p|an unreadable requireSignedURLs counts as false
empty-id-generates|p|an empty id field counts as absent
empty-query-values-default|p|empty page or per_page counts as absent
list-newest-first|p|the list is ordered newest first
list-sorted-by-id|p|the list is ordered by id
list-includes-drafts|p|the list includes drafts
list-result-info|p|a result_info member stands beside the list
list-continuation-token|p|the list result has a continuation_token
list-total-count|p|the list result has a total
list-per-page-clamped|l|per_page above 100 is treated as 100
list-garbage-numbers-default|p|an unreadable page or per_page counts as absent
list-numbers-below-one-default|p|page or per_page below 1 counts as absent
list-beyond-end-404|p|a page after the end answers 404
list-eventual|p|new images appear in the list after half a second
draft-in-every-image|i|draft is present in every image object
draft-without-filename|i|a draft has no filename
draft-without-variants|i|a draft has an empty variants array
expired-draft-still-shown|s|the draft of an expired ticket stays readable
metadata-only-in-details|i|metadata is shown only by get-details
metadata-always-present|i|metadata is {} when none was supplied
metadata-also-as-meta|i|metadata is repeated as meta
metadata-size-of-compact-form|l|the size of metadata in forms is that of its compact form
image-extra-members|i|images have size, contentType and creator
image-variants-reversed|i|the variants array is in another order
image-variants-escape-slash|i|slashes of ids are escaped in delivery URLs
uploaded-seconds-precision|i|timestamps have seconds only
uploaded-microseconds|i|timestamps have microseconds
uploaded-plus-zero-offset|i|timestamps end with +00:00
uploaded-other-offset|i|timestamps have the offset +02:00
uploaded-of-ticket|i|uploaded of a direct upload is the time of the ticket
filename-basename-only|i|directories are removed from file names
url-filename-empty|i|images ingested by URL have an empty filename
url-image-delivered-later|p|images ingested by URL are delivered 0.8 s later
url-redirect-refused|p|redirects of the source URL are not followed
url-error-page-ingested|p|an image body with an error status is ingested too
upload-delivered-later|p|uploads are delivered half a second later
upload-response-delayed|p|uploads answer after 0.6 s
location-header-on-upload|0|an upload answers with a Location header
custom-id-uuid-refused|p|custom ids in the form of a UUID are refused
custom-id-with-private-refused|p|uploads with id and requireSignedURLs true are refused
custom-id-max-255|p|custom ids above 255 characters are refused
deleted-id-not-reusable|p|the id of a deleted image is refused
failed-upload-uses-ticket|d|a failed upload uses up the ticket
upload-url-query-token|t|the token of an upload URL is in its query
upload-url-long|t|the token of an upload URL has 80 characters
ticket-extra-members|t|a ticket shows its expiry
svg-accepted|w|SVG is accepted
webp-refused|w|WebP is refused
png-checked-late|x|a damaged PNG is accepted and its delivery answers 502
variant-result-wrapped|p|a variant is wrapped as result.variant
variant-list-as-map|p|variants are listed as a map
variant-list-wrapped|p|variants are listed as result.variants array
variant-list-sorted|p|variants are listed by name
variant-delete-returns-variant|p|deletion of a variant answers the variant
variant-never-signed-omitted-when-false|v|neverRequireSignedURLs is omitted when false
variant-extra-members|v|variants have a created member
variant-never-signed-text-accepted|v|neverRequireSignedURLs may be text
variant-size-string-accepted|v|width and height may be digits in a string
variant-options-strict|p|all four options are required at creation
variant-size-max-2000|v|width and height above 2000 are refused
variant-id-alphanumeric-only|v|variant names must be alphanumeric
variant-count-limit-100|v|at most 100 variants
variant-update-takes-effect-later|p|an updated variant is delivered up to 0.7 s later
default-variant-undeletable|p|the variant public cannot be deleted
no-default-variant|v|an account starts without variants
several-default-variants|v|an account starts with three variants
config-result-null|p|the config update answers result null
config-result-empty|p|the config update answers an empty object
config-missing-member-accepted|p|a config update without flexible_variants is accepted
trailing-slash-redirect|u|a path with trailing slash answers 308
trailing-slash-refused|u|a path with trailing slash answers 404
delivery-path-prefix|w|delivery URLs have a path before the account hash
delivery-redirects-to-version|0|delivery redirects once to a versioned URL
delivery-without-etag|0|no ETag on delivery
delivery-weak-etag|0|delivery has weak ETags
delivery-etag-per-variant|0|equal bytes of two variants have different ETags
delivery-ignores-conditions|0|If-None-Match is ignored
delivery-last-modified|0|delivery has Last-Modified
delivery-cache-control-long|0|delivery has a long max-age
delivery-without-cache-control|0|delivery has no Cache-Control
delivery-ranges|0|delivery supports ranges
delivery-accept-ranges-none|0|delivery sends Accept-Ranges: none
delivery-cors|0|CORS header on delivery
delivery-content-disposition|0|delivery sends Content-Disposition: inline
delivery-csp-header|0|delivery sends a Content-Security-Policy
delivery-errors-plain-text|w|delivery failures are plain text
delivery-errors-no-store|0|delivery failures are not cacheable
delivery-delete-takes-effect-later|p|a deleted image is delivered for 0.6 s more
delivery-small-contain-not-enlarged|v|fit contain does not enlarge
pad-transparent|v|fit pad fills with transparent pixels
png-delivered-rgba|w|resized PNGs always have an alpha channel
png-uncompressed|w|resized PNGs are stored without compression
'''
VIOL = '''
success-is-string|e|success is the string "true"
success-missing-on-delete|p|image deletion has no success member
success-missing-on-batch-delete|b|batch deletion has no success member
success-missing-on-delete-404|e|a 404 of a deletion has no success member
success-false-on-variant-update|e|a successful variant update has success false
success-true-on-404|e|get-details of an unknown image has success true
success-true-on-batch-failure|e|failures of the batch host have success true
result-missing-on-direct-upload|e|the ticket is under data instead of result
envelope-missing-on-batch-list|b|the batch list is not in an envelope
envelope-missing-on-upload-host|p|the upload host answers without an envelope
errors-empty-on-401|x|the errors array of a 401 is empty
errors-missing-on-413|x|a 413 has no errors array
errors-missing-on-config|x|a refused config update has no errors array
errors-object-on-variant-create|e|errors is an object when a variant is refused
errors-strings-on-upload-host|e|errors are strings on the upload host
error-code-string-on-404|e|code is a string in 404 answers
error-code-string-on-batch|e|code is a string on the batch host
error-message-missing-on-variant|e|no message when a variant is not found
error-message-null-on-403|e|message is null in 403 answers
plain-text-on-variant-404|p|an unknown variant answers plain text
html-401-on-batch|p|a 401 of the batch host is an HTML page
html-413-on-upload-host|p|a 413 of the upload host is an HTML page
json-content-type-html-on-list|0|the list has Content-Type text/html
json-content-type-text-on-upload-host|0|the upload host sends JSON as text/plain
json-body-latin1|j|JSON is encoded in Latin-1
direct-invalid-answers-200|x|a refused ticket request has status 200
metadata-invalid-answers-200|x|refused metadata has status 200
url-failure-answers-200|x|a failed ingestion by URL has status 200
invalid-is-422|x|invalid requests answer 422 instead of 400
delete-answers-204|p|image deletion answers 204 without envelope
http-date-missing|0|no Date header
http-date-not-imf|0|Date is not in HTTP date form
http-missing-host-accepted|1|an HTTP/1.1 request without Host is accepted
http-absolute-form-refused|1|a target in absolute form is refused
http-chunked-request-body-cut|1|only the first chunk of a chunked request is read
http-content-length-in-characters|1|Content-Length counts characters and the body is cut
http-chunked-to-http10|1|an HTTP/1.0 client gets a chunked body
http-connection-close-ignored|1|Connection: close of a request is ignored
http-head-with-body-on-api|0|HEAD on the API has a body
http-head-with-body-on-delivery|0|HEAD on the delivery host has a body
http-304-with-body|0|a 304 has a body
http-401-without-challenge|0|a 401 has no WWW-Authenticate
http-405-without-allow|0|a 405 has no Allow
http-header-name-case-sensitive|0|only Authorization in exactly this case is read
http-auth-scheme-case-sensitive|0|only the scheme Bearer in exactly this case is read
auth-any-scheme-accepted|a|the token is accepted with any scheme
auth-token-prefix-suffices|a|eight leading characters of a token suffice
auth-token-suffix-ignored|a|characters after the token are ignored
auth-token-case-insensitive|a|tokens are compared without case
auth-missing-is-400|x|a missing token answers 400
auth-invalid-is-403|x|an invalid token answers 403
auth-limited-is-401|x|a token without permission answers 401
auth-401-upload-still-stores|x|an upload refused with 401 is stored
auth-401-delete-still-deletes|x|a deletion refused with 401 is done
auth-403-delete-still-deletes|x|a deletion refused with 403 is done
auth-403-variant-still-created|x|a variant refused with 403 is created
auth-403-variant-still-updated|x|a variant update refused with 403 is done
api-accepts-batch-token|a|the API accepts a batch token
batch-accepts-api-token|a|the batch host accepts an API token
batch-accepts-any-token|a|the batch host accepts any token
batch-list-ignores-page|b|the batch list ignores page
batch-list-ignores-per-page|b|the batch list ignores per_page
batch-default-per-page-20|b|the batch list defaults to 20 per page
batch-per-page-over-100-accepted|b|the batch list accepts per_page above 100
batch-list-result-bare-array|b|the batch list result is a bare array
batch-list-omits-api-uploads|b|the batch list omits images uploaded through the API
batch-list-other-account|w|the batch list includes images of another account
batch-delete-does-nothing|b|batch deletion deletes nothing
batch-delete-unknown-answers-200|b|batch deletion of an unknown image succeeds
batch-delete-crosses-accounts|w|batch deletion deletes images of another account
batch-file-and-url-accepted|b|the batch host accepts file and url together
multipart-quoted-boundary-refused|m|a quoted boundary is not understood
multipart-preamble-refused|m|a preamble before the first boundary is refused
multipart-media-type-case-sensitive|0|Multipart/Form-Data is refused
multipart-part-header-case-sensitive|m|content-disposition in lower case is not understood
multipart-fields-after-file-ignored|m|fields after the file part are ignored
bytes-line-feeds-normalised|p|CRLF inside a file becomes LF
bytes-cut-at-crlf-dashes|m|a file is cut at CRLF followed by two dashes
bytes-trailing-whitespace-trimmed|p|white space at the end of a file is removed
bytes-damaged-on-batch|b|a byte of files above 4096 bytes is changed on the batch host
upload-file-and-url-accepted|p|file and url together are accepted
upload-file-and-url-stored-though-refused|p|file and url together are refused but the image is stored
upload-without-file-accepted|p|an upload without file and url is accepted
upload-file-part-any-name|p|a file part named image is accepted
upload-concurrent-mixup|p|overlapping uploads store the bytes of the later one
upload-response-private-shown-public|i|the upload answer always has requireSignedURLs false
upload-id-ignored|p|the custom id is ignored on file uploads
upload-id-ignored-on-url|p|the custom id is ignored on ingestion by URL
upload-id-ignored-on-batch|b|the custom id is ignored on the batch host
upload-id-lowercased|p|custom ids are lower-cased
upload-id-truncated-at-64|p|custom ids are cut at 64 characters
upload-id-directory-dropped|p|only the part after the last slash of a custom id is kept
upload-id-percent-decoded|p|custom ids are percent-decoded
upload-id-plus-to-space|p|a plus in a custom id becomes a space
upload-id-non-ascii-dropped|p|non-ASCII characters of a custom id are dropped
upload-id-extension-dropped|p|.png or similar at the end of a custom id is dropped
upload-id-spaces-to-dashes|p|spaces in a custom id become dashes
duplicate-refused-but-replaced|x|an upload under an id in use is refused but replaces the bytes
duplicate-refused-but-metadata-changed|x|an upload under an id in use is refused but replaces the metadata
signed-false-read-as-true|p|the text false counts as true
signed-ignored-on-url|p|requireSignedURLs is ignored on ingestion by URL
signed-ignored-on-batch|b|requireSignedURLs is ignored on the batch host
signed-false-in-list|i|the list always shows requireSignedURLs false
signed-inverted-in-details|i|get-details shows requireSignedURLs inverted
signed-string-on-upload|i|requireSignedURLs is a string in the upload answer
signed-integer-in-list|i|requireSignedURLs is 0 or 1 in the list
signed-missing-when-false|i|requireSignedURLs is missing when false
uploaded-missing-on-upload|p|the upload answer has no uploaded
uploaded-epoch-in-details|i|uploaded is a number in get-details
uploaded-epoch-on-batch|i|uploaded is a number on the batch host
uploaded-http-date-in-list|i|uploaded is an HTTP date in the list
uploaded-is-time-of-reading|i|uploaded in get-details is the time of reading
uploaded-shifted-in-list|i|uploaded in the list is two hours later
filename-mojibake|m|UTF-8 file names are read as Latin-1
filename-cut-at-semicolon|m|file names are cut at a semicolon
filename-lowercased-in-list|i|file names are lower-cased in the list
filename-missing-in-list|p|the list has no filename
filename-missing-on-batch|b|the batch host shows no filename
filename-null-in-details|i|filename is null in get-details
filename-truncated-at-32|i|file names are cut at 32 characters
filename-non-ascii-dropped|i|non-ASCII characters of file names are dropped
filename-lost-on-direct-upload|d|the file name of a direct upload is lost
metadata-limit-1000|l|metadata above 1000 bytes is refused
metadata-limit-exclusive|l|metadata of exactly 1024 bytes is refused
metadata-limit-plus-one|l|metadata of 1025 bytes is accepted
metadata-limit-2048|l|metadata up to 2048 bytes is accepted
metadata-limit-counts-characters|l|the limit of metadata counts characters
metadata-unlimited-on-url|l|the size of metadata is not checked on ingestion by URL
metadata-unlimited-on-batch|l|the size of metadata is not checked on the batch host
metadata-unlimited-on-direct-upload|l|the size of metadata is not checked for tickets
metadata-oversize-silently-dropped|l|too large metadata is dropped instead of refused
metadata-refused-but-stored|x|an upload refused for its metadata is stored
metadata-array-accepted|p|metadata may be an array
metadata-string-accepted|p|metadata may be a JSON string
metadata-invalid-json-ignored|p|metadata that is no JSON is ignored
metadata-nested-stringified|i|nested metadata comes back as text
metadata-numbers-to-strings|i|numbers in metadata become strings
metadata-booleans-to-integers|i|booleans in metadata become integers
metadata-nulls-dropped|i|null members of metadata are dropped
metadata-empty-strings-dropped|i|empty strings in metadata are dropped
metadata-keys-lowercased|i|names in metadata are lower-cased
metadata-big-integers-lose-precision|i|integers above 2^53 in metadata are rounded
metadata-astral-characters-lost|i|characters outside the BMP in metadata are lost
metadata-strings-trimmed|i|strings in metadata are trimmed
metadata-html-escaped|i|strings in metadata are HTML-escaped
metadata-arrays-emptied-of-objects|i|objects within arrays of metadata are dropped
metadata-dotted-keys-expanded|i|dotted names in metadata become nested objects
metadata-lost-on-url|p|metadata is lost on ingestion by URL
metadata-lost-on-batch|b|metadata is lost on the batch host
metadata-lost-when-private|p|metadata of private images is lost
metadata-lost-at-completion|p|metadata of a ticket is lost when the upload is completed
metadata-missing-in-details|i|get-details never shows metadata
metadata-as-text-in-details|i|metadata is a string in get-details
metadata-of-previous-upload|i|an image without metadata shows that of an earlier image
metadata-other-images-in-list|i|the list shows the latest metadata at every image with metadata
size-limit-exclusive|x|a file of exactly the maximum size is refused
size-limit-64-more|x|files up to 64 bytes above the maximum are accepted
size-answers-400|x|a too large file answers 400
size-unchecked-on-url|x|the file size is not checked on ingestion by URL
size-unchecked-on-direct-upload|x|the file size is not checked on the upload host
size-unchecked-on-batch|x|the file size is not checked on the batch host
size-refused-but-stored|x|a file refused with 413 is stored
url-unsupported-protocol-accepted|x|a URL with unsupported protocol gives an image
url-unsupported-protocol-code-5400|x|an unsupported protocol has code 5400
url-unsupported-protocol-code-5408|x|an unsupported protocol has code 5408
url-unsupported-protocol-is-500|x|an unsupported protocol answers 500
url-failure-leaves-record|x|a failed ingestion with custom id leaves an image
url-query-dropped|p|the query of the source URL is dropped
url-percent-decoded|p|the source URL is percent-decoded before use
url-lowercased|p|the source URL is lower-cased
url-first-fetch-cached|p|a second ingestion from a URL stores the bytes of the first
url-truncated-at-64k|p|files ingested by URL are cut at 64 KiB
direct-url-reusable|t|the upload URL can be used again
direct-reuse-refused-but-replaced|t|the second upload is refused but replaces the image
direct-concurrent-double-use|t|two simultaneous uploads to one URL both succeed
direct-expiry-ignored|l|the expiry of a ticket is ignored
direct-expired-refused-but-stored|l|an upload after the expiry is refused but stored
direct-expiry-unlimited|l|an expiry of more than 6 hours is accepted
direct-expiry-limit-seven-hours|l|an expiry up to 7 hours is accepted
direct-expiry-limit-five-hours|l|an expiry above 5 hours is refused
direct-expiry-limit-thirty-minutes|l|an expiry above 30 minutes is refused
direct-expiry-offset-ignored|p|the offset of expiry is ignored
direct-garbage-expiry-accepted|p|an expiry that is no timestamp is accepted
direct-default-expiry-one-second|l|a ticket without expiry lasts one second
direct-id-ignored|p|the id of a ticket request is ignored
direct-id-slash-replaced|p|slashes in the id of a ticket request are replaced
direct-id-with-private-accepted|p|id together with requireSignedURLs true is accepted
direct-id-with-false-signed-refused|p|id together with requireSignedURLs false is refused
direct-refused-but-draft-created|p|a refused ticket request with id and requireSignedURLs true creates a draft
direct-signed-ignored|p|requireSignedURLs of a ticket request is ignored
direct-private-forgotten-at-completion|p|a private ticket gives a public image
direct-metadata-ignored|p|metadata of a ticket request is ignored
direct-ticket-id-differs|t|the ticket shows another id than the image has
direct-completed-under-new-id|t|the completed image has another id than the ticket
direct-image-in-other-account|w|the completed image is stored in another account
direct-tickets-mixed-up|t|an upload completes the latest open ticket
direct-upload-url-lower-key|t|the member is named uploadUrl
direct-answers-empty-result|e|the upload host answers an empty result and the doc envelope says the shape is that of the operation
upload-url-relative|t|uploadURL is a relative reference
upload-url-on-api-host|t|uploadURL is on the API host, where it does not work
direct-upload-demands-token|a|the upload host demands an API token
direct-upload-file-part-any-name|d|the upload host accepts a file part with any name
direct-draft-stays-true|s|draft stays true after completion
direct-failed-upload-completes-draft|s|a failed upload sets draft to false
direct-get-burns-ticket|0|a GET of the upload URL uses it up
draft-always-false|s|draft is false before completion
draft-omitted-when-false|i|get-details omits draft when false
draft-string|i|draft is a string
draft-true-for-url-images|s|images ingested by URL have draft true
draft-true-for-private-images|s|private images have draft true
draft-not-readable|s|get-details of a draft answers 404
list-default-per-page-50|l|per_page defaults to 50
list-default-per-page-99|l|per_page defaults to 99
list-per-page-100-refused|l|per_page 100 is refused
list-per-page-over-100-accepted|l|more than 100 images per page are given
list-page-zero-based|p|page counts from zero
list-page-overlaps-by-one|p|a page repeats the last image of the one before
list-page-skips-one|p|one image is lost between two pages
list-third-page-repeats-second|p|page 3 is page 2 again
list-page-two-ignores-per-page|p|per_page is ignored after page 1
list-per-page-one-returns-two|p|per_page 1 gives two images
list-per-page-off-by-one-above-ten|p|a per_page above 10 gives one image less
list-last-partial-page-loses-one|p|the last image of an incomplete last page is lost
list-page-ignored-without-per-page|p|page is ignored unless per_page is given
list-huge-page-500|x|a page above a million answers 500
list-beyond-end-repeats-last|p|a page after the end repeats the last images
list-order-unstable|p|the order changes at every request, so pages repeat and skip
list-drops-same-filename|p|images with equal file names appear once
list-images-null-when-empty|p|images is null when there are none
list-result-bare-array|p|the list result is a bare array
list-omits-private|p|private images are not listed
list-omits-ids-with-slash|p|images with a slash in their id are not listed
list-omits-url-images|p|images ingested by URL are not listed
list-omits-direct-uploads|p|images of direct uploads are not listed
list-omits-batch-uploads|p|images uploaded on the batch host are not listed
list-omits-oldest-after-delete|p|after a deletion the oldest image is not listed
list-includes-other-account|w|images of another account are listed
list-includes-deleted|p|deleted images are listed
list-stale-two-seconds|p|the list is cached for two seconds
list-stale-after-delete|p|the list is cached until the next upload
id-percent-encoded-in-list|i|ids are percent-encoded in the list
get-unknown-answers-200-null|x|an unknown image answers 200 with null
get-unknown-is-400|x|an unknown image answers 400
get-unknown-is-500|x|an unknown image answers 500
get-case-insensitive-id|p|ids are compared without case
get-prefix-matches|p|the beginning of an id finds the image
get-slash-id-404|p|ids with a slash are not found
get-unicode-id-404|p|ids with non-ASCII characters are not found
get-dot-id-cut|p|ids are cut at the last dot when reading
get-deleted-still-answers|p|deleted images are still readable
get-finds-other-account|w|images of another account are readable
image-path-percent-not-decoded|u|percent-escapes of an id in a path are not decoded
image-path-double-decoded|u|ids in a path are decoded twice
image-path-plus-as-space|u|a plus in a path counts as a space
image-variants-frozen-at-upload|i|variants lists only those which existed at upload
image-variants-keep-deleted|i|variants keeps deleted ones
image-variants-only-first|i|variants has only the first variant
image-variants-only-public-in-list|i|variants in the list has only the first variant
image-variants-skip-never-signed|i|variants omits those with neverRequireSignedURLs
image-variants-missing-in-list|p|the list has no variants
image-variants-map-in-details|i|variants is a map in get-details
image-variants-string-when-one|i|variants is a string when there is one
image-variants-relative|i|variants are paths without host
image-variants-unescaped|u|ids in delivery URLs are not escaped
image-variants-account-id-for-hash|w|delivery URLs have the account id for the hash
image-variants-hash-of-other-account|w|delivery URLs in the list have the hash of another account
image-variants-of-previous-image|i|delivery URLs in the list are those of the image before
image-variants-id-and-name-swapped|w|delivery URLs have variant name and image id swapped
delete-does-nothing|p|image deletion deletes nothing
delete-private-does-nothing|p|private images are not deleted
delete-draft-does-nothing|p|drafts are not deleted
delete-url-image-does-nothing|p|images ingested by URL are not deleted
delete-slash-id-404|p|images with a slash in the id cannot be deleted
delete-unknown-answers-200|x|deletion of an unknown image succeeds
delete-second-answers-200|x|a second deletion succeeds
delete-unknown-is-500|x|deletion of an unknown image answers 500
delete-also-deletes-prefixed|p|images whose id begins with the deleted one are deleted too
delete-also-in-other-account|w|the image of the same id in another account is deleted too
delete-case-twin-too|p|images whose id differs in case only are deleted too
delete-removes-newest|p|the newest image is deleted instead
reupload-keeps-old-metadata|i|an image uploaded again under a deleted id has the old metadata
reupload-keeps-old-timestamp|i|an image uploaded again under a deleted id has the old timestamp
reupload-keeps-old-privacy|i|an image uploaded again under a deleted id has the old requireSignedURLs
variant-unknown-fit-accepted|v|an unknown fit is accepted
variant-unknown-metadata-accepted|v|an unknown metadata option is accepted
variant-update-fit-unchecked|v|an unknown fit is accepted in an update
variant-update-metadata-unchecked|v|an unknown metadata option is accepted in an update
variant-size-fraction-accepted|v|a width of 10.5 is accepted
variant-fit-pad-refused|v|fit pad is refused
variant-metadata-copyright-refused|v|metadata copyright is refused
variant-crop-stored-as-cover|v|fit crop is stored as cover
variant-metadata-always-none|v|the metadata option of a new variant is ignored
variant-never-signed-ignored|v|neverRequireSignedURLs of a new variant is ignored
variant-size-swapped|v|width and height of a new variant are swapped
variant-swapped-size-in-list|v|width and height are swapped in the variant list
variant-width-string|v|width is a string in answers
variant-never-signed-string|v|neverRequireSignedURLs is a string in answers
variant-never-signed-false-in-list|v|neverRequireSignedURLs is always false in the variant list
variant-metadata-missing-in-details|v|one variant is shown without options.metadata
variant-id-lowercased|v|variant names are lower-cased
variant-id-case-insensitive|u|variant names in paths are compared without case
variant-without-id-accepted|p|a variant without id is accepted
variant-refused-but-created|x|a variant with invalid options is refused but created
variant-duplicate-refused-but-changed|x|a second creation is refused but changes the variant
variant-shared-between-accounts|w|a new variant appears in every account
variant-recreated-with-old-options|p|a variant created again has the options it had before
variant-recreated-keeps-public-flag|p|a variant created again has the old neverRequireSignedURLs
variant-list-misses-newest|p|the variant list misses the newest
variant-list-at-most-ten|p|the variant list has at most ten
variant-list-includes-deleted|p|the variant list has deleted ones
variant-list-shows-old-options|p|the variant list shows the options from before the updates
variant-details-show-old-options|p|one variant shows the options from before the updates
variant-unknown-answers-first|x|an unknown variant name answers the first variant
variant-deleted-still-readable|p|a deleted variant is still readable
variant-update-not-stored|p|an update is answered but not stored
variant-second-update-not-stored|p|a second update is answered but not stored
variant-update-answers-old-options|p|an update answers the old options
variant-update-resets-other-fields|p|an update resets fit and drops the fields not named
variant-update-resets-metadata|p|an update resets options.metadata
variant-update-resets-height|p|an update of width drops height
variant-update-resets-never-signed|p|an update of options resets neverRequireSignedURLs
variant-update-first-field-only|p|an update changes only the first field
variant-update-ignores-fit|p|an update ignores fit
variant-update-ignores-metadata|p|an update ignores metadata
variant-update-smaller-only|p|an update cannot raise width
variant-update-applied-before-check|x|a refused update has changed width
variant-update-creates-unknown|x|an update of an unknown variant creates it
variant-update-in-both-accounts|w|an update changes the same variant of another account
variant-concurrent-updates-lost|p|of two simultaneous updates of different fields one is lost
variant-delete-does-nothing|p|deletion of a variant deletes nothing
variant-delete-unknown-answers-200|x|deletion of an unknown variant succeeds
variant-delete-also-prefixed|p|variants whose name begins with the deleted one are deleted too
variant-delete-in-both-accounts|w|the variant of the same name in another account is deleted too
variant-delete-deletes-private-images|p|deletion of a variant deletes private images
config-string-accepted|c|flexible_variants may be a string
config-answers-old-value|c|the config update answers the value from before
config-not-stored|c|the config update has no effect on delivery
config-cannot-be-switched-off|c|flexible variants cannot be switched off
config-refused-but-applied|x|a refused config update is applied
config-applies-to-all-accounts|w|the config update affects every account
flexible-works-when-off|c|dynamic transformations are served when switched off
flexible-opens-private|i|dynamic transformations serve private images
delivery-any-hash-accepted|w|any account hash serves the image
delivery-account-id-accepted-as-hash|w|the account id serves as account hash
delivery-hash-case-insensitive|u|the account hash is compared without case
delivery-looks-in-all-accounts|w|the hash of another account serves the image
delivery-id-case-insensitive|u|image ids are compared without case on delivery
delivery-slash-id-404|w|images with a slash in the id are not delivered
delivery-percent-not-decoded|u|percent-escapes are not decoded on delivery
delivery-plus-as-space|u|a plus in a delivery path counts as a space
delivery-dot-id-cut|w|ids are cut at the first dot on delivery
delivery-survives-delete|p|a deleted image is still delivered
delivery-survives-batch-delete|b|an image deleted on the batch host is still delivered
delivery-survives-delete-when-seen|p|a deleted image is still delivered if it was before
delivery-of-draft-answers-200|s|a draft is delivered as an empty body
delivery-of-draft-is-500|x|delivery of a draft answers 500
delivery-variant-case-insensitive|u|variant names are compared without case on delivery
delivery-deleted-variant-works|p|deleted variants still deliver
delivery-variant-of-other-account|w|variants of another account deliver
delivery-unknown-variant-answers-original|x|an unknown variant delivers the original
delivery-unknown-variant-answers-first|x|an unknown variant delivers the first variant
delivery-never-signed-still-refused|v|a variant with neverRequireSignedURLs refuses private images
delivery-private-open|i|private images are delivered without signature
delivery-private-open-with-any-sig|i|any sig parameter opens private images
delivery-private-open-with-any-authorization|i|any Authorization header opens private images
delivery-private-url-image-open|i|private images ingested by URL are open
delivery-private-batch-image-open|i|private images of the batch host are open
delivery-private-direct-image-open|i|private images of direct uploads are open
delivery-private-head-open|i|HEAD of private images is answered
delivery-private-conditional-open|i|conditional requests open private images
delivery-private-open-after-public-variant|i|a private image is open once a public variant of it was delivered
delivery-private-slash-id-open|i|private images with a slash in the id are open
delivery-private-default-variant-open|i|the variant public opens private images
delivery-public-needs-signature|i|public images of direct uploads are refused
delivery-wrong-image-on-second-read|w|a second read delivers the latest image
delivery-stale-after-variant-update|p|an updated variant delivers as before
delivery-cache-ignores-variant|w|all variants of an image deliver what was delivered first
delivery-cache-ignores-account|w|images of the same id in two accounts are mixed up
delivery-cache-survives-reupload|w|an image uploaded again under a deleted id delivers the old bytes
delivery-cache-ignores-case|w|images whose ids differ in case only are mixed up
delivery-cache-ignores-height|v|variants which differ in height only are mixed up
delivery-etag-same-for-all-variants|0|all variants of an image have the same ETag
delivery-etag-constant|0|all images have the same ETag
delivery-any-etag-matches|0|any If-None-Match answers 304
delivery-type-octet-stream|0|delivery has Content-Type application/octet-stream
delivery-type-always-jpeg|0|delivery has always Content-Type image/jpeg
delivery-type-from-filename|0|the Content-Type of delivery follows the file name, not the bytes
delivery-head-type-differs|0|HEAD has another Content-Type than GET
delivery-head-404|0|HEAD on the delivery host answers 404
delivery-truncated-at-64k|w|delivered bodies are cut at 64 KiB
delivery-body-base64|w|delivered bodies are base64 text
delivery-range-off-by-one|0|range answers lack their last byte
delivery-keeps-metadata-on-none|v|metadata none keeps metadata of the file
delivery-jpeg-keeps-metadata|v|metadata none keeps EXIF in JPEG files
delivery-webp-keeps-metadata|v|metadata none keeps EXIF in WebP files
delivery-strips-metadata-on-keep|v|metadata keep strips metadata
delivery-strips-copyright|v|metadata copyright strips the copyright
delivery-copyright-keeps-everything|v|metadata copyright keeps all metadata
delivery-gif-cut-short|w|delivered GIFs lack their last byte
delivery-original-bytes-always|v|variants deliver the original
delivery-width-ignored|v|width is ignored
delivery-height-ignored|v|height is ignored
delivery-height-ignored-when-wide|v|height is ignored for wide images
delivery-width-one-too-large|v|resized images are one pixel wider than width
delivery-height-one-too-large|v|resized images are one pixel higher than height
delivery-exact-size-enlarged|v|an image of exactly the maximum size becomes one pixel wider
delivery-scale-down-enlarges|v|fit scale-down enlarges small images
delivery-aspect-ratio-lost|v|scale-down and contain lose the aspect ratio
delivery-alpha-lost|w|transparency is lost
delivery-alpha-on-black|w|translucent pixels become black
delivery-palette-transparency-lost|w|transparency of palette images is lost
delivery-channels-swapped|w|red and blue are swapped
delivery-mirrored|w|images are mirrored
delivery-last-row-black|w|the last row of pixels is black
delivery-grey-inverted|w|grey images are inverted
delivery-interlaced-garbled|w|interlaced PNGs are garbled
'''
def rows(t, k):
    for l in t.strip().split('\n'):
        n, w, d = l.split('|'); yield n, k, W[w], d[0].upper() + d[1:] + '.'
ALL = list(rows(CHOICE, 'choice')) + list(rows(VIOL, 'violation'))
for pre, ops, txt in (('auth-missing-accepted-on-', 'list details delete variants config direct-upload', 'A request without token is accepted for: %s.'),
        ('auth-limited-accepted-on-', 'list details upload delete direct-upload variant-create variant-update variant-delete config', 'A token without the permission for images is accepted for: %s.'),
        ('auth-foreign-token-accepted-on-', 'list details delete upload variants config variant-update', 'The token of another account is accepted for: %s.'),
        ('batch-missing-token-accepted-on-', 'list delete upload', 'The batch host accepts without token: %s.')):
    for o in ops.split(): ALL.append((pre + o, 'violation', 'Authentication', txt % o))
ALL = [r for r in ALL if r[0] != 'direct-answers-empty-result']
NAMES = {r[0] for r in ALL}
assert len(NAMES) == len(ALL)
def listing(): return [dict(name=n, kind=k, where=w, does=d) for n, k, w, d in ALL]
