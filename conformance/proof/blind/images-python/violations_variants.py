"""Violations in variants, their delivery and flexible variants."""
from switches import declare

V = "violation"
declare(V, "Variant: field table", {
    "patch-fit-unchecked": "PATCH accepts any string as fit.",
    "patch-metadata-keep-refused": "PATCH refuses metadata keep.",
    "variant-metadata-unchecked": "Any string is accepted as options.metadata.",
    "fit-crop-stored-as-cover": "fit crop is stored as cover.",
    "fractional-size-truncated": "A fractional width or height is accepted and cut to an integer.",
    "true-size-accepted": "The boolean true is accepted as a width or height of 1.",
    "create-loses-metadata-copyright": "metadata copyright is stored as none at creation.",
    "height-taken-from-width": "With fit pad the height is stored as the width.",
    "variant-name-lower-cased": "A variant name is stored in lower case.",
})
declare(V, "Endpoints 7 and 8: list of variants, one variant", {
    "variant-list-swaps-sides": "The list of variants has width and height swapped.",
    "variant-list-stale-after-patch": "The list of variants shows the options from before a PATCH.",
    "variant-list-at-most-twenty": "The list of variants stops at twenty.",
    "variant-list-hides-never-signed": "The list of variants leaves out those with neverRequireSignedURLs true.",
    "variant-read-never-always-false": "Reading one variant always shows neverRequireSignedURLs false.",
})
declare(V, "Endpoint 9: PATCH, options with the fields to change", {
    "patch-drops-other-options": "PATCH resets the options that it does not name.",
    "patch-resets-metadata": "PATCH without metadata resets metadata to none.",
    "patch-keeps-height": "PATCH with both width and height changes only the width.",
    "patch-fit-ignored": "PATCH ignores fit.",
    "patch-scales-height": "PATCH of width alone also changes height in proportion.",
    "patch-resets-never-flag": "PATCH of options resets neverRequireSignedURLs to false.",
    "patch-answers-but-not-stored-twice": "The second PATCH of a variant answers the change but does not store it.",
    "patch-creates-missing-variant": "PATCH of a missing variant creates it.",
    "first-options-delivered": "Delivery keeps using the options from before a PATCH.",
    "patched-variant-cached": "An image delivered before a PATCH is delivered in its old size after it.",
})
declare(V, "Endpoint 10: DELETE of a variant", {
    "variant-delete-keeps-patched": "Deleting a variant that was patched answers success but keeps it.",
    "variant-delete-takes-prefix": "Deleting a variant also deletes those whose names begin with its name.",
    "deleted-variant-still-delivers": "A deleted variant still delivers.",
})
declare(V, "Variant: maximum width and height in pixels; delivery through named variants", {
    "height-one-over": "An image scaled down to the height is one pixel higher than the maximum.",
    "contain-ignores-height": "contain with both sides looks only at the width.",
    "cover-not-cropped": "cover does not cut off what exceeds the box.",
    "longer-side-fitted": "scale-down with both sides lets one side exceed its maximum.",
    "pad-two-wider": "pad gives an image two pixels wider than the maximum.",
    "height-alone-ignored": "A variant with a height but no width does not resize.",
    "cache-keyed-by-size": "Two variants of one size deliver the same bytes of an image, whatever their fit.",
    "unknown-variant-delivers-original": "A variant name that does not exist delivers the original.",
})
declare(V, "Account configuration: flexible_variants enables or disables dynamic transformations", {
    "flexible-never-off": "flexible_variants false is answered but does not switch off.",
    "flexible-always-delivers": "Dynamic transformations work while switched off.",
    "flexible-reset-by-new-variant": "Creating a variant switches flexible variants off.",
})
