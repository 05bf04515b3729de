import type { Running } from '../registry.ts'
import type { ValidRequest } from './mutations.ts'

const boundary = 'boundary-of-the-form'

/** A form with these fields and a small file. */
const formOf = (fields: Readonly<Record<string, string>>) =>
  [
    ...Object.entries(fields).map(
      ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
    ),
    'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG',
  ]
    .map((part) => `--${boundary}\r\n${part}\r\n`)
    .join('')
    .concat(`--${boundary}--\r\n`)

/** Valid requests to one host of a mock. */
interface Sender {
  /** The host of the mock; a key of `Running.urls`. */
  readonly host: string
  readonly requests: readonly ValidRequest[]
}

/** A request with a JSON body. */
const json = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  value: unknown,
): ValidRequest => ({
  method,
  path,
  headers: { Host: '127.0.0.1', 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** A request without a body. */
const bare = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): ValidRequest => ({ method, path, headers: { Host: '127.0.0.1', ...headers } })

/** A request with a multipart form. */
const form = (
  path: string,
  headers: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
): ValidRequest => ({
  method: 'POST',
  path,
  headers: {
    Host: '127.0.0.1',
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    ...headers,
  },
  body: formOf(fields),
})

/** A request with a URL-encoded form. */
const fields = (path: string, values: Readonly<Record<string, string>>): ValidRequest => ({
  method: 'POST',
  path,
  headers: { Host: '127.0.0.1', 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(values).toString(),
})

const pathOf = (url: string) => new URL(url).pathname.replace(/\/$/, '')

function imagesSenders({ urls, tokens, identifiers }: Running): Sender[] {
  const base = `${pathOf(urls['account']!)}/accounts/${identifiers['account']}/images`
  const headers = { Authorization: `Bearer ${tokens['api']}` }
  const variant = { id: 'wide', options: { fit: 'cover', width: 10, height: 10, metadata: 'none' } }
  const batch = pathOf(urls['batch']!)
  return [
    {
      host: 'account',
      requests: [
        bare('GET', `${base}/v2?page=1&per_page=20`, headers),
        bare('GET', `${base}/v1/variants`, headers),
        bare('GET', `${base}/v1/some-image`, headers),
        bare('DELETE', `${base}/v1/some-image`, headers),
        form(`${base}/v1`, headers, { id: 'a', metadata: '{"a":1}', requireSignedURLs: 'true' }),
        json('POST', `${base}/v2/direct_upload`, headers, {
          metadata: { a: [1] },
          expiry: '2030-01-01T00:00:00Z',
        }),
        json('POST', `${base}/v1/variants`, headers, variant),
        json('PATCH', `${base}/v1/variants/public`, headers, variant),
        json('PATCH', `${base}/v1/config`, headers, { flexible_variants: true }),
      ],
    },
    {
      host: 'batch',
      requests: [
        bare('GET', `${batch}/images/v2`, { Authorization: `Bearer ${tokens['batch']}` }),
        form(`${batch}/images/v1`, { Authorization: `Bearer ${tokens['batch']}` }, {}),
      ],
    },
    { host: 'upload', requests: [form(`${pathOf(urls['upload']!)}/some-ticket`, {}, {})] },
    { host: 'delivery', requests: [bare('GET', `${pathOf(urls['delivery']!)}/some-image/public`)] },
  ]
}

function hooksSenders({ urls, tokens, identifiers }: Running): Sender[] {
  const base = `${pathOf(urls['api']!)}/projects/${identifiers['project']}/hooks`
  const headers = { 'PRIVATE-TOKEN': Object.values(tokens)[0]! }
  const hook = { url: 'http://127.0.0.1:9/', token: 'abc', push_events: true }
  return [
    {
      host: 'api',
      requests: [
        json('POST', base, headers, hook),
        bare('POST', `${base}/1/test/push_events`, headers),
        bare('GET', `${base}/1`, headers),
      ],
    },
  ]
}

function receiverSenders({ urls, tokens }: Running): Sender[] {
  const headers = { 'X-Hook-Token': Object.values(tokens)[0]!, 'X-Hook-Event': 'Push Hook' }
  const push = { object_kind: 'push', ref: 'refs/heads/main', commits: [{ id: 'a' }] }
  return [{ host: 'receiver', requests: [json('POST', pathOf(urls['receiver']!), headers, push)] }]
}

function toolsSenders({ urls, tokens }: Running): Sender[] {
  const headers = {
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2025-11-25',
    ...(tokens['bearer'] === undefined ? {} : { Authorization: `Bearer ${tokens['bearer']}` }),
  }
  const path = pathOf(urls['mcp']!)
  const call = (method: string, params: object) =>
    json('POST', path, headers, { jsonrpc: '2.0', id: 1, method, params })
  const client = { name: 'x', version: '1' }
  const message = { role: 'user', content: 'hello' }
  return [
    {
      host: 'mcp',
      requests: [
        call('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: { elicitation: {} },
          clientInfo: client,
        }),
        call('tools/list', {}),
        call('tools/call', { name: 'shelf_search_books', arguments: { query: 'sea', limit: 5 } }),
        call('resources/read', { uri: 'shelf://books/1' }),
        call('ping', message),
        json('POST', path, headers, { jsonrpc: '2.0', method: 'notifications/cancelled' }),
        bare('GET', path, { ...headers, 'Mcp-Session-Id': 'x' }),
        bare('DELETE', path, { ...headers, 'Mcp-Session-Id': 'x' }),
        json('POST', '/messages?sessionId=x', headers, { jsonrpc: '2.0', id: 1, method: 'ping' }),
      ],
    },
  ]
}

/** Requests to a tool server that is also an authorization server. */
function oauthSenders(): Sender[] {
  const redirect = 'http://127.0.0.1:9/back'
  const query = new URLSearchParams({
    client_id: 'x',
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    state: 's',
  })
  return [
    {
      host: 'mcp',
      requests: [
        json('POST', '/register', {}, { client_name: 'x', redirect_uris: [redirect] }),
        bare('GET', `/authorize?${query}`),
        fields('/token', {
          grant_type: 'authorization_code',
          code: 'x',
          code_verifier: 'a'.repeat(43),
          redirect_uri: redirect,
          client_id: 'x',
        }),
        fields('/token', { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'x' }),
        fields('/introspect', { token: 'x' }),
        fields('/revoke', { token: 'x' }),
        bare('GET', '/.well-known/oauth-authorization-server'),
      ],
    },
  ]
}

function identitySenders(): Sender[] {
  return [
    {
      host: 'identity',
      requests: [
        bare(
          'GET',
          '/authorize?client_id=shelf&redirect_uri=http://127.0.0.1:9/&response_type=code',
        ),
        fields('/token', { grant_type: 'authorization_code', code: 'x', client_id: 'shelf' }),
        bare('GET', '/user', { Authorization: 'Bearer x' }),
        fields('/authorize', { login: 'ada', password: 'x' }),
      ],
    },
  ]
}

/** Valid requests to each mock that speaks HTTP/1.1, by the name of the mock. */
export const senders: Readonly<Record<string, (mock: Running) => readonly Sender[]>> = {
  images: imagesSenders,
  hooks: hooksSenders,
  receiver: receiverSenders,
  tools: toolsSenders,
  oauth: oauthSenders,
  identity: identitySenders,
}
