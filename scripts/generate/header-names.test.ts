import { afterAll, expect, test } from 'vitest'
import { events } from '../../generated/events/contract.ts'
import * as stated from '../../generated/events/index.ts'
import { accessTokenHeader, type HookRequestHeaders } from '../../generated/hooks/index.ts'
import {
  deliveryHeaderNames,
  eventHeaders,
  parseDelivery,
  verifyToken,
  type EventName,
  type HeadersByEvent,
} from '../../kit/events/index.ts'
import { exampleOf } from '../../generated/events/examples.ts'
import { startHooks } from '../../mocks/stateful/hooks.ts'

const server = await startHooks({ token: 'an-access-token' })
afterAll(() => server.close())

test('a request with the named header is accepted, and one without it is refused', async () => {
  const statusWith = async (headers: HookRequestHeaders | Record<string, string>) =>
    (
      await fetch(`${server.url}/projects/42/hooks`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: 'http://127.0.0.1:1/hook' }),
      })
    ).status
  const headers: HookRequestHeaders = { 'PRIVATE-TOKEN': 'an-access-token' }
  expect(Object.keys(headers)).toEqual([accessTokenHeader])
  expect(await statusWith(headers)).toBe(201)
  expect(await statusWith({})).toBe(401)
})

test.each(Object.keys(eventHeaders) as EventName[])(
  'a receiver finds the event %s and the token by the names of their headers',
  (event) => {
    expect(eventHeaders[event]).toBe(events[event].header)
    const headers = {
      [deliveryHeaderNames.event]: eventHeaders[event],
      [deliveryHeaderNames.token]: 'a-token',
      [deliveryHeaderNames.userAgent]: 'Repository/4.2',
    }
    expect(verifyToken(headers, 'a-token')).toBe(true)
    expect(parseDelivery(headers, exampleOf(event)!.text).event).toBe(event)
    expect(stated.validateDeliveryHeaders(headers)).toBe(true)
  },
)

test('the types name the headers and their values, and both strictnesses agree', () => {
  const push: HeadersByEvent['push'] = {
    'X-Hook-Event': 'Push Hook',
    'User-Agent': 'Repository/4.2',
  }
  // @ts-expect-error another event has another value
  const issue: HeadersByEvent['issue'] = push
  expect(issue['X-Hook-Event']).toBe(eventHeaders.push)
  expect(stated.eventHeaders).toEqual(eventHeaders)
  expect(stated.deliveryHeaderNames).toEqual(deliveryHeaderNames)
})
