import { Blocked, labelled, NotApplicable, type Expectation } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { deliveredTestImage } from '../support/delivered-test-images.ts'
import { delivered, notUnmodified, shows } from '../support/expectations.ts'
import { deliverReplaced } from '../support/replaced-images.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import type { ImagesWorld } from '../support/world.ts'

// HTTP defines what HEAD, conditional requests and requests for a part return. A server need not
// support conditions and parts: it may return the whole image.

/** Requests the test image again, with this method or these headers. */
async function requestAgain(
  world: ImagesWorld,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<{ whole: HttpExchange; again: HttpExchange }> {
  const { exchange: whole } = await deliveredTestImage(world, uploadMethods.file)
  if (!delivered.test(whole)) throw new Blocked('IMG-SERVICE-01', 'a public image is not delivered')
  // A service may have redirected the first request.
  const { url } = whole.request
  const again = await world.send({ ...world.request.deliver(url), method, headers })
  return { whole, again }
}

const typeOf = (exchange: HttpExchange) =>
  exchange.header('content-type')?.replace(/\s/g, '').toLowerCase()

/** Describes the status and a header of a response, for reports. */
const describeWith = (name: string, exchange: HttpExchange) =>
  `status ${exchange.status ?? exchange.failure}, ${name} ${exchange.header(name) ?? 'missing'}`

const describeHead = (exchange: HttpExchange) => describeWith('Content-Type', exchange)

/** HEAD may omit headers that the server generates together with the body. */
const headAgreesWith = (whole: HttpExchange): Expectation<HttpExchange> => ({
  name: 'agrees with GET',
  expected: `${describeHead(whole)}, as for GET; the Content-Type may be missing`,
  test: (head) => {
    const types = [typeOf(head), typeOf(whole)]
    return head.status === whole.status && (types.includes(undefined) || types[0] === types[1])
  },
  received: describeHead,
})

/** Conditions that show that the client does not have the image as it is. */
const conditionsOfOthers = ({ newName, clock }: ImagesWorld) => {
  const tag = `"${newName()}"`
  return {
    'an unknown entity tag': { 'If-None-Match': tag },
    'an unknown weak entity tag': { 'If-None-Match': `W/${tag}` },
    'an unknown entity tag, and the current time': {
      'If-None-Match': tag,
      'If-Modified-Since': new Date(clock.now()).toUTCString(),
    },
    'a time before the upload': { 'If-Modified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
  }
}

/** The bytes that a 206 response contains, according to its Content-Range. */
function rangeOf(exchange: HttpExchange): { first: number; last: number } | undefined {
  const [, first, last] = /^bytes (\d+)-(\d+)\//i.exec(exchange.header('content-range') ?? '') ?? []
  return first === undefined ? undefined : { first: Number(first), last: Number(last) }
}

/** A part with the bytes that its Content-Range states. `whole` is the response without a range. */
const hasItsPart = (whole: HttpExchange): Expectation<HttpExchange> => ({
  name: 'contains its part',
  expected: 'status 206 with the bytes that Content-Range states, or the whole image',
  test: (exchange) => {
    const { status } = exchange
    if (status !== 206) return status !== undefined && (status >= 300 || delivered.test(exchange))
    const range = rangeOf(exchange)
    if (range === undefined) return false
    const { first, last } = range
    const tag = exchange.header('etag')
    // Without a strong entity tag, the server may have encoded the image again.
    const isSame = tag?.startsWith('"') === true && tag === whole.header('etag')
    return (
      exchange.body.length === last - first + 1 &&
      (!isSame || exchange.body.equals(whole.body.subarray(first, last + 1)))
    )
  },
  received: (exchange) =>
    `${describeWith('Content-Range', exchange)}, ${exchange.body.length} bytes`,
})

export const deliveryHttpChecks = [
  check('IMG-DELIVERY-13', {
    title: 'responds to HEAD at a delivery URL as it responds to GET',
    needs: ['images.state'],
    async run(world) {
      const { whole, again } = await requestAgain(world, {}, 'HEAD')
      world.expect(again, headAgreesWith(whole))
    },
  }),

  check('IMG-DELIVERY-14', {
    title: 'returns 304 to no client that does not have the image',
    needs: ['images.state'],
    async run(world) {
      for (const [label, headers] of Object.entries(conditionsOfOthers(world)))
        world.expect((await requestAgain(world, headers)).again, labelled(label, notUnmodified))
    },
  }),

  check('IMG-DELIVERY-14', {
    title: 'returns no 304 for a deleted image whose id was used again',
    needs: ['images.state'],
    async run(world) {
      const { before, after, second } = await deliverReplaced(world)
      const tag = before.header('etag')
      if (tag === undefined) throw new NotApplicable('the server sends no ETag')
      if (!shows(second).test(after))
        throw new NotApplicable('the server still delivers the deleted image')
      const request = world.request.deliver(after.request.url)
      const exchange = await world.send({ ...request, headers: { 'If-None-Match': tag } })
      world.expect(exchange, labelled('the entity tag of the deleted image', notUnmodified))
    },
  }),

  check('IMG-DELIVERY-15', {
    title: 'delivers the part of an image that Content-Range states',
    needs: ['images.state'],
    async run(world) {
      for (const range of ['bytes=0-99', 'bytes=7-7', 'bytes=100-', 'bytes=-50']) {
        const { whole, again } = await requestAgain(world, { Range: range })
        world.expect(again, labelled(`Range: ${range}`, hasItsPart(whole)))
      }
    },
  }),
]
