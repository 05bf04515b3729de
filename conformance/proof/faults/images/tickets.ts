import type { Fault } from './fault.ts'
import {
  answers,
  around,
  bent,
  fault,
  isObject,
  readsJson,
  refuse,
  remembers,
  ruled,
} from './building.ts'

const at = 'createDirectUpload'

/** Demands a member of the body that is optional. */
const demands = (name: string): Fault['make'] =>
  around(at, (call, next, hit) => {
    const right = call.json.bind(call)
    call.json = async () => {
      const body = await right()
      return isObject(body ?? {}) &&
        (body as Record<string, unknown> | undefined)?.[name] === undefined
        ? refuse(hit, `${name} is missing`)
        : body
    }
    return next()
  })

/** Takes metadata that is no object, and makes an object of it. */
const takes = (
  fits: (value: unknown) => boolean,
  made: (value: unknown) => unknown,
): Fault['make'] =>
  readsJson(at, (body, hit) => {
    if (!fits(body['metadata'])) return
    hit()
    return { ...body, metadata: made(body['metadata']) }
  })

const isPrivateWithId = (body: Record<string, unknown>) =>
  body['id'] !== undefined && body['requireSignedURLs'] === true

/** Makes something else of a body that is not JSON. */
const broken = (made: (text: string) => unknown): Fault['make'] =>
  around(at, (call, next, hit) => {
    const right = call.json.bind(call)
    call.json = () =>
      right().catch(() => {
        hit()
        return made('{"id": "unfinished')
      })
    return next()
  })

