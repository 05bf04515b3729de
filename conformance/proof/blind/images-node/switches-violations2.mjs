// Faults of tickets, variants, the batch host, authentication, errors and delivery. One line each: name | where | does.
export const moreViolations = `
ticket-id-with-private-accepted | Endpoints | A ticket with an id and requireSignedURLs true is issued.
ticket-id-with-private-drops-flag | Endpoints | A ticket with an id and requireSignedURLs true is issued for a public image.
refused-ticket-leaves-draft | Endpoints | A ticket refused for id and requireSignedURLs leaves a draft that takes the id.
ticket-custom-id-ignored | Image | The custom id of a ticket is ignored.
ticket-metadata-dropped | Image | The metadata of a ticket is dropped at once.
completion-forgets-metadata | Image | The metadata of a ticket is lost when the upload is completed.
completion-forgets-private | Image | requireSignedURLs of a ticket is lost when the upload is completed.
completion-changes-id | Upload ticket (direct creator upload result) | The image of a ticket without custom id gets another id when it is completed.
uploader-chooses-id | Upload ticket (direct creator upload result) | A field id in the form of the end user replaces the id of the ticket.
uploader-chooses-private | Endpoints | A field requireSignedURLs in the form of the end user replaces that of the ticket.
ticket-private-text-accepted | Endpoints | A ticket takes requireSignedURLs as the text true or false.
ticket-metadata-text-accepted | Endpoints | A ticket takes metadata as a text of JSON.
expiry-number-accepted | Endpoints | A ticket takes a number of seconds or milliseconds as expiry.
expiry-offset-ignored | Endpoints | The offset of an expiry is ignored, as if the time were UTC.
expiry-cut-to-minute | Endpoints | The seconds of an expiry are dropped.
expiry-ignored | Endpoints | A given expiry is checked but the ticket lasts 30 minutes.
expiry-maximum-24-hours | Limits | An expiry up to 24 hours away is accepted.
expiry-maximum-five-hours | Limits | An expiry more than 5 hours away is refused.
default-expiry-four-seconds | Limits | A ticket without expiry lasts 4 seconds.
expiry-not-checked-at-upload | Limits | An upload URL works after its expiry.
reading-draft-extends-ticket | Limits | Each reading of the details of a draft makes its ticket last 10 seconds longer.
upload-url-reusable | Authentication | An upload URL works again and replaces the image.
upload-url-race | Authentication | Two uploads at the same time both succeed at one upload URL.
looking-at-url-uses-it-up | Completing a direct creator upload | A GET of an upload URL uses it up.
upload-any-part-name | Completing a direct creator upload | A file part of any name is accepted at an upload URL.
upload-host-wants-token | Authentication | An upload URL wants an API token.
upload-host-size-unchecked | Errors | An upload URL takes files of any size.
upload-too-large-400 | Errors | A file that is too large is answered with 400 at an upload URL.
chunked-size-unchecked | Errors | Files in a request without Content-Length may have any size.
batch-size-unchecked | Errors | The batch host takes files of any size.
ingest-size-unchecked | Errors | Files from a url may have any size.
size-limit-one-less | Errors | A file of exactly the largest size is refused.
too-large-file-stored | Errors | A file refused as too large is stored all the same.
unsupported-protocol-5400 | Errors | A url of an unsupported protocol is refused with the code 5400.
unsupported-protocol-500 | Errors | A url of an unsupported protocol is answered with 500.
bad-json-500 | Errors | A body that is not JSON is answered with 500.
bad-escape-500 | Errors | A path with a wrong percent-encoding is answered with 500.
unknown-variant-400 | Errors | An unknown variant is answered with 400.
broken-image-500 | Errors | A stored PNG that cannot be transformed is answered with 500.
config-error-200 | Errors | A wrong value for the configuration is answered with status 200 and success false.
missing-permission-401 | Errors | A token without the permission for images is answered with 401.
unknown-image-404-before-401 | Errors | Without a token, the details of an unknown image are answered with 404.
fit-unchecked-on-create | Variant | A variant is created with any text as fit.
fit-unchecked-on-update | Variant | A variant is updated with any text as fit.
fit-crop-refused | Variant | The fit crop is refused.
fit-pad-refused-on-update | Variant | The fit pad is refused when a variant is updated.
fit-any-case | Variant | fit is accepted in upper case.
metadata-option-unchecked | Variant | Any text is accepted as options.metadata.
metadata-option-update-unchecked | Variant | Any text is accepted as options.metadata when a variant is updated.
width-text-accepted | Variant | Digits in a text are accepted as width or height.
fraction-sizes-rounded | Variant | A width or height with a fraction is rounded instead of refused.
update-sizes-unchecked | Variant | An update accepts any number as width or height.
never-flag-text-accepted | Variant | neverRequireSignedURLs is accepted as the text true or false.
never-flag-default-true | Variant | A variant created without neverRequireSignedURLs has it true.
never-flag-lost-on-create | Variant | neverRequireSignedURLs true is lost when a variant is created.
never-flag-not-obeyed | Variant | A variant with neverRequireSignedURLs true still refuses private images.
refused-variant-created | Endpoints | A variant refused for its options is created with other options.
recreated-variant-has-old-options | Endpoints | A variant created again after its deletion has its old options.
variant-list-misses-first | Endpoints | The list of variants leaves out the oldest one when there are several.
variant-list-shows-ten | Endpoints | The list of variants shows ten at most.
variant-list-before-update | Endpoints | The list of variants shows the options from before the first update.
variant-names-any-case | Variant | Variants are found by their name in any case of letters, so two names differing in case clash.
variants-shared-by-accounts | Endpoints | All accounts share one set of variants.
deleted-variant-still-read | Endpoints | A deleted variant can still be read.
deleted-variant-still-delivers | What the service does | A deleted variant still delivers images.
variant-deletion-takes-images | Endpoints | Deleting a variant deletes the images uploaded after it was created.
updating-nothing-creates | Errors | An update of an unknown variant creates it.
refused-update-half-applied | Endpoints | An update refused for another field still changes the width.
update-resets-other-options | Endpoints | An update sets fit and metadata back to defaults when they are not given.
update-resets-never-flag | Endpoints | An update without neverRequireSignedURLs sets it to false.
update-keeps-proportion | Endpoints | An update of the width alone changes the height in proportion.
update-ignores-height | Endpoints | An update does not change the height.
update-ignores-metadata | Endpoints | An update does not change options.metadata.
update-answers-old-record | Endpoints | An update answers with the variant as it was before.
rendered-image-outlives-update | Endpoints | An image once delivered by a variant looks the same after the variant is updated.
config-without-field-accepted | Endpoints | A change of the configuration without flexible_variants is accepted.
config-number-accepted | Account configuration | flexible_variants is accepted as 1 or 0.
config-text-accepted | Account configuration | flexible_variants is accepted as a text.
config-false-refused | Account configuration | flexible_variants false is refused.
config-same-value-refused | Account configuration | Setting flexible_variants to the value that it has is refused.
batch-delete-only-marks | Batch host | An image deleted on the batch host is gone there but not in the API.
batch-deleting-nothing-succeeds | Batch host | Deleting an unknown image succeeds on the batch host but not in the API.
batch-lists-own-uploads-only | Batch host | The batch host lists only images uploaded there.
batch-page-ignored | Batch host | The batch host ignores page.
batch-per-page-ignored | Batch host | The batch host ignores per_page.
batch-ignores-id | Batch host | The batch host ignores custom ids.
batch-url-unsupported | Batch host | The batch host refuses uploads from a url.
batch-takes-api-token | Authentication | The batch host takes the API token.
api-takes-batch-token | Authentication | The API takes the batch token.
batch-list-without-token | Authentication | The batch host lists images without a token.
variant-list-without-token | Authentication | The list of variants needs no token.
refused-delete-still-deletes | Authentication | A deletion without a valid token is answered with 401 but done.
token-in-query-accepted | Authentication | The token is accepted in the query as token.
any-auth-scheme-accepted | Authentication | The token is accepted with any scheme.
bare-token-accepted | Authentication | The token is accepted without the word Bearer.
token-beginning-is-enough | Authentication | The beginning of a token, or a token with something after it, is accepted.
token-any-case | Authentication | A token is accepted in any case of letters.
limited-token-lists | Authentication | A token without the permission may list images.
limited-token-reads | Authentication | A token without the permission may read the details of images.
limited-token-uploads | Authentication | A token without the permission may upload images.
limited-token-deletes | Authentication | A token without the permission may delete images.
limited-token-gets-tickets | Authentication | A token without the permission may get upload tickets.
limited-token-reads-variants | Authentication | A token without the permission may list and read variants.
limited-token-updates-variants | Authentication | A token without the permission may update variants.
limited-token-configures | Authentication | A token without the permission may change the configuration.
foreign-token-reads | What the service does | The token of another account reads the details of images.
foreign-token-lists | What the service does | The token of another account lists images.
foreign-token-deletes | What the service does | The token of another account deletes images.
foreign-token-creates-variants | What the service does | The token of another account creates variants.
foreign-token-configures | What the service does | The token of another account changes the configuration.
width-and-height-swapped | Variant | Delivery takes the width as height and the height as width.
height-not-limited | Variant | With contain and scale-down, delivery does not obey the height.
portrait-limited-by-width-only | Variant | With scale-down, the height of upright images is not limited.
limits-from-256-ignored | Variant | With scale-down, a width limit of 256 or more is ignored.
one-pixel-over-the-maximum | Variant | Images shrunk to the maximum height come out one pixel higher.
cover-result-not-cut | Variant | With cover, the part outside of the maximum width and height is not cut off.
pad-border-outside | Variant | With pad, the result is two pixels wider and higher than the maximum.
scale-down-enlarges | Variant | The fit scale-down enlarges small images.
interlaced-not-resized | Variant | Interlaced PNGs are delivered in their own size.
palette-images-not-resized | Variant | PNGs with a palette are delivered in their own size.
metadata-none-keeps-texts | Variant | With metadata none, the texts of a PNG are delivered.
metadata-keep-drops-texts | Variant | With metadata keep, the texts of a PNG are dropped.
metadata-copyright-keeps-all | Variant | With metadata copyright, all texts of a PNG are delivered.
metadata-copyright-drops-all | Variant | With metadata copyright, the copyright text of a PNG is dropped.
unknown-variant-delivers-original | What the service does | A variant name that does not exist delivers the original.
any-account-hash-delivers | What the service does | Delivery works with any text in the place of the account hash.
versions-interchangeable | Versioning | The paths answer under v1 and v2 alike.
`
