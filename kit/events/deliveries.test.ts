import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { events } from '../../generated/events/contract.ts'
import { examples, exampleOf } from '../../generated/events/examples.ts'
import {
  DeliveryError,
  parseDelivery,
  verifyToken,
  type WebhookDelivery,
  type EventName,
} from './index.ts'

const push = { 'X-Hook-Event': 'Push Hook' }
const textOf = (event: EventName) => exampleOf(event)!.text
const pushed = (change: object) => ({ ...exampleOf('push')!.payload, ...change })

function errorOf(headers: Parameters<typeof parseDelivery>[0], body: unknown): DeliveryError {
  try {
    parseDelivery(headers, body)
  } catch (error) {
    if (error instanceof DeliveryError) return error
    throw error
  }
  throw new Error('parseDelivery accepted the delivery')
}

/** Sends a request with node:http, and returns the headers that a server receives. */
async function received(headers: Record<string, string>): Promise<IncomingHttpHeaders> {
  let found: IncomingHttpHeaders = {}
  const server = createServer((request, response) => {
    found = request.headers
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await (await fetch(`http://127.0.0.1:${port}`, { headers })).arrayBuffer()
  await new Promise((resolve) => server.close(resolve))
  return found
}

describe('parseDelivery', () => {
  it.each(examples.map(({ event, name, text }) => [event, name, text] as const))(
    'accepts the sample payload %s %s',
    (event, _, text) => {
      expect(parseDelivery({ 'x-hook-event': events[event].header }, text)).toEqual({
        event,
        payload: JSON.parse(text) as unknown,
      })
    },
  )

  it('determines the type of the payload', () => {
    const delivery: WebhookDelivery = parseDelivery(push, textOf('push'))
    if (delivery.event !== 'push') throw new Error(delivery.event)
    const name: string = delivery.payload.user_name
    // @ts-expect-error only a job has a build
    expect(delivery.payload.build_name).toBeUndefined()
    expect(name).toBe((JSON.parse(textOf('push')) as { user_name: string }).user_name)
  })

  it('reads strings, bytes and parsed bodies, and headers of node:http and fetch', async () => {
    const text = textOf('push')
    const fetched = new Headers(push)
    const fromNode = await received(push)
    const expected = parseDelivery(push, text)
    for (const body of [Buffer.from(text), new TextEncoder().encode(text), JSON.parse(text)])
      expect(parseDelivery(push, body)).toEqual(expected)
    for (const headers of [fetched, fromNode, { 'x-HOOK-event': ['Push Hook'] }])
      expect(parseDelivery(headers, text)).toEqual(expected)
    expect(parseDelivery(push, Buffer.from(`\uFEFF${text}`))).toEqual(expected)
  })

  it('allows additional headers and fields', () => {
    const delivery = parseDelivery({ ...push, 'X-New': '1' }, pushed({ new_field: { a: 1 } }))
    expect(delivery.payload).toHaveProperty('new_field', { a: 1 })
  })

  it('accepts a delivery without a field whose presence is only recommended', () => {
    const { payload } = exampleOf('issue')!
    const { assignee_id: _, ...attributes } = payload['object_attributes'] as object & {
      assignee_id: unknown
    }
    const headers = { 'X-Hook-Event': 'Issue Hook' }
    const delivery = parseDelivery(headers, { ...payload, object_attributes: attributes })
    expect(delivery.event).toBe('issue')
    expect(errorOf(headers, { ...payload, object_attributes: {} }).code).toBe('payload-invalid')
  })

  it('names the fields, the values and the requirements of a payload', () => {
    const error = errorOf(push, pushed({ user_name: 7, ref: undefined, project: null }))
    expect(error.code).toBe('payload-invalid')
    expect(error.message).toContain('/user_name is 7, expected a string (EVT-PUSH-13)')
    expect(error.violations).toContainEqual({
      requirement: 'EVT-PUSH-13',
      path: '/user_name',
      message: 'a string',
      received: 7,
    })
    const missing = errorOf(push, JSON.stringify(pushed({ ref: undefined })))
    expect(missing.message).toContain('/ref is missing, expected the full name of a ref')
  })

  it('shortens long lists and values', () => {
    const { message, violations } = errorOf(push, { object_kind: 'push', ref: 'x'.repeat(9_000) })
    expect(violations.length).toBeGreaterThan(10)
    expect(message).toMatch(/; and \d+ more$/)
    expect(message.length).toBeLessThan(600)
  })

  it('compares object_kind with X-Hook-Event', () => {
    const error = errorOf(push, textOf('tag_push'))
    expect(error.code).toBe('kind-mismatch')
    expect(error.message).toBe(
      'X-Hook-Event is Push Hook, so object_kind must be push, but it is "tag_push" (EVT-PUSH-05)',
    )
  })

  it.each([
    ['event-missing', {}, '{}', 'no X-Hook-Event'],
    ['event-missing', { 'X-Hook-Event': ['Push Hook', 'Job Hook'] }, '{}', 'several'],
    ['event-unknown', { 'X-Hook-Event': 'Lunch Hook' }, '{}', '"Lunch Hook"'],
    ['body-invalid', push, '{', 'not JSON'],
    ['body-invalid', push, '[]', 'not a JSON object, but []'],
    ['body-invalid', push, Buffer.from([0x22, 0xff, 0x22]), 'not JSON'],
    ['body-invalid', push, undefined, 'body parser'],
    ['body-invalid', push, null, 'null'],
  ])('%s: %j with the body %j', (code, headers, body, text) => {
    const error = errorOf(headers, body)
    expect(error.code).toBe(code)
    expect(error.message).toContain(text)
    expect(error.message).toMatch(/\((EVT-HEADER-03|EVT-DELIVERY-03)\)$/)
    expect(error.violations).toHaveLength(1)
  })

  it('examines only the event and object_kind without validation', () => {
    const options = { validate: false }
    expect(parseDelivery(push, pushed({ user_name: null }), options).event).toBe('push')
    expect(() => parseDelivery(push, textOf('job'), options)).toThrow('object_kind must be push')
    expect(() => parseDelivery(push, {}, options)).toThrow('/object_kind is missing')
  })
})

describe('verifyToken', () => {
  const token = 'delivery-secret'

  it.each([
    [{ 'X-Hook-Token': token }, true],
    [{ 'x-hook-token': [token] }, true],
    [new Headers({ 'X-Hook-Token': token }), true],
    [{}, false],
    [{ 'x-hook-token': undefined }, false],
    [{ 'x-hook-token': '' }, false],
    [{ 'x-hook-token': 'delivery-secrex' }, false],
    [{ 'x-hook-token': 'delivery' }, false],
    [{ 'x-hook-token': `${token}x` }, false],
    [{ 'x-hook-token': token.toUpperCase() }, false],
    [{ 'x-hook-token': [token, token] }, false],
    [{ 'x-hook-token': token, 'X-Hook-Token': 'other' }, false],
    [{ 'x-hook-token': [] }, false],
    [new Headers(), false],
  ])('%j: %s', (headers, expected) => {
    expect(verifyToken(headers, token)).toBe(expected)
  })

  it('compares the bytes of tokens that are not ASCII', async () => {
    const secret = 'clé-ключ'
    const bytes = Buffer.from(secret).toString('latin1')
    expect(verifyToken(await received({ 'X-Hook-Token': bytes }), secret)).toBe(true)
    expect(verifyToken({ 'x-hook-token': secret }, secret)).toBe(true)
    // Latin-1 would truncate these characters to those of the token.
    expect(verifyToken({ 'x-hook-token': '\u0161' }, 'a')).toBe(false)
  })

  it.each(['', undefined])('throws without the token of the hook: %j', (missing) => {
    expect(() => verifyToken({}, missing as string)).toThrow('set the secret')
  })
})
