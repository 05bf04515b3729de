import { describe, expect, it } from 'vitest'
import { firstEvent, describeEndpointFlaw, isUriReference } from './sse-endpoint.ts'

const endpoint = { type: 'endpoint', data: '/messages?id=1' }

describe('the first event of a stream', () => {
  it.each([
    ['with LF', 'event: endpoint\ndata: /messages?id=1\n\nevent: message\ndata: {}\n\n'],
    ['with CRLF', 'event: endpoint\r\ndata: /messages?id=1\r\n\r\n'],
    ['with CR', 'event: endpoint\rdata: /messages?id=1\r\r'],
    ['after a comment', ': hello\n\nevent: endpoint\ndata: /messages?id=1\n\n'],
    ['after an empty event', 'id: 0\ndata:\n\nevent: endpoint\ndata: /messages?id=1\n\n'],
    ['after a retry time', 'retry: 1000\n\nid: 3\n\ndata:/messages?id=1\nevent:endpoint\n\n'],
  ])('is read %s', (_, stream) => {
    expect(firstEvent(stream)).toEqual(endpoint)
  })

  it('is a message if it has no type', () => {
    expect(firstEvent('data: {\ndata: }\n\n')).toEqual({ type: 'message', data: '{\n}' })
  })

  it.each([
    '',
    ': only a comment\n\n',
    'event: endpoint\ndata: /mess',
    'event: endpoint\ndata: /messages\n',
  ])('is missing in %j', (stream) => {
    expect(firstEvent(stream)).toBeUndefined()
  })
})

describe('an endpoint', () => {
  it.each(['/messages?sessionId=1', 'messages', '?id=a%20b', 'http://[::1]:8000/m'])(
    'can be %s',
    (value) => {
      expect(isUriReference(value)).toBe(true)
    },
  )

  it.each(['', '{"uri":"/messages"}', '/mess ages', '/%zz'])('cannot be %j', (value) => {
    expect(isUriReference(value)).toBe(false)
  })

  it('is not required without a stream', () => {
    const flawOf = (httpStatus: number, data: string | undefined) =>
      describeEndpointFlaw({
        stream: { httpStatus, contentType: 'text/event-stream' },
        endpoint: data,
      } as unknown as Parameters<typeof describeEndpointFlaw>[0])
    expect(flawOf(404, undefined)).toBeUndefined()
    expect(flawOf(200, '/m')).toBeUndefined()
    expect(flawOf(200, undefined)).toBe('no endpoint event was received')
    expect(flawOf(200, '{}')).toBe('the endpoint is not a URL: "{}"')
  })
})
