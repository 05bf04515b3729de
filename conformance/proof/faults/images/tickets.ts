import type { ImagesFault } from './fault.ts'
import { countHit } from '../../../../mocks/kit/kit.ts'
import { failure } from '../../../../mocks/stateful/images.ts'
import {
  fault,
  isObject,
  onJson,
  onRequest,
  onResult,
  onStored,
  refuse,
  replaceRules,
  resultOf,
} from './building.ts'

const at = 'createDirectUpload'

/** Refuses a body without an optional member. */
const requireMember = (name: string): ImagesFault['make'] =>
  onRequest((call, next, hit) => {
    const readJson = call.json.bind(call)
    call.json = async () => {
      const body = await readJson()
      return isObject(body ?? {}) &&
        (body as Record<string, unknown> | undefined)?.[name] === undefined
        ? refuse(`${name} is missing`, hit)
        : body
    }
    return next()
  }, at)

/** Accepts metadata that is not an object, and converts it into one. */
const acceptMetadata = (
  isAccepted: (value: unknown) => boolean,
  convert: (value: unknown) => unknown,
): ImagesFault['make'] =>
  onJson((body, hit) => {
    if (!isAccepted(body['metadata'])) return
    hit()
    return { ...body, metadata: convert(body['metadata']) }
  }, at)

const isPrivateWithId = (body: Record<string, unknown>) =>
  body['id'] !== undefined && body['requireSignedURLs'] === true

/** Replaces a body that is not JSON. */
const acceptInvalidJson = (convert: (text: string) => unknown): ImagesFault['make'] =>
  onRequest((call, next, hit) => {
    const readJson = call.json.bind(call)
    call.json = () =>
      readJson().catch(() => {
        hit()
        return convert('{"id": "unfinished')
      })
    return next()
  }, at)

