// Behaviour that the document leaves open. One line each: name | where | does.
export const choices = `
errors-array-on-success | Response envelope | Successful answers carry an empty errors array as well.
messages-array | Response envelope | Every envelope has a further field messages with an empty array.
result-null-on-failure | Response envelope | Failures carry result with the value null.
error-documentation-link | Response envelope | Error objects have a further field documentation_url.
one-code-for-all-errors | Errors | Every failure without a code of its own has the code 5400, whatever its status.
pretty-printed-json | Endpoints | Envelopes are printed with indentation and line breaks.
json-charset-parameter | Endpoints | The content type of envelopes has the parameter charset=utf-8.
request-id-header | Endpoints | Every envelope comes with a header x-request-id.
no-store-on-answers | Endpoints | Every envelope comes with cache-control: no-store.
generated-id-hex | Image | Generated image ids are 32 hexadecimal digits instead of UUIDs.
generated-id-short | Image | Generated image ids are 12 characters of base64url, upper and lower case.
uploaded-microseconds | Image | The field uploaded has six digits after the second.
uploaded-whole-seconds | Image | The field uploaded has no fraction of a second.
uploaded-with-offset | Image | The field uploaded ends with +00:00 instead of Z.
ticket-image-uploaded-at-ticket | Image | The field uploaded of a direct creator upload is the time of its ticket.
draft-in-every-record | Image | The field draft is in upload results and in lists too.
draft-without-variants | Image | A draft has an empty variants array until its upload is completed.
metadata-in-upload-result | Image | The result of an upload shows the metadata too.
metadata-in-list | Image | Lists show the metadata of each image too.
empty-metadata-object | Image | An image without metadata shows metadata as an empty object.
size-in-record | Image | Records of stored images have a further field size in bytes.
filename-without-folders | Image | A folder in front of the sent file name is cut off.
unnamed-file-takes-id | Image | A file sent without a file name gets the id as its filename.
custom-id-without-slash | Image | A custom id with a slash is refused.
custom-id-at-most-200-bytes | Image | A custom id of more than 200 bytes is refused.
custom-id-no-uuid | Image | A custom id that looks like a UUID is refused.
taken-id-is-replaced | Image | An upload with the id of an existing image replaces that image instead of being refused.
deleted-id-stays-taken | Image | The id of a deleted image cannot be used again.
private-custom-id-refused | Image | A plain upload with a custom id and requireSignedURLs true is refused.
public-variant-at-start | Variant | Each account has a variant called public from the start.
variant-options-have-defaults | Variant | Options left out when a variant is created get default values instead of a refusal.
variant-names-letters-digits | Variant | Variant names may have letters and digits only.
variant-names-at-most-99 | Variant | Variant names of more than 99 characters are refused.
variant-name-original-reserved | Variant | The variant name original is reserved and refused.
variant-sizes-at-most-9999 | Variant | Widths and heights above 9999 are refused.
variant-size-zero-free | Variant | A width or height of 0 is accepted and means no limit.
same-variant-is-replaced | Variant | Creating a variant of an existing name replaces it.
variant-record-wrapped | Variant | Single variants are shown as result.variant instead of result itself.
variant-list-as-map | Variant | The list of variants is an object with the names as keys.
variant-list-sorted | Variant | The list of variants is sorted by name.
variant-false-flag-omitted | Variant | neverRequireSignedURLs is left out of variant records when it is false.
variant-create-result-empty | Endpoints | Creating a variant answers with an empty result object.
variant-delete-returns-record | Endpoints | Deleting a variant answers with the deleted record.
delete-returns-id | Endpoints | Deleting an image answers with its id in result.
update-needs-options | Endpoints | A variant update without options is refused even when it has neverRequireSignedURLs.
update-ignores-never-flag | Endpoints | neverRequireSignedURLs in a variant update is ignored.
update-without-change-refused | Endpoints | A variant update with an empty options object is refused.
config-answers-nothing-special | Account configuration | A change of the configuration answers with an empty result object.
ticket-shows-expiry | Upload ticket (direct creator upload result) | The ticket has a further field expiry.
ticket-key-in-query | Upload ticket (direct creator upload result) | The upload URL has its secret in the query instead of the path.
expired-draft-is-gone | States and transitions | A draft whose ticket has expired is answered with 404.
drafts-in-list | States and transitions | Drafts are listed together with the stored images.
list-newest-first | Endpoints | Lists begin with the newest image.
list-by-id | Endpoints | Lists are sorted by image id.
total-count-in-list | Endpoints | The result of a list has a further field total_count.
page-facts-in-list | Endpoints | The result of a list has the further fields page and per_page.
per-page-clamped | Limits | A per_page above 100 is treated as 100 instead of being refused.
bad-page-values-ignored | Endpoints | page and per_page values that are no positive numbers are treated as absent.
per-page-zero-empty | Endpoints | per_page 0 is accepted and gives an empty page.
unknown-query-refused | Endpoints | Unknown query parameters of the list are refused.
unknown-fields-refused | Endpoints | Unknown fields of JSON bodies and forms are refused.
null-fields-are-absent | Endpoints | Fields of JSON bodies with the value null are treated as absent.
json-content-type-required | Endpoints | JSON bodies without the content type application/json are refused.
empty-ticket-body-refused | Endpoints | A ticket request without any body is refused.
empty-url-is-absent | Endpoints | An empty url field of a form is treated as absent.
empty-id-is-absent | Endpoints | An empty id field of a form is treated as absent.
repeated-fields-first-wins | Endpoints | Of a repeated form field the first value is taken instead of refusing the form.
form-boolean-digits | Endpoints | requireSignedURLs of a form may be 1 or 0 as well.
form-boolean-any-case | Endpoints | requireSignedURLs of a form may be True or FALSE as well.
metadata-measured-compact | Limits | The size of metadata in a form is measured without insignificant spaces.
any-file-accepted | Endpoints | Files of unknown formats are stored; their delivery is a transformation error.
svg-refused | Endpoints | SVG files are refused.
file-without-name-refused | Endpoints | A file part without a file name is refused.
data-url-accepted | Endpoints | data: URLs are accepted as the url of an upload.
ingest-redirects-refused | Endpoints | An upload from a URL that redirects is refused.
ingest-404-is-404 | Endpoints | An upload from a URL that answers 404 is answered with 404 itself.
ingest-takes-error-pages | Endpoints | An image sent by the url together with an error status is stored all the same.
ingest-name-from-disposition | Endpoints | The file name comes from the Content-Disposition header of the url when there is one.
ingest-name-after-redirect | Endpoints | The file name comes from the address after redirects.
unreachable-url-500 | Errors | A url that cannot be reached is answered with 500.
slow-url-code-5400 | Errors | A url that takes too long is refused with the code 5400 instead of 5408.
trailing-slash-ignored | Endpoints | A slash at the end of an API path makes no difference.
unknown-path-404-before-token | Authentication | Unknown paths are answered with 404 before the token is looked at.
scheme-case-matters | Authentication | The word Bearer must be written exactly so.
foreign-account-404 | Errors | A valid token at the path of another account is answered with 404.
too-large-closes-connection | Errors | After a 413 the connection is closed.
deleting-nothing-succeeds | Errors | Deleting an unknown image succeeds.
second-delete-succeeds | Errors | Deleting an image a second time succeeds, an id that never existed is answered with 404.
deleting-no-variant-succeeds | Errors | Deleting an unknown variant succeeds.
expiry-needs-zone | Limits | An expiry without a time zone is refused.
expiry-at-least-two-minutes | Limits | An expiry less than two minutes away is refused.
past-expiry-accepted | Limits | An expiry in the past is accepted; the upload URL is dead from the start.
long-expiry-shortened | Limits | An expiry more than 6 hours away is shortened to 6 hours instead of refused.
used-url-404 | Completing a direct creator upload | A used upload URL is answered with 404 instead of 400.
expired-url-404 | Completing a direct creator upload | An expired upload URL is answered with 404 instead of 400.
refused-upload-uses-up-url | Completing a direct creator upload | Any POST uses an upload URL up, even one that is refused.
too-large-uses-up-url | Completing a direct creator upload | A file that is too large uses the upload URL up.
completion-answers-id-only | Completing a direct creator upload | The result of a direct creator upload has the id only.
upload-host-rejects-foreign-header | Completing a direct creator upload | An upload URL refuses requests that carry an Authorization header.
upload-host-allows-any-origin | Completing a direct creator upload | Successful uploads to an upload URL allow every origin (CORS).
private-image-401 | Image | Unsigned delivery of a private image is answered with 401.
private-image-404 | Image | Unsigned delivery of a private image is answered with 404.
dynamic-off-403 | Account configuration | A dynamic transformation is answered with 403 while flexible variants are off.
delivery-errors-as-text | What the service does | Errors of delivery are plain text instead of the envelope.
delivery-may-be-cached | What the service does | Delivered images may be cached for a minute.
delivery-names-the-file | What the service does | Delivered images carry their file name in Content-Disposition.
delivery-forbids-sniffing | What the service does | Delivered images carry x-content-type-options: nosniff.
delivery-entity-tags | What the service does | Delivered images have an ETag, and If-None-Match is answered with 304.
broken-image-delivered-as-is | Errors | A stored PNG that cannot be decoded is delivered as it is.
contain-never-enlarges | Variant | The fit contain never enlarges an image.
crop-enlarges | Variant | The fit crop enlarges small images.
pad-is-transparent | Variant | The fit pad fills with transparent pixels instead of white ones.
nearest-pixel-scaling | Variant | Images are scaled by the nearest pixel instead of by averages.
sizes-rounded-down | Variant | Computed widths and heights are rounded down instead of to the nearest number.
`
