import { expect, test } from 'vitest'
import type { AuditEntry, JwtGuard } from '../tools.ts'
import { connectClient, initializeRequest, post, startServer } from './tools.testing.ts'

const summary = ({ tool, outcome, reason }: AuditEntry): string =>
  [tool, outcome, reason].filter((part) => part !== undefined).join(' ')

test.each(['http', 'sse', 'stdio'] as const)(
  'the audit log contains each tool call over %s with its outcome, without its arguments',
  async (transport) => {
    const entries: AuditEntry[] = []
    const server = await startServer({ onAuditEntry: (entry) => entries.push(entry) })
    const { call } = await connectClient(server, transport)
    await call('search_books', { query: 'the secret sea' })
    await call('get_book', { id: 'b-999' })
    await call('get_book', { id: 'no id' })
    await call('burn_books').catch(() => {})
    expect(entries.map(summary)).toEqual([
      'shelf_search_books done',
      'shelf_get_book failed status 404',
      'shelf_get_book refused invalid input',
      'shelf_burn_books refused unknown tool',
    ])
    expect(entries[0]).toMatchObject({ event: 'tool call', transport })
    expect(Date.parse(entries[0]!.at)).toBeGreaterThan(0)
    expect(JSON.stringify(entries)).not.toMatch(/secret sea|no id|b-999/)
    expect(server.context.audit.newestFirst()).toEqual(entries.toReversed())
  },
)

test('the audit log contains the user of a call, and requests without a valid token', async () => {
  const server = await startServer({ auth: { pattern: 'jwt' } })
  const { guard, audit } = server.context
  const token = await (guard as JwtGuard).token({ sub: 'grace' })
  const sessionOf = async (authorization: string) =>
    post(server, initializeRequest(), { authorization })
  const { session } = await sessionOf(`Bearer ${token}`)
  const headers = { authorization: `Bearer ${token}`, 'mcp-session-id': session ?? '' }
  await post(server, callStatus, headers)
  await post(server, callStatus)
  await sessionOf('Basic eDp5')
  await sessionOf('Bearer stolen')
  expect(audit.newestFirst().map(({ event, user, reason }) => [event, user, reason])).toEqual([
    ['resource', undefined, 'invalid_token'],
    ['resource', undefined, 'no token'],
    ['resource', undefined, 'no token'],
    ['tool call', 'grace', undefined],
  ])
  expect(JSON.stringify(audit.newestFirst())).not.toMatch(/stolen|eDp5|eyJ/)
})

test('a control route returns the latest entries of the audit log, newest first', async () => {
  const server = await startServer({ controlRoutes: true })
  const { call } = await connectClient(server)
  await call('show_status')
  await call('read_rules', { topic: 'loans' })
  const url = new URL('/_touchstone/audit', server.mcp)
  const { entries } = (await (await fetch(url)).json()) as { entries: AuditEntry[] }
  expect(entries.map(({ tool }) => tool)).toEqual(['shelf_read_rules', 'shelf_show_status'])
  const refused = await fetch(url, { method: 'POST' })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET'])
})

const callStatus = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'shelf_show_status', arguments: {} },
}