export const tickets: readonly ImagesFault[] = [
  fault(
    'tickets-are-forgotten',
    'Keeps only the tickets that it created last.',
    ['IMG-COMPLETE-01'],
    (hit) => {
      const urls: string[] = []
      return {
        around: async (call, next) => {
          if (call.operation === 'completeDirectUpload') {
            const age = urls.length - urls.findIndex((url) => url.endsWith(call.path))
            if (age <= 8 || age > urls.length) return next()
            hit()
            return failure(call.server.choices, 404, 'The ticket is unknown')
          }
          const reply = await next()
          if (call.operation === at && reply.status === 200)
            urls.push(String(resultOf(reply)['uploadURL']))
          return reply
        },
      }
    },
  ),
  fault(
    'ticket-requires-metadata',
    'Refuses a ticket request without metadata.',
    ['IMG-TICKET-06', 'IMG-TICKET-01'],
    requireMember('metadata'),
  ),
  fault(
    'ticket-requires-requireSignedURLs',
    'Refuses a ticket request without requireSignedURLs.',
    ['IMG-TICKET-05', 'IMG-TICKET-01'],
    requireMember('requireSignedURLs'),
  ),
  fault(
    'ticket-requires-an-expiry',
    'Refuses a ticket request without an expiry.',
    ['IMG-TICKET-08', 'IMG-TICKET-01'],
    requireMember('expiry'),
  ),
  fault(
    'ticket-requires-an-id',
    'Refuses a ticket request without an id.',
    ['IMG-TICKET-11', 'IMG-TICKET-01'],
    requireMember('id'),
  ),

  fault(
    'requireSignedURLs-of-a-ticket-is-forgotten',
    'Stores every image of a ticket as public.',
    ['IMG-TICKET-05'],
    onStored((image, hit) => {
      if (image.requireSignedURLs) hit()
      image.requireSignedURLs = false
    }, at),
  ),
  fault(
    'image-of-a-ticket-is-private',
    'Stores every image of a ticket as private.',
    ['IMG-TICKET-05'],
    onStored((image, hit) => {
      if (!image.requireSignedURLs) hit()
      image.requireSignedURLs = true
    }, at),
  ),
  fault(
    'private-ticket-is-refused',
    'Refuses a ticket request with requireSignedURLs: true.',
    ['IMG-TICKET-05'],
    onJson((body, hit) => {
      if (body['requireSignedURLs'] === true && body['id'] === undefined)
        refuse('Tickets are for public images', hit)
    }, at),
  ),

  fault(
    'metadata-of-a-ticket-is-lost',
    'Does not store the metadata of a ticket.',
    ['IMG-TICKET-06'],
    onStored((image, hit) => {
      if (image.metadata !== undefined) hit()
      image.metadata = undefined
    }, at),
  ),
  fault(
    'metadata-of-a-ticket-loses-its-depth',
    'Stores objects in the metadata of a ticket as strings.',
    ['IMG-TICKET-06'],
    onStored((image, hit) => {
      if (!Object.values(image.metadata ?? {}).some(isObject)) return
      hit()
      image.metadata = Object.fromEntries(
        Object.entries(image.metadata ?? {}).map(([name, value]) => [
          name,
          isObject(value) ? JSON.stringify(value) : value,
        ]),
      )
    }, at),
  ),
  fault(
    'metadata-of-a-ticket-is-refused',
    'Refuses a ticket request with metadata.',
    ['IMG-TICKET-06'],
    onJson((body, hit) => {
      if (isObject(body['metadata'])) refuse('Tickets have no metadata', hit)
    }, at),
  ),
  fault(
    'array-as-metadata-of-a-ticket',
    'Accepts an array as the metadata of a ticket.',
    ['IMG-TICKET-07'],
    acceptMetadata(Array.isArray, (value) => ({ ...(value as unknown[]) })),
  ),
  fault(
    'string-as-metadata-of-a-ticket',
    'Accepts a string as the metadata of a ticket.',
    ['IMG-TICKET-07'],
    acceptMetadata(
      (value) => typeof value === 'string',
      (value) => ({ value }),
    ),
  ),
  fault(
    'number-as-metadata-of-a-ticket',
    'Accepts a number as the metadata of a ticket.',
    ['IMG-TICKET-07'],
    acceptMetadata(
      (value) => typeof value === 'number',
      (value) => ({ value }),
    ),
  ),

  fault(
    'expiry-is-refused',
    'Refuses a ticket request with an expiry.',
    ['IMG-TICKET-08'],
    onJson((body, hit) => {
      if (body['expiry'] !== undefined) refuse('expiry cannot be chosen', hit)
    }, at),
  ),
  fault(
    'expiry-with-fractions-is-refused',
    'Refuses an expiry with fractions of a second.',
    ['IMG-TICKET-08'],
    replaceRules(
      (rules, hit) => ({
        parseExpiry: countHit(hit, rules.parseExpiry, (value) =>
          /[.,]\d/.test(String(value)) ? undefined : rules.parseExpiry(value),
        ),
      }),
      at,
    ),
  ),
  fault(
    'expiry-is-a-number',
    'Refuses an expiry that is not a number of seconds.',
    ['IMG-TICKET-08'],
    replaceRules(
      (rules, hit) => ({
        parseExpiry: countHit(hit, rules.parseExpiry, (value) =>
          typeof value === 'number' ? value * 1000 : undefined,
        ),
      }),
      at,
    ),
  ),
  fault(
    'invalid-expiry-is-ignored',
    'Ignores an expiry that is not a timestamp.',
    ['IMG-TICKET-09'],
    onJson((body, hit, { server }) => {
      if (body['expiry'] === undefined || server.rules.parseExpiry(body['expiry']) !== undefined)
        return
      hit()
      const { expiry: _, ...others } = body
      return others
    }, at),
  ),

  fault(
    'id-of-a-ticket-is-ignored',
    'Ignores the id that is requested for a ticket.',
    ['IMG-TICKET-11', 'IMG-TICKET-16'],
    onJson((body, hit) => {
      if (body['id'] === undefined || isPrivateWithId(body)) return
      hit()
      const { id: _, ...others } = body
      return others
    }, at),
  ),
  fault(
    'id-of-a-ticket-is-returned-wrong',
    'Returns a ticket with an id that differs from the requested one.',
    ['IMG-TICKET-11'],
    (hit) => {
      const requestedIds = new Set<unknown>()
      const recordId = onJson(
        (body) => void (body['id'] !== undefined && requestedIds.add(body['id'])),
        at,
      )(hit).around!
      const changeId = onResult((result) => {
        if (!requestedIds.has(result['id'])) return
        hit()
        result['id'] = `ticket-${String(result['id'])}`
      }, at)(hit).around!
      return { around: (call, next) => changeId(call, () => recordId(call, next)) }
    },
  ),
  fault(
    'id-of-a-ticket-needs-a-flag',
    'Refuses a ticket request with an id and without requireSignedURLs.',
    ['IMG-TICKET-11'],
    onJson((body, hit) => {
      if (body['id'] !== undefined && body['requireSignedURLs'] === undefined)
        refuse('requireSignedURLs is missing', hit)
    }, at),
  ),

  fault(
    'private-ticket-accepts-an-id',
    'Accepts a ticket request with an id and requireSignedURLs: true.',
    ['IMG-TICKET-12'],
    (hit) => {
      const acceptId = replaceRules(() => ({ customIdMayBePrivate: true }), at)(hit).around!
      const countPrivate = onJson((body) => {
        if (isPrivateWithId(body)) hit()
      }, at)(hit).around!
      return { around: (call, next) => acceptId(call, () => countPrivate(call, next)) }
    },
  ),
  fault(
    'private-ticket-with-an-id-becomes-public',
    'Ignores requireSignedURLs: true of a ticket with an id.',
    ['IMG-TICKET-12'],
    onJson((body, hit) => {
      if (!isPrivateWithId(body)) return
      hit()
      return { ...body, requireSignedURLs: false }
    }, at),
  ),
  fault(
    'public-ticket-refuses-an-id',
    'Refuses a ticket request with an id and requireSignedURLs: false.',
    ['IMG-TICKET-13'],
    onJson((body, hit) => {
      if (body['id'] !== undefined && body['requireSignedURLs'] === false)
        refuse('id and requireSignedURLs exclude each other', hit)
    }, at),
  ),
  fault(
    'public-ticket-breaks-down-with-an-id',
    'Returns 500 for a ticket request with an id and requireSignedURLs: false.',
    ['IMG-TICKET-13'],
    onJson((body, hit) => {
      if (body['id'] !== undefined && body['requireSignedURLs'] === false)
        refuse('The server failed', hit, 500)
    }, at),
  ),

  fault(
    'broken-body-counts-as-empty',
    'Treats a ticket request whose body is not JSON as an empty object.',
    ['IMG-TICKET-14'],
    acceptInvalidJson(() => ({})),
  ),
  fault(
    'broken-body-is-mended',
    'Repairs the incomplete JSON of a ticket request, and accepts it.',
    ['IMG-TICKET-14'],
    acceptInvalidJson((text) => JSON.parse(`${text}"}`)),
  ),
  fault(
    'any-value-is-a-flag-in-tickets',
    'Accepts any value of requireSignedURLs for a ticket, and converts it to a boolean.',
    ['IMG-TICKET-15'],
    onJson((body, hit) => {
      const flag = body['requireSignedURLs']
      if (flag === undefined || typeof flag === 'boolean') return
      hit()
      return { ...body, requireSignedURLs: Boolean(flag) }
    }, at),
  ),
  fault(
    'any-string-but-true-is-false-in-tickets',
    'Accepts any string as requireSignedURLs for a ticket, and treats all but "true" as false.',
    ['IMG-TICKET-15'],
    onJson((body, hit) => {
      const flag = body['requireSignedURLs']
      if (typeof flag !== 'string') return
      hit()
      return { ...body, requireSignedURLs: flag === 'true' }
    }, at),
  ),
]
