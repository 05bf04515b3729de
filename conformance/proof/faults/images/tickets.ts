import type { ImagesFault } from './fault.ts'
import { countHit } from '../../../../mocks/kit/kit.ts'
import {
  fault,
  isObject,
  onJson,
  onRequest,
  onResult,
  onStored,
  refuse,
  replaceRules,
} from './building.ts'

const at = 'createDirectUpload'

/** Demands a member of the body that is optional. */
const demands = (name: string): ImagesFault['make'] =>
  onRequest((call, next, hit) => {
    const right = call.json.bind(call)
    call.json = async () => {
      const body = await right()
      return isObject(body ?? {}) &&
        (body as Record<string, unknown> | undefined)?.[name] === undefined
        ? refuse(`${name} is missing`, hit)
        : body
    }
    return next()
  }, at)

/** Takes metadata that is no object, and makes an object of it. */
const takes = (
  fits: (value: unknown) => boolean,
  made: (value: unknown) => unknown,
): ImagesFault['make'] =>
  onJson((body, hit) => {
    if (!fits(body['metadata'])) return
    hit()
    return { ...body, metadata: made(body['metadata']) }
  }, at)

const isPrivateWithId = (body: Record<string, unknown>) =>
  body['id'] !== undefined && body['requireSignedURLs'] === true

/** Makes something else of a body that is not JSON. */
const broken = (made: (text: string) => unknown): ImagesFault['make'] =>
  onRequest((call, next, hit) => {
    const right = call.json.bind(call)
    call.json = () =>
      right().catch(() => {
        hit()
        return made('{"id": "unfinished')
      })
    return next()
  }, at)

export const tickets: readonly ImagesFault[] = [
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
    onStored((image, hit) => {
      if (image.requireSignedURLs) hit()
      image.requireSignedURLs = false
    }, at),
  ),
  fault(
    'image-of-a-ticket-is-private',
    'The image of a ticket is private, whatever requireSignedURLs was.',
    ['IMG-TICKET-05'],
    onStored((image, hit) => {
      if (!image.requireSignedURLs) hit()
      image.requireSignedURLs = true
    }, at),
  ),
  fault(
    'private-ticket-is-refused',
    'A ticket with requireSignedURLs true is refused.',
    ['IMG-TICKET-05'],
    onJson((body, hit) => {
      if (body['requireSignedURLs'] === true && body['id'] === undefined)
        refuse('Tickets are for public images', hit)
    }, at),
  ),

  fault(
    'metadata-of-a-ticket-is-lost',
    'The metadata of a ticket does not come to its image.',
    ['IMG-TICKET-06'],
    onStored((image, hit) => {
      if (image.metadata !== undefined) hit()
      image.metadata = undefined
    }, at),
  ),
  fault(
    'metadata-of-a-ticket-loses-its-depth',
    'Objects within the metadata of a ticket come to its image as texts.',
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
    'A ticket with metadata is refused.',
    ['IMG-TICKET-06'],
    onJson((body, hit) => {
      if (isObject(body['metadata'])) refuse('Tickets have no metadata', hit)
    }, at),
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
    onJson((body, hit) => {
      if (body['expiry'] !== undefined) refuse('expiry cannot be chosen', hit)
    }, at),
  ),
  fault(
    'expiry-takes-no-fractions',
    'An expiry is taken only in whole seconds.',
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
    'An expiry is taken only as a number of seconds.',
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
    'expiry-of-nonsense-is-passed-over',
    'An expiry that is no timestamp is passed over.',
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
    'id-of-a-ticket-is-passed-over',
    'A ticket that was asked for with an id has another one.',
    ['IMG-TICKET-11'],
    onJson((body, hit) => {
      if (body['id'] === undefined || isPrivateWithId(body)) return
      hit()
      const { id: _, ...others } = body
      return others
    }, at),
  ),
  fault(
    'id-of-a-ticket-is-told-wrong',
    'A ticket shows another id than the one that it was asked for with.',
    ['IMG-TICKET-11'],
    (hit) => {
      const wished = new Set<unknown>()
      const asked = onJson(
        (body) => void (body['id'] !== undefined && wished.add(body['id'])),
        at,
      )(hit).around!
      const told = onResult((result) => {
        if (!wished.has(result['id'])) return
        hit()
        result['id'] = `ticket-${String(result['id'])}`
      }, at)(hit).around!
      return { around: (call, next) => told(call, () => asked(call, next)) }
    },
  ),
  fault(
    'id-of-a-ticket-needs-a-flag',
    'A ticket with an id is refused where it does not say requireSignedURLs too.',
    ['IMG-TICKET-11'],
    onJson((body, hit) => {
      if (body['id'] !== undefined && body['requireSignedURLs'] === undefined)
        refuse('requireSignedURLs is missing', hit)
    }, at),
  ),

  fault(
    'private-ticket-takes-an-id',
    'A ticket may have an id and requireSignedURLs true.',
    ['IMG-TICKET-12'],
    (hit) => {
      const rule = replaceRules(() => ({ customIdMayBePrivate: true }), at)(hit).around!
      const told = onJson((body) => {
        if (isPrivateWithId(body)) hit()
      }, at)(hit).around!
      return { around: (call, next) => rule(call, () => told(call, next)) }
    },
  ),
  fault(
    'private-ticket-with-an-id-becomes-public',
    'Where a ticket has an id and requireSignedURLs true, the latter is passed over.',
    ['IMG-TICKET-12'],
    onJson((body, hit) => {
      if (!isPrivateWithId(body)) return
      hit()
      return { ...body, requireSignedURLs: false }
    }, at),
  ),
  fault(
    'public-ticket-refuses-an-id',
    'A ticket with an id and requireSignedURLs false is refused too.',
    ['IMG-TICKET-13'],
    onJson((body, hit) => {
      if (body['id'] !== undefined && body['requireSignedURLs'] === false)
        refuse('id and requireSignedURLs exclude each other', hit)
    }, at),
  ),
  fault(
    'public-ticket-breaks-down-with-an-id',
    'A ticket with an id and requireSignedURLs false ends in an internal error.',
    ['IMG-TICKET-13'],
    onJson((body, hit) => {
      if (body['id'] !== undefined && body['requireSignedURLs'] === false)
        refuse('The server failed', hit, 500)
    }, at),
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
    onJson((body, hit) => {
      const flag = body['requireSignedURLs']
      if (flag === undefined || typeof flag === 'boolean') return
      hit()
      return { ...body, requireSignedURLs: Boolean(flag) }
    }, at),
  ),
]