export const tickets: readonly Fault[] = [
  fault(
    'ticket-demands-metadata',
    'A ticket without metadata is refused.',
    ['IMG-TICKET-06', 'IMG-TICKET-01'],
    demands('metadata'),
  ),
  fault(
    'ticket-demands-requireSignedURLs',
    'A ticket without requireSignedURLs is refused.',
    ['IMG-TICKET-05', 'IMG-TICKET-01'],
    demands('requireSignedURLs'),
  ),
  fault(
    'ticket-demands-an-expiry',
    'A ticket without an expiry is refused.',
    ['IMG-TICKET-08', 'IMG-TICKET-01'],
    demands('expiry'),
  ),
  fault(
    'ticket-demands-an-id',
    'A ticket without an id is refused.',
    ['IMG-TICKET-11', 'IMG-TICKET-01'],
    demands('id'),
  ),

  fault(
    'requireSignedURLs-of-a-ticket-is-forgotten',
    'The image of a ticket is public, whatever requireSignedURLs was.',
    ['IMG-TICKET-05'],
    remembers(at, (image, hit) => {
      if (image.requireSignedURLs) hit()
      image.requireSignedURLs = false
    }),
  ),
  fault(
    'image-of-a-ticket-is-private',
    'The image of a ticket is private, whatever requireSignedURLs was.',
    ['IMG-TICKET-05'],
    remembers(at, (image, hit) => {
      if (!image.requireSignedURLs) hit()
      image.requireSignedURLs = true
    }),
  ),
  fault(
    'private-ticket-is-refused',
    'A ticket with requireSignedURLs true is refused.',
    ['IMG-TICKET-05'],
    readsJson(at, (body, hit) => {
      if (body['requireSignedURLs'] === true && body['id'] === undefined)
        refuse(hit, 'Tickets are for public images')
    }),
  ),

  fault(
    'metadata-of-a-ticket-is-lost',
    'The metadata of a ticket does not come to its image.',
    ['IMG-TICKET-06'],
    remembers(at, (image, hit) => {
      if (image.metadata !== undefined) hit()
      image.metadata = undefined
    }),
  ),
  fault(
    'metadata-of-a-ticket-loses-its-depth',
    'Objects within the metadata of a ticket come to its image as texts.',
    ['IMG-TICKET-06'],
    remembers(at, (image, hit) => {
      if (!Object.values(image.metadata ?? {}).some(isObject)) return
      hit()
      image.metadata = Object.fromEntries(
        Object.entries(image.metadata ?? {}).map(([name, value]) => [
          name,
          isObject(value) ? JSON.stringify(value) : value,
        ]),
      )
    }),
  ),
  fault(
    'metadata-of-a-ticket-is-refused',
    'A ticket with metadata is refused.',
    ['IMG-TICKET-06'],
    readsJson(at, (body, hit) => {
      if (isObject(body['metadata'])) refuse(hit, 'Tickets have no metadata')
    }),
  ),
  fault(
    'array-as-metadata-of-a-ticket',
    'A ticket may have an array for metadata.',
    ['IMG-TICKET-07'],
    takes(Array.isArray, (value) => ({ ...(value as unknown[]) })),
  ),
  fault(
    'text-as-metadata-of-a-ticket',
    'A ticket may have a text for metadata.',
    ['IMG-TICKET-07'],
    takes(
      (value) => typeof value === 'string',
      (value) => ({ value }),
    ),
  ),
  fault(
    'number-as-metadata-of-a-ticket',
    'A ticket may have a number for metadata.',
    ['IMG-TICKET-07'],
    takes(
      (value) => typeof value === 'number',
      (value) => ({ value }),
    ),
  ),

  fault(
    'expiry-is-refused',
    'A ticket with an expiry is refused.',
    ['IMG-TICKET-08'],
    readsJson(at, (body, hit) => {
      if (body['expiry'] !== undefined) refuse(hit, 'expiry cannot be chosen')
    }),
  ),
  fault(
    'expiry-takes-no-fractions',
    'An expiry is taken only in whole seconds.',
    ['IMG-TICKET-08'],
    ruled(at, (rules, hit) => ({
      parseExpiry: bent(hit, rules.parseExpiry, (value) =>
        /[.,]\d/.test(String(value)) ? undefined : rules.parseExpiry(value),
      ),
    })),
  ),
  fault(
    'expiry-is-a-number',
    'An expiry is taken only as a number of seconds.',
    ['IMG-TICKET-08'],
    ruled(at, (rules, hit) => ({
      parseExpiry: bent(hit, rules.parseExpiry, (value) =>
        typeof value === 'number' ? value * 1000 : undefined,
      ),
    })),
  ),
  fault(
    'expiry-of-nonsense-is-passed-over',
    'An expiry that is no timestamp is passed over.',
    ['IMG-TICKET-09'],
    readsJson(at, (body, hit, { server }) => {
      if (body['expiry'] === undefined || server.rules.parseExpiry(body['expiry']) !== undefined)
        return
      hit()
      const { expiry: _, ...others } = body
      return others
    }),
  ),

  fault(
    'id-of-a-ticket-is-passed-over',
    'A ticket that was asked for with an id has another one.',
    ['IMG-TICKET-11'],
    readsJson(at, (body, hit) => {
      if (body['id'] === undefined || isPrivateWithId(body)) return
      hit()
      const { id: _, ...others } = body
      return others
    }),
  ),
  fault(
    'id-of-a-ticket-is-told-wrong',
    'A ticket shows another id than the one that it was asked for with.',
    ['IMG-TICKET-11'],
    (hit) => {
      const wished = new Set<unknown>()
      const asked = readsJson(
        at,
        (body) => void (body['id'] !== undefined && wished.add(body['id'])),
      )(hit).around!
      const told = answers(at, (result) => {
        if (!wished.has(result['id'])) return
        hit()
        result['id'] = `ticket-${String(result['id'])}`
      })(hit).around!
      return { around: (call, next) => told(call, () => asked(call, next)) }
    },
  ),
  fault(
    'id-of-a-ticket-needs-a-flag',
    'A ticket with an id is refused where it does not say requireSignedURLs too.',
    ['IMG-TICKET-11'],
    readsJson(at, (body, hit) => {
      if (body['id'] !== undefined && body['requireSignedURLs'] === undefined)
        refuse(hit, 'requireSignedURLs is missing')
    }),
  ),

  fault(
    'private-ticket-takes-an-id',
    'A ticket may have an id and requireSignedURLs true.',
    ['IMG-TICKET-12'],
    (hit) => {
      const rule = ruled(at, () => ({ customIdMayBePrivate: true }))(hit).around!
      const told = readsJson(at, (body) => {
        if (isPrivateWithId(body)) hit()
      })(hit).around!
      return { around: (call, next) => rule(call, () => told(call, next)) }
    },
  ),
  fault(
    'private-ticket-with-an-id-becomes-public',
    'Where a ticket has an id and requireSignedURLs true, the latter is passed over.',
    ['IMG-TICKET-12'],
    readsJson(at, (body, hit) => {
      if (!isPrivateWithId(body)) return
      hit()
      return { ...body, requireSignedURLs: false }
    }),
  ),
  fault(
    'public-ticket-refuses-an-id',
    'A ticket with an id and requireSignedURLs false is refused too.',
    ['IMG-TICKET-13'],
    readsJson(at, (body, hit) => {
      if (body['id'] !== undefined && body['requireSignedURLs'] === false)
        refuse(hit, 'id and requireSignedURLs exclude each other')
    }),
  ),
  fault(
    'public-ticket-breaks-down-with-an-id',
    'A ticket with an id and requireSignedURLs false ends in an internal error.',
    ['IMG-TICKET-13'],
    readsJson(at, (body, hit) => {
      if (body['id'] !== undefined && body['requireSignedURLs'] === false)
        refuse(hit, 'The server failed', 500)
    }),
  ),

  fault(
    'broken-body-counts-as-empty',
    'A request for a ticket that is not JSON counts as an empty one.',
    ['IMG-TICKET-14'],
    broken(() => ({})),
  ),
  fault(
    'broken-body-is-mended',
    'A request for a ticket whose JSON breaks off is mended and taken.',
    ['IMG-TICKET-14'],
    broken((text) => JSON.parse(`${text}"}`)),
  ),
  fault(
    'any-value-is-a-flag-in-tickets',
    'Any value of requireSignedURLs is taken for a ticket as true or false.',
    ['IMG-TICKET-15'],
    readsJson(at, (body, hit) => {
      const flag = body['requireSignedURLs']
      if (flag === undefined || typeof flag === 'boolean') return
      hit()
      return { ...body, requireSignedURLs: Boolean(flag) }
    }),
  ),
]
