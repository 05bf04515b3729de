"""Choices about HTTP, the envelope and statuses that the document leaves open."""
from switches import declare

declare("choice", "RFC 9112", {
    "chunked-replies": "Bodies are sent with Transfer-Encoding chunked in place of Content-Length.",
    "closes-connections": "The server closes the connection after every response.",
    "lower-case-headers": "Response header names are written in lower case.",
    "no-reason-phrase": "The status line has an empty reason phrase.",
    "oversize-closes-early": "A far too large upload gets 413 from its Content-Length, unread, and the connection closes.",
    "wrong-method-404": "A known path with a method that it does not have answers 404, not 405.",
})
declare("choice", "Response envelope", {
    "json-charset": "Content-Type is application/json; charset=utf-8.",
    "json-raw-utf8": "JSON is written as raw UTF-8 in place of \\u escapes.",
    "json-pretty": "JSON is indented over several lines.",
    "empty-errors-on-success": "A success also carries errors and messages as empty arrays.",
    "null-result-on-failure": "A failure also carries result null and messages as an empty array.",
    "envelope-result-first": "The envelope's result comes before success.",
    "error-extra-members": "Error objects have further members beside code and message.",
    "two-errors": "A failure lists two errors, the specific one first.",
})
declare("choice", "Errors", {
    "unknown-path-404-before-auth": "An unknown path or method is answered before the token is looked at.",
    "foreign-account-404": "A valid token on an account it has no access to gets 404.",
    "foreign-account-401": "A valid token on an account it is not valid for gets 401.",
    "taken-id-409": "A custom image id that is taken gets 409.",
    "taken-variant-409": "A variant name that is taken gets 409.",
    "used-url-404": "A used upload URL answers 404.",
    "used-url-409": "A used upload URL answers 409.",
    "used-url-403": "A used upload URL answers 403.",
    "expired-url-410": "An expired upload URL answers 410.",
    "expired-url-5408": "An expired upload URL answers 400 with code 5408.",
    "failed-fetch-404": "An ingestion URL that cannot be read gets 404.",
    "burst-rate-limit": "More than 60 API requests of an account within a second get 429 with Retry-After.",
    "private-401": "An unsigned URL of a private image gets 401.",
    "private-404": "An unsigned URL of a private image gets 404.",
    "flexible-off-404": "A dynamic transformation while the switch is off gets 404.",
    "flexible-off-400": "A dynamic transformation while the switch is off gets 400.",
    "delivery-errors-text": "Delivery errors are plain text, not the envelope.",
})
declare("choice", "What the service does", {
    "delivery-redirects": "A delivery URL answers 302 to the address that holds the bytes.",
    "delivery-etag": "Delivery sends ETag and answers 304 to a matching If-None-Match.",
    "delivery-type-octets": "Delivered images have Content-Type application/octet-stream.",
    "delivery-starts-later": "A new image is delivered only about 0.4 seconds after its upload.",
})
