// Faults of the envelope, of images, of uploads and of lists. One line each: name | where | does.
export const violations = `
image-delete-without-result | Response envelope | Deleting an image answers without result.
variant-delete-result-text | Response envelope | Deleting a variant answers with a text as result instead of an object.
empty-page-success-false | Response envelope | A page without images has success false.
batch-upload-bare-image | Batch host | An upload to the batch host answers with the bare image instead of the envelope.
batch-list-bare-array | Batch host | The list of the batch host has the array itself as result.
not-found-code-text | Response envelope | The code of errors with status 404 is a text instead of an integer.
variant-error-without-message | Response envelope | The error for an unknown variant has no message.
too-large-errors-object | Response envelope | errors of a 413 is one object instead of an array.
batch-401-without-errors | Response envelope | A 401 of the batch host has no errors.
forbidden-success-true | Response envelope | A 403 has success true.
unknown-path-plain-text | Endpoints | Unknown paths are answered with HTML instead of the envelope.
bad-json-html | Endpoints | A body that is not JSON is answered with HTML instead of the envelope.
same-content-same-id | Image | The generated id depends on the content, so uploading the same file again replaces the first image.
custom-id-lowercased | Image | A custom id of an upload is stored in lower case.
custom-id-cut-at-64 | Image | A custom id is cut after 64 characters.
custom-id-read-as-latin1 | Image | A custom id in a form is read as Latin-1, so other letters come out wrong.
url-upload-ignores-id | Image | A custom id is ignored when the image comes from a url.
image-id-any-case | Errors | An image is found by its id in any case of letters.
image-id-prefix-found | Errors | An image is found by the first four or more characters of its id.
filename-read-as-latin1 | Image | A file name that is not ASCII comes out wrong, read as Latin-1.
list-filename-is-id | Image | Lists show the id as the filename of images with a custom id.
uploaded-is-time-of-reading | Image | The details show the time of the request as uploaded.
list-uploaded-number | Image | Lists show uploaded as a number of seconds.
form-false-is-true | Image | requireSignedURLs false in a form makes the image private.
url-upload-forgets-private | Image | requireSignedURLs is forgotten when the image comes from a url.
batch-forgets-private | Image | requireSignedURLs is forgotten in uploads to the batch host.
list-always-public-flag | Image | Lists show requireSignedURLs false for every image.
private-served-unsigned | Image | Private images are delivered without a signature.
private-batch-images-served | Image | Private images uploaded through the batch host are delivered without a signature.
private-ticket-images-served | Image | Private images of direct creator uploads are delivered without a signature.
private-served-by-newer-variants | Image | Variants created after the upload deliver a private image without a signature.
any-signature-accepted | Image | Any query parameter sig or signature opens a private image.
private-open-after-open-variant | Image | Once a variant that never needs signatures was fetched, all variants of the image are open.
private-head-answered | Image | HEAD of a private image is answered with 200.
image-variants-fixed-at-upload | Image | The variants of an image are those that existed when it was uploaded.
image-keeps-deleted-variants | Image | Deleted variants stay in the variants array of images.
list-first-variant-only | Image | Lists show the first variant of each image only.
variant-url-with-account-id | What the service does | Delivery URLs contain the account id instead of the hash and do not work.
variant-url-id-unescaped | Image | Ids are put into delivery URLs without percent-encoding.
variant-url-parts-swapped | What the service does | Delivery URLs of images with a custom id have variant and image id swapped.
url-upload-without-variants | Endpoints | The result of an upload from a url has no variants.
private-details-without-variants | Endpoints | The details of a private image have no variants.
batch-list-without-filename | Batch host | The list of the batch host has no filename.
batch-upload-without-uploaded | Batch host | The result of an upload to the batch host has no uploaded.
draft-field-only-when-true | Image | The details of a stored image have no draft.
draft-reported-false | States and transitions | The details of a draft have draft false.
custom-id-draft-stays | States and transitions | With a custom id, draft stays true after the direct creator upload is completed.
draft-as-number | Image | draft is 0 or 1 instead of a boolean.
draft-details-404 | States and transitions | The details of a draft are answered with 404.
second-upload-makes-draft | States and transitions | A second, refused POST to a used upload URL makes the image a draft again.
refused-upload-ends-draft | States and transitions | A refused file at an upload URL still turns draft to false.
completed-tickets-not-listed | Endpoints | Images of direct creator uploads are never listed.
private-images-not-listed | Endpoints | Private images are not listed.
metadata-shown-as-text | Image | The metadata of an uploaded file is shown as a text instead of an object.
nested-metadata-flattened | Image | Objects and arrays inside metadata are turned into texts.
metadata-inherited-after-deletion | Image | A new image without metadata has that of a deleted image with the same id.
url-upload-forgets-metadata | Image | Metadata is forgotten when the image comes from a url.
metadata-limit-in-characters | Limits | The size of metadata is counted in characters instead of bytes.
metadata-limit-1023 | Limits | Metadata of exactly 1024 bytes is refused.
metadata-limit-2048 | Limits | An upload to the API takes metadata up to 2048 bytes.
ticket-metadata-limit-missing | Limits | Tickets take metadata of any size.
batch-metadata-limit-missing | Limits | The batch host takes metadata of any size.
metadata-array-accepted | Endpoints | A JSON array is accepted as the metadata of a form.
metadata-null-accepted | Endpoints | The JSON value null is accepted as the metadata of a form.
bad-metadata-stores-image | Endpoints | An upload refused for its metadata stores the image all the same.
file-wins-over-url | Endpoints | file and url together are accepted; the file is taken.
batch-file-and-url-accepted | Endpoints | The batch host accepts file and url together.
file-and-url-stored-anyway | Endpoints | file and url together are refused, but the file is stored.
upload-without-image-accepted | Endpoints | An upload without file and url stores an empty picture.
url-fetched-at-delivery | Endpoints | An image from a url is fetched again from there at each delivery.
ingest-query-dropped | Endpoints | The query of the url is dropped when the image is fetched.
failed-ingest-leaves-image | Endpoints | An upload refused because its url failed leaves an image in the list.
fields-after-file-ignored | Endpoints | Form fields that come after the file are ignored.
trailing-line-break-trimmed | Endpoints | Line breaks at the end of a file are cut off.
boundary-inside-line-splits | RFC 2046 section 5.1.1 | The boundary inside a line of the file is taken for the end of the part.
quoted-boundary-misread | RFC 2046 section 5.1.1 | A boundary parameter in quotes is not understood.
custom-id-upload-201 | Errors | An upload with a custom id is answered with 201.
variant-create-201 | Errors | Creating a variant is answered with 201.
variant-delete-204 | Endpoints | Deleting a variant is answered with 204 and no body.
per-page-unbounded | Limits | A per_page above 100 gives that many images.
per-page-default-50 | Limits | Without per_page a page has 50 images.
per-page-100-refused | Limits | per_page 100 is refused.
page-counted-from-zero | Limits | A given page is counted from zero, so page 1 is the second one.
next-page-repeats-one | Endpoints | Every page after the first begins with the last image of the page before.
next-page-skips-one | Endpoints | Every page after the first leaves out one image.
short-last-page-empty | Endpoints | A last page that is not full comes out empty, unless it is the first.
page-past-end-repeats-last | Endpoints | A page past the end shows the last page again.
bad-page-500 | Errors | A page that is no positive number is answered with 500.
list-shows-all-accounts | What the service does | Lists show the images of all accounts.
deleted-details-still-there | What the service does | The details of a deleted image can still be read.
deleted-image-still-delivered | What the service does | A deleted image is still delivered.
old-content-for-same-id | What the service does | An id used again after deletion delivers the old content.
delete-takes-prefix-too | Endpoints | Deleting an image deletes all images whose ids begin with its id.
delete-reaches-other-account | What the service does | Deleting an image deletes the image of the same id of another account.
unknown-image-delete-500 | Errors | Deleting an unknown image is answered with 500.
`
