import { createHash } from 'node:crypto'
import { failure, type ImagesCall, type ImagesReply } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest } from './building.ts'
import { onDelivery } from './delivery-kit.ts'

type Make = ImagesFault['make']

const tagOf = (text: string | Uint8Array) =>
  `"${createHash('sha1').update(text).digest('hex').slice(0, 20)}"`

/** Sends entity tags that `tagOfDelivery` makes, and returns 304 to clients that have them. */
const withTags = (tagOfDelivery: (call: ImagesCall, bytes: Uint8Array) => string): Make =>
  onRequest(async (call, next, hit) => {
    const reply = await next()
    if (reply.status !== 200 || !(reply.body instanceof Uint8Array)) return reply
    const tag = tagOfDelivery(call, reply.body)
    const headers = { ...reply.headers, ETag: tag }
    if (call.headers['if-none-match'] !== tag) return { ...reply, headers }
    hit()
    return { status: 304, headers, body: new Uint8Array(0) }
  }, 'deliverImage')

/** Returns 304 to every request that `isMet` selects. */
const unmodifiedIf = (isMet: (headers: ImagesCall['headers']) => boolean): Make =>
  onDelivery((_bytes, { headers }) =>
    isMet(headers) ? { status: 304, headers: {}, body: new Uint8Array(0) } : undefined,
  )

/** Changes the reply to a HEAD request for an image. */
const onHead = (change: (reply: ImagesReply, call: ImagesCall) => ImagesReply): Make =>
  onRequest(async (call, next, hit) => {
    const reply = await next()
    if (call.request.method !== 'HEAD' || reply.status !== 200) return reply
    hit()
    return change(reply, call)
  }, 'deliverImage')

/** What a response to a range contains: its bytes, and those that Content-Range states. */
interface Part {
  readonly body: Uint8Array
  readonly first: number
  readonly last: number
}

/** Responds to requests with a range that `pattern` matches with a part of the image. */
const onRange = (pattern: RegExp, partOf: (bytes: Uint8Array, values: number[]) => Part): Make =>
  onRequest(async (call, next, hit) => {
    const reply = await next()
    const match = pattern.exec(call.headers['range'] ?? '')
    if (match === null || reply.status !== 200 || !(reply.body instanceof Uint8Array)) return reply
    hit()
    const { body, first, last } = partOf(reply.body, match.slice(1).map(Number))
    const contentRange = `bytes ${first}-${last}/${reply.body.length}`
    return { status: 206, headers: { ...reply.headers, 'Content-Range': contentRange }, body }
  }, 'deliverImage')

const fromTo = /^bytes=(\d+)-(\d+)$/

/** Faults in HEAD, conditional requests and requests for a part at the delivery host. */
export const deliveryHttp: readonly ImagesFault[] = [
  fault(
    'head-finds-no-image',
    'Returns 404 to HEAD requests for images.',
    ['IMG-DELIVERY-13'],
    onHead((_reply, { server }) => failure(server.choices, 404, 'The image is unknown')),
  ),
  fault(
    'head-has-a-different-type',
    'Declares images as web pages in responses to HEAD.',
    ['IMG-DELIVERY-13'],
    onHead((reply) => ({ ...reply, headers: { ...reply.headers, 'Content-Type': 'text/html' } })),
  ),
  fault(
    'every-entity-tag-matches',
    'Returns 304 to every request with an entity tag.',
    ['IMG-DELIVERY-14'],
    unmodifiedIf((headers) => headers['if-none-match'] !== undefined),
  ),
  fault(
    'every-weak-entity-tag-matches',
    'Returns 304 to every request with a weak entity tag.',
    ['IMG-DELIVERY-14'],
    unmodifiedIf((headers) => headers['if-none-match']?.startsWith('W/') === true),
  ),
  fault(
    'no-image-is-modified',
    'Returns 304 to every request with If-Modified-Since and no entity tag.',
    ['IMG-DELIVERY-14'],
    unmodifiedIf(
      (headers) =>
        headers['if-modified-since'] !== undefined && headers['if-none-match'] === undefined,
    ),
  ),
  fault(
    'a-later-time-outweighs-the-entity-tag',
    'Returns 304 if If-Modified-Since is a time after the upload, whatever the entity tag.',
    ['IMG-DELIVERY-14'],
    unmodifiedIf(
      (headers) =>
        Date.parse(headers['if-modified-since'] ?? '') > Date.parse('2015-01-01T00:00:00Z'),
    ),
  ),
  fault(
    'entity-tags-depend-on-the-id-only',
    'Makes the entity tag of a delivered image from its id and its variant.',
    ['IMG-DELIVERY-14'],
    withTags(({ params }) => tagOf(`${params['image_id']} ${params['variant']}`)),
  ),
  fault(
    'entity-tags-depend-on-the-file-only',
    'Makes the entity tag of a delivered image from the stored file, not from what it delivers.',
    ['IMG-DELIVERY-14'],
    withTags(({ server, params }) =>
      tagOf(server.store.get(params['image_id'] ?? '')?.bytes ?? ''),
    ),
  ),
  fault(
    'parts-have-no-range',
    'Delivers parts of images without Content-Range.',
    ['IMG-DELIVERY-15'],
    onDelivery((bytes, { headers }) =>
      headers['range'] === undefined
        ? undefined
        : { status: 206, headers: { 'Content-Type': 'image/png' }, body: bytes.subarray(0, 100) },
    ),
  ),
  fault(
    'parts-lack-their-last-byte',
    'Delivers parts of more than one byte without their last byte.',
    ['IMG-DELIVERY-15'],
    onRange(fromTo, (bytes, [first = 0, last = 0]) => ({
      body: bytes.subarray(first, first === last ? last + 1 : last),
      first,
      last,
    })),
  ),
  fault(
    'a-part-of-one-byte-is-empty',
    'Delivers no byte if a part has one byte.',
    ['IMG-DELIVERY-15'],
    onRange(fromTo, (bytes, [first = 0, last = 0]) => ({
      body: bytes.subarray(first, first === last ? first : last + 1),
      first,
      last,
    })),
  ),
  fault(
    'the-rest-of-an-image-is-the-whole',
    'Delivers the whole image as the part from a byte to the end.',
    ['IMG-DELIVERY-15'],
    onRange(/^bytes=(\d+)-$/, (bytes, [first = 0]) => ({
      body: bytes,
      first,
      last: bytes.length - 1,
    })),
  ),
  fault(
    'the-end-of-an-image-is-its-beginning',
    'Delivers the first bytes of an image as its last bytes.',
    ['IMG-DELIVERY-15'],
    onRange(/^bytes=-(\d+)$/, (bytes, [count = 0]) => ({
      body: bytes.subarray(0, count),
      first: bytes.length - count,
      last: bytes.length - 1,
    })),
  ),
]
