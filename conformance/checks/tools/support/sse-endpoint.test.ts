import { describe, expect, it } from 'vitest'
import { firstEvent, describeEndpointFlaw, isUriReference } from './sse-endpoint.ts'

const endpoint = { type: 'endpoint', data: '/messages?id=1' }

describe('the first event of a stream', () => {
  it.each([
    ['with line feeds', 'event: endpoint\ndata: /messages?id=1\n\nevent: message\ndata: {}\n\n'],
    ['with both ends of lines', 'event: endpoint\r\ndata: /messages?id=1\r\n\r\n'],
    ['with carriage returns', 'event: endpoint\rdata: /messages?id=1\r\r'],
    ['behind a comment', ': hello\n\nevent: endpoint\ndata: /messages?id=1\n\n'],
    ['behind one that is empty', 'id: 0\ndata:\n\nevent: endpoint\ndata: /messages?id=1\n\n'],
    ['behind a time to wait', 'retry: 1000\n\nid: 3\n\ndata:/messages?id=1\nevent:endpoint\n\n'],
  ])('is read %s', (_, stream) => {
    expect(firstEvent(stream)).toEqual(endpoint)
  })

  it('is a message where it has no type', () => {
    expect(firstEvent('data: {\ndata: }\n\n')).toEqual({ type: 'message', data: '{\n}' })
  })

  it.each([
    '',
    ': only a comment\n\n',
    'event: endpoint\ndata: /mess',
    'event: endpoint\ndata: /messages\n',
  ])('is not there yet in %j', (stream) => {
    expect(firstEvent(stream)).toBeUndefined()
  })
})

describe('an endpoint', () => {
  it.each(['/messages?sessionId=1', 'messages', '?id=a%20b', 'http://[::1]:8000/m'])(
    '%s may be one',
    (text) => {
      expect(isUriReference(text)).toBe(true)
    },
  )

  it.each(['', '{"uri":"/messages"}', '/mess ages', '/%zz'])('%j is none', (text) => {
    expect(isUriReference(text)).toBe(false)
  })

  it('is told by nobody where there is no stream', () => {
    const told = (httpStatus: number, data: string | undefined) =>
      describeEndpointFlaw({
        stream: { httpStatus, contentType: 'text/event-stream' },
        endpoint: data,
      } as unknown as Parameters<typeof describeEndpointFlaw>[0])
    expect(told(404, undefined)).toBeUndefined()
    expect(told(200, '/m')).toBeUndefined()
    expect(told(200, undefined)).toBe('no endpoint event came')
    expect(told(200, '{}')).toBe('the endpoint is no URL: "{}"')
  })
})
