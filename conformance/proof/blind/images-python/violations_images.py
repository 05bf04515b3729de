"""Violations in upload, tickets, reading, listing and deleting of images."""
from switches import declare

V = "violation"
declare(V, "Response envelope: success, result, errors (code integer, message string)", {
    "variant-404-code-string": "The error code of a missing variant is a string.",
    "ticket-error-message-null": "Errors of ticket creation have message null.",
    "batch-errors-object": "On the batch host errors is an object, not an array.",
    "malformed-json-plain-text": "Malformed JSON in a PATCH gets plain text, not the envelope.",
    "forbidden-without-errors": "A 403 has no errors array.",
    "variant-delete-404-success-true": "Deleting a missing variant answers 404 with success true.",
    "config-result-missing": "Switching flexible variants answers success without a result.",
    "delete-result-missing": "Deleting an image answers success without a result.",
})
declare(V, "Errors: HTTP status and code table", {
    "bad-metadata-200": "Metadata that is no JSON gets an error envelope with status 200.",
    "batch-oversize-400": "A too large file on the batch host gets 400, not 413.",
    "upload-url-oversize-400": "A too large file on an upload URL gets 400, not 413.",
    "unsupported-protocol-5400": "An ftp URL gets code 5400, not 5454.",
    "variant-create-201": "Creating a variant answers 201, not 200.",
    "transformation-error-500": "A transformation that fails gets 500, not 502.",
})
declare(V, "Image: field table", {
    "list-uploaded-http-date": "uploaded in the list is an HTTP date, not ISO 8601.",
    "url-upload-filename-null": "filename of an ingested image is null, not a string.",
    "list-signed-as-string": "requireSignedURLs in the list is a string.",
    "list-signed-always-false": "requireSignedURLs in the list is always false.",
    "variant-links-frozen-at-upload": "variants has only the variants that existed at the upload.",
    "variant-links-keep-deleted": "variants keeps the URLs of deleted variants.",
    "variant-links-at-most-ten": "variants has at most ten URLs.",
    "list-links-swap-parts": "In the list the delivery URLs have variant name and image id swapped.",
    "draft-links-empty-after-upload": "A completed direct upload has no delivery URLs.",
    "draft-absent-after-plain-upload": "Details of an image not from a ticket have no draft.",
})
declare(V, "States: draft = true while the upload is not completed, draft = false when stored", {
    "draft-false-when-private": "A draft with requireSignedURLs true shows draft false.",
    "draft-false-with-metadata": "A draft with metadata shows draft false.",
    "custom-ticket-stays-draft": "An image from a ticket with a custom id stays draft after the upload.",
})
declare(V, "Limits: metadata size at most 1024 bytes", {
    "metadata-limit-in-characters": "The metadata limit counts characters, not bytes.",
    "metadata-limit-1025": "Metadata of 1025 bytes is accepted.",
    "metadata-limit-1023": "Metadata of exactly 1024 bytes is refused.",
    "ticket-metadata-unlimited": "Metadata of a ticket has no limit.",
    "url-upload-metadata-unlimited": "Metadata of an ingestion by URL has no limit.",
    "batch-metadata-unlimited": "Metadata of a batch upload has no limit.",
})
declare(V, "Image: metadata, JSON object, supplied at upload or ticket creation", {
    "metadata-array-accepted": "A JSON array is accepted and stored as metadata.",
    "metadata-falsy-members-dropped": "Members of metadata that are 0, false or empty are lost.",
    "metadata-null-members-dropped": "Members of metadata with value null are lost.",
    "metadata-numbers-as-strings": "Numbers in uploaded metadata come back as strings.",
    "metadata-nested-as-text": "Objects inside metadata come back as JSON text.",
    "metadata-unicode-mangled": "Non-ASCII text in uploaded metadata comes back as mojibake.",
    "metadata-leaks-to-next-upload": "An upload without metadata gets that of the account's previous upload.",
    "bad-metadata-dropped-with-url": "With url, metadata that is no JSON is silently dropped.",
    "ticket-metadata-lost": "The ticket's metadata is lost when the upload completes.",
    "ticket-metadata-text-accepted": "A ticket's metadata may be a string, and is stored as one.",
})
declare(V, "Endpoint 1: fields file, url, id, requireSignedURLs", {
    "url-upload-ignores-signed": "requireSignedURLs is ignored when the image comes from a URL.",
    "custom-upload-ignores-signed": "requireSignedURLs is ignored when a custom id is given.",
    "form-false-reads-true": "requireSignedURLs=false in the form is read as true.",
    "batch-takes-file-and-url": "The batch host accepts file and url together.",
    "url-before-file-accepted": "file and url together are accepted when url is the first of them.",
    "id-alone-accepted": "An upload with an id but neither file nor url stores an image.",
    "custom-id-lower-cased": "A custom id is stored in lower case.",
    "custom-id-cut-at-64": "A custom id is cut at 64 characters.",
    "url-upload-ignores-id": "A custom id is ignored when the image comes from a URL.",
    "batch-ignores-custom-id": "The batch host ignores a custom id.",
    "quoted-boundary-refused": "A multipart boundary in quotes (RFC 2046) is refused.",
    "part-header-case-matters": "A part whose header is written content-disposition is not recognised.",
    "url-fetch-cached": "Ingesting a URL again gives the bytes of the first time.",
    "url-query-dropped": "The query of the URL is dropped at ingestion.",
})
declare(V, "Endpoint 2: JSON body of the ticket", {
    "malformed-ticket-json-accepted": "A ticket body that is no JSON counts as an empty object.",
    "bad-expiry-ignored": "An expiry that is no timestamp is silently replaced by the default.",
    "expiry-fraction-refused": "An ISO 8601 expiry with a fraction of a second is refused.",
    "expiry-offset-ignored": "The zone offset of expiry is ignored and its clock time taken as UTC.",
    "ticket-signed-text-truthy": "The string false as requireSignedURLs counts as true.",
    "id-with-signed-accepted-if-expiry": "id with requireSignedURLs true is accepted when expiry is also given.",
    "id-with-signed-drops-signed": "id with requireSignedURLs true is accepted as if it were false.",
    "id-with-signed-false-refused": "id with requireSignedURLs false is refused.",
    "ticket-signed-lost": "The ticket's requireSignedURLs is lost when the upload completes.",
})
declare(V, "Limits: direct upload ticket expiry maximum 6 hours", {
    "expiry-limit-24-hours": "An expiry up to 24 hours away is accepted.",
    "expiry-whole-days-ignored": "The 6 hours are checked on the part below a day, so 25 hours pass.",
    "expiry-five-hours-at-most": "An expiry between 5 and 6 hours away is refused.",
    "expiry-not-enforced": "The upload URL works after the ticket's expiry.",
})
declare(V, "Completing a direct creator upload; the upload URL is one-time", {
    "upload-url-works-twice": "The upload URL works a second time.",
    "upload-url-reusable-for-a-second": "The upload URL works again within a second of its use.",
    "upload-url-race": "Two uploads at the same time to one upload URL both succeed.",
    "used-url-revives-deleted-image": "A used upload URL works again once its image was deleted.",
    "upload-url-any-part-name": "A file part with another name than file is accepted.",
    "open-tickets-mixed-up": "With several open tickets the file goes to the newest one's image.",
    "ticket-id-lower-cased-on-upload": "Completing the upload changes the image's id to lower case.",
})
declare(V, "Endpoint 3: list; page default 1, per_page default 100, max 100", {
    "batch-page-ignored": "The batch host's list ignores page.",
    "batch-per-page-unbounded": "The batch host's list takes any per_page.",
    "per-page-101-accepted": "per_page 101 is accepted and served.",
    "per-page-default-50": "Without per_page a list has 50 images.",
    "list-pages-overlap": "From page 2 on a page begins with the last image of the page before.",
    "list-later-pages-skip-one": "From page 3 on the first image of a page is skipped.",
    "list-partial-page-dropped": "A last page that is not full is empty, unless it is the first.",
    "list-hides-private": "The list leaves out private images.",
    "list-hides-completed-tickets": "The list leaves out images from direct creator uploads.",
})
declare(V, "Errors: 400 invalid request, 413 file too large (a refused request has no effect)", {
    "refused-metadata-still-stores": "An upload refused for too large metadata stores the image all the same.",
    "oversize-413-still-stores": "A file refused with 413 is stored all the same.",
    "refused-ticket-leaves-draft": "A ticket refused for id with requireSignedURLs true leaves a draft behind.",
    "refused-upload-ends-draft": "A post without a file part to the upload URL is refused but sets draft false.",
    "refused-patch-applies-sizes": "A PATCH refused for its fit still changes width and height.",
})
declare(V, "Endpoints 4 and 5: read and delete", {
    "plus-in-id-is-blank": "A plus sign in the path's image id is read as a blank.",
    "encoded-id-not-decoded": "An image id with percent-encoding in the path is not found.",
    "private-delete-does-nothing": "Deleting a private image answers success but keeps it.",
    "draft-delete-does-nothing": "Deleting a draft answers success but keeps it.",
    "delete-takes-prefix-ids": "Deleting an image also deletes those whose ids begin with its id.",
    "list-keeps-batch-deleted": "An image deleted on the batch host stays in the list.",
    "delivered-image-survives-delete": "A deleted image is still delivered through variants that delivered it before.",
    "id-reuse-delivers-old-bytes": "After delete and a new upload with the same id the old bytes are delivered.",
})
