"""Violations of authentication, permissions and the separation of accounts."""
from switches import declare

V = "violation"
declare(V, "Authentication 1: every API request carries Authorization: Bearer <API_TOKEN>; 401", {
    "token-suffix-ignored": "A valid token followed by further characters is accepted.",
    "token-case-ignored": "The token is compared without regard to case.",
    "token-last-character-ignored": "The last character of the token is not compared.",
    "raw-token-accepted": "The header may hold the token without the scheme.",
    "any-scheme-accepted": "Another scheme than Bearer is accepted with the token.",
    "connection-remembers-token": "After one good request a connection needs no token.",
    "variant-read-without-token": "Reading one variant needs no Authorization header.",
    "empty-bearer-may-list": "Bearer with an empty token may list images.",
    "bad-token-403": "An invalid token gets 403, a missing one 401.",
})
declare(V, "Authentication 2: the API token needs the permission to edit images; 403", {
    "limited-may-get-ticket": "A token without the permission may create tickets.",
    "limited-may-delete-variant": "A token without the permission may delete variants.",
    "limited-may-patch-variant": "A token without the permission may change variants.",
    "limited-may-switch-flexible": "A token without the permission may switch flexible variants.",
    "limited-may-upload-url": "A token without the permission may upload from a URL.",
    "limited-delete-takes-effect": "Deleting an image without the permission answers 403 but deletes it.",
    "limited-token-401": "Uploading with a token without the permission gets 401, not 403.",
})
declare(V, "Authentication 4: the batch host takes a separate batch token", {
    "batch-takes-api-token": "The batch host accepts the API token.",
    "api-reads-take-batch-token": "The account API accepts the batch token for GET.",
})
declare(V, "What the service does: stores images per account", {
    "foreign-token-may-list": "Another account's token may list the account's images.",
    "foreign-token-may-delete-variant": "Another account's token may delete the account's variants.",
    "foreign-token-may-get-ticket": "Another account's token may create tickets for the account.",
    "path-account-ignored": "GET of an image or variant under a foreign account's path reads the caller's own.",
    "get-reaches-other-accounts": "Details show an image of another account under the caller's path.",
    "delete-reaches-other-accounts": "Delete removes an image of another account under the caller's path.",
    "batch-list-leaks-accounts": "The batch host's list shows the images of all accounts.",
    "variants-shared-by-accounts": "All accounts share one set of variants.",
    "flexible-shared-by-accounts": "Switching flexible variants acts on all accounts.",
    "delivery-hash-unchecked": "An image is delivered under any account hash.",
})
declare(V, "Image: requireSignedURLs true makes the image private (delivery needs signed URLs)", {
    "any-signature-accepted": "Any non-empty sig in the query opens a private image.",
    "private-batch-image-open": "Private images uploaded on the batch host are delivered unsigned.",
    "private-url-image-open": "Private images ingested from a URL are delivered unsigned.",
    "flexible-opens-private": "Private images are delivered unsigned through flexible variants.",
    "private-open-once-variants-mix": "Once some variant never requires signing, all variants deliver private images.",
    "private-open-after-never-variant": "A private image is open once a variant that never needs signing delivered it.",
    "private-open-with-api-token": "Any Authorization header opens the delivery of a private image.",
})
