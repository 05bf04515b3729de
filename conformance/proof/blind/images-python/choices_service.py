"""Choices about images, tickets and variants that the document leaves open."""
from switches import declare

declare("choice", "Image", {
    "id-long-token": "Generated ids are 64 URL-safe characters, not UUIDs.",
    "id-numeric": "Generated ids are strings of decimal digits.",
    "uploaded-offset-zone": "uploaded has the offset +02:00 in place of Z.",
    "uploaded-whole-seconds": "uploaded has no fraction of a second.",
    "uploaded-basic-form": "uploaded is in the ISO 8601 basic form, 20240131T101500Z.",
    "uploaded-nanoseconds": "uploaded has nine digits of fraction.",
    "metadata-absent-when-none": "An image without metadata has no metadata member.",
    "metadata-everywhere": "metadata is also in the results of upload and list.",
    "metadata-sorted": "metadata comes back with its keys sorted.",
    "metadata-size-compact": "The 1024 bytes are counted on the compact form of metadata, not on the text as sent.",
    "extra-image-members": "Image records have further members: creator, size and meta.",
    "variant-links-newest-first": "variants lists the URL of the newest variant first.",
    "links-keep-slashes": "Delivery URLs hold the slashes of a custom id unescaped.",
    "file-names-cleaned": "Blanks in file names become underscores.",
    "url-filename-whole-url": "An ingested image's filename is the whole URL.",
})
declare("choice", "Endpoints", {
    "any-bytes-accepted": "A file that is no known image format is stored all the same.",
    "broken-png-refused-at-upload": "A PNG that cannot be decoded is refused with 400 at upload.",
    "custom-id-no-slash": "A custom id with a slash is refused with 400.",
    "custom-id-not-uuid": "A custom id that is a UUID is refused with 400.",
    "empty-id-means-none": "An empty id field counts as absent, so that an id is generated.",
    "taken-id-overwrites": "An upload with a taken custom id replaces the image.",
    "lenient-form-booleans": "requireSignedURLs in the form may also be 1, 0, yes, no or TRUE.",
    "extra-form-fields-refused": "An unknown form field is refused with 400.",
    "unknown-members-refused": "An unknown member of a ticket body or of options is refused with 400.",
    "json-type-required": "A ticket body without a JSON content type is refused with 400.",
    "json-null-means-absent": "A null member of the ticket body counts as absent.",
    "json-boolean-strings-accepted": "The ticket's requireSignedURLs may be the string true or false.",
    "empty-ticket-body-accepted": "A ticket request without a body counts as an empty object.",
    "ticket-id-number-accepted": "A ticket's id may be a number and is taken as its digits.",
    "url-redirects-refused": "Ingestion does not follow redirects and refuses such a URL with 400.",
    "new-image-listed-later": "A new image enters the list only about 0.4 seconds after its upload.",
    "list-newest-first": "The list begins with the newest image.",
    "list-by-id": "The list is sorted by id.",
    "list-includes-drafts": "The list has drafts too.",
    "list-extra-counts": "The list result has total_count, page and per_page.",
    "bad-page-ignored": "A page or per_page that is no number counts as absent.",
    "page-zero-is-default": "page or per_page 0 counts as absent.",
    "delete-names-id": "DELETE answers the id of what it deleted.",
})
declare("choice", "Limits", {
    "per-page-clamped": "A per_page above 100 is served as 100.",
    "expiry-clamped": "An expiry beyond 6 hours is cut to 6 hours, not refused.",
    "expiry-at-least-two-minutes": "An expiry less than two minutes away is refused with 400.",
    "past-expiry-gives-dead-ticket": "An expiry in the past gives a ticket that has already expired.",
})
declare("choice", "States and transitions", {
    "expired-draft-vanishes": "The draft of an expired ticket answers 404 in place of draft true.",
    "uploaded-is-ticket-time": "uploaded of a direct creator upload is the time of the ticket.",
})
declare("choice", "Upload ticket (direct creator upload result)", {
    "upload-url-with-query": "uploadURL carries its secret in the query.",
    "upload-url-result-id-only": "A completed direct upload answers only the id.",
    "upload-url-spent-by-failure": "A failed attempt uses up the one-time URL.",
    "ticket-extra-members": "The ticket has a further member expiry.",
})
declare("choice", "Variant", {
    "public-variant-built-in": "Every account starts with a variant named public.",
    "variant-result-nested": "A single variant comes as result.variant.",
    "variant-list-keyed": "The list of variants is an object keyed by name.",
    "variant-create-answers-id-only": "Creating a variant answers only its id.",
    "variant-defaults-hidden": "Options that were not sent are absent from the record.",
    "variant-false-flag-omitted": "neverRequireSignedURLs is absent from the record when false.",
    "variant-options-reordered": "The members of options come in another order.",
    "variant-name-alphanumeric": "A variant name with anything but ASCII letters and digits is refused with 400.",
    "variant-options-all-required": "A variant without all of fit, width, height and metadata is refused with 400.",
    "taken-variant-overwrites": "Creating a variant with a taken name replaces it.",
    "digit-text-size-accepted": "width and height may be strings of digits.",
    "integral-float-size-accepted": "width and height may be written as 100.0.",
    "fit-case-ignored": "fit may be written in any case and is stored in lower case.",
    "delivery-always-re-encoded": "A PNG is encoded anew even when its size does not change.",
    "unresized-keeps-text": "A PNG that needs no resizing keeps its text chunks under metadata none.",
    "pad-transparent": "pad fills with transparency in place of white.",
    "never-enlarges": "contain, cover and pad never enlarge or fill up a small image.",
    "size-rounded-to-nearest": "scale-down rounds the other side to the nearest pixel in place of down.",
})
declare("choice", "Account configuration", {
    "config-text-accepted": "flexible_variants may be the string true or false.",
    "config-number-accepted": "flexible_variants may be 1 or 0.",
    "config-result-empty": "Switching flexible variants answers an empty result.",
})
