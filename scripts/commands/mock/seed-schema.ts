import { z } from 'zod'
import { nearest } from '../../../conformance/target-file/nearest.ts'
import { defaultRules as hookRules } from '../../../mocks/stateful/hooks/rules.ts'
import { flags } from '../../../mocks/deliveries/events.ts'
import { defaultRules as imageRules } from '../../../mocks/stateful/images/rules.ts'
import { parseTimestamp } from '../../../mocks/stateful/images/time.ts'
import type { SeedProblem } from './seed.ts'

const timestamp = z.string().refine((text) => parseTimestamp(text) !== undefined, {
  message: 'must be an ISO 8601 timestamp between quotes, such as 2026-01-31T12:00:00Z',
})

const image = z.strictObject({
  id: z.string().refine(imageRules.isImageId, { message: 'cannot be used in a path' }),
  file: z.string().min(1).optional(),
  filename: z.string().min(1).optional(),
  metadata: z
    .record(z.string(), z.unknown())
    .refine(
      (value) => imageRules.measureMetadata(JSON.stringify(value)) <= imageRules.maxMetadataBytes,
      { message: `is larger than ${imageRules.maxMetadataBytes} bytes as JSON` },
    )
    .optional(),
  requireSignedURLs: z.boolean().optional(),
  uploaded: timestamp.transform((text) => parseTimestamp(text)).optional(),
})

/** The rules of the API say which values are valid; the messages are the same as there. */
const option = <T>(isValid: (value: unknown) => boolean, expected: string) =>
  z.custom<T>(isValid, { message: `must be ${expected}` }).optional()

const variant = z.strictObject({
  id: z.string().refine(imageRules.isVariantId, {
    message: 'must consist of letters, digits, _ and -',
  }),
  options: z
    .strictObject({
      fit: option<string>(imageRules.isFit, 'one of scale-down, contain, cover, crop and pad'),
      width: option<number>(imageRules.isDimension, 'a positive integer'),
      height: option<number>(imageRules.isDimension, 'a positive integer'),
      metadata: option<string>(imageRules.isMetadataMode, 'one of none, copyright and keep'),
    })
    .optional(),
  neverRequireSignedURLs: z.boolean().optional(),
})

const hook = z.strictObject({
  url: z.string().refine(hookRules.isUrl, { message: 'must be an absolute http or https URL' }),
  token: z
    .string()
    .refine(hookRules.isToken, { message: 'must be a string that a header can contain' })
    .optional(),
  enable_ssl_verification: z.boolean().optional(),
  ...Object.fromEntries(flags.map((flag) => [flag, z.boolean().optional()])),
})

const book = z.strictObject({
  id: z.string().regex(/^b-\d{3}$/, 'must be b- and three digits, such as b-100'),
  title: z.string().min(1),
  author: z.string().min(1),
  year: z.int().optional(),
  language: z.string().min(1).optional(),
  tags: z.array(z.string()).optional(),
  summary: z.string().optional(),
  copies: z.int().min(0).optional(),
  added_at: timestamp.optional(),
})

const seedSchema = z.strictObject({
  images: z.array(image).superRefine(requireDistinctIds).default([]),
  variants: z.array(variant).superRefine(requireDistinctIds).default([]),
  hooks: z.array(hook).default([]),
  books: z.array(book).superRefine(requireDistinctIds).default([]),
})

function requireDistinctIds(items: { id: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [index, { id }] of items.entries()) {
    if (seen.has(id))
      context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is used twice' })
    seen.add(id)
  }
}

/** The keys of the file, and of each item of its lists. */
const knownKeys: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(seedSchema.shape),
  images: Object.keys(image.shape),
  variants: Object.keys(variant.shape),
  'variants options': Object.keys(variant.shape.options.unwrap().shape),
  hooks: Object.keys(hook.shape),
  books: Object.keys(book.shape),
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a map of keys and values',
  record: 'a map of keys and values',
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
}

/** Says what is wrong, as a phrase that follows the name of the key. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type')
    return issue.input === undefined
      ? 'is missing'
      : `must be ${typeNames[issue.expected] ?? issue.expected}`
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`
  // The schema has the messages of all other mistakes.
  return undefined
}

/** Validates the content of a seed file. Returns it, or what is wrong with it. */
export function checkSeed(value: unknown): {
  seed: z.infer<typeof seedSchema> | undefined
  problems: SeedProblem[]
} {
  const parsed = seedSchema.safeParse(value, { error: describeIssue })
  return parsed.success
    ? { seed: parsed.data, problems: [] }
    : {
        seed: undefined,
        problems: parsed.error.issues.flatMap((issue): SeedProblem[] =>
          issue.code === 'unrecognized_keys'
            ? issue.keys.map((key) => describeUnknownKey(issue.path, key))
            : [{ path: issue.path, message: issue.message }],
        ),
      }
}

function describeUnknownKey(path: readonly PropertyKey[], key: string): SeedProblem {
  const known = knownKeys[path.filter((step) => typeof step === 'string').join(' ')] ?? []
  const similar = nearest(key, known)
  return {
    path,
    key,
    message: `has the unknown key ${key}.${similar === undefined ? '' : ` Did you mean ${similar}?`} Known: ${known.join(', ')}`,
  }
}
