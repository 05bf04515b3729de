import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startHooks, targetOf as hooksTargetOf } from '../mocks/stateful/hooks.ts'
import { startGreeting } from '../mocks/stateful/greeting.ts'
import { startImages, targetOf } from '../mocks/stateful/images.ts'
import { startReceiver, targetOf as receiverTargetOf } from '../mocks/stateful/receiver.ts'
import { startTools, targetOf as toolsTargetOf } from '../mocks/stateful/tools.ts'
import { findMistakes } from './preflight.ts'
import { onResult } from './proof/faults/tools/building.ts'
import { suiteDefaults } from './target-file/index.ts'
import type { Target } from './target.ts'

const find = (target: Omit<Target, 'suite'>, wait = 0) =>
  findMistakes({ ...target, suite: suiteDefaults }, { wait })

async function newImages(change: Partial<NonNullable<Target['images']>> = {}) {
  const server = await startImages({})
  onTestFinished(() => server.close())
  return { images: { ...targetOf(server), ...change } }
}

/** Starts a server that answers each request with a status, by its method and path. */
async function newServer(statusOf: (request: string) => number, port = 0): Promise<string> {
  const server: Server = createServer(({ method, url, headers }, response) => {
    const token = headers.authorization ?? ''
    response.writeHead(statusOf(`${method} ${url} ${token}`), { Location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A port at which no server listens. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('finds no mistake in the target of a server that works, and changes nothing there', async () => {
  const server = await startImages({})
  onTestFinished(() => server.close())
  const images = targetOf(server)
  expect(await find({ images })).toEqual([])
  const list = await fetch(`${images.url}/accounts/${images.account}/images/v2`, {
    headers: { Authorization: `Bearer ${images.token}` },
  })
  expect(await list.json()).toMatchObject({ result: { images: [] } })
})

test('names the address and the key of each server that does not listen', async () => {
  const port = await freePort()
  const refused = (key: string) =>
    `127.0.0.1:${port}: connection refused. Is the server running? (${key})`
  const address = `127.0.0.1:${port}`
  expect(
    await find({
      receiver: { url: `http://${address}/hook`, events: ['push'], onMismatch: 'refuse' },
      greeting: { address },
    }),
  ).toEqual([refused('receiver.url'), refused('greeting.address')])
})

test('waits for a server that listens later', async () => {
  const port = await freePort()
  const found = find({ greeting: { address: `127.0.0.1:${port}` } }, 20_000)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await newServer(() => 200, port)
  expect(await found).toEqual([])
})

test.for([
  [{ token: 'wrong' }, /^401 for GET .*: images\.token \(IMAGES_TOKEN\) was refused\.$/],
  [{ account: 'other' }, /^404 for GET .*: check images\.account, and whether images\.url lacks/],
] as const)('explains that the image API rejects %j', async ([change, mistake]) => {
  expect(await find(await newImages(change))).toEqual([expect.stringMatching(mistake)])
})

test('explains that the image API is at another path, or redirects', async () => {
  const { images } = await newImages()
  expect(await find({ images: { ...images, url: images.url.replace('/client', '') } })).toEqual([
    expect.stringMatching(/^404 for GET .*lacks the version segment, such as \/client\/v4\.$/),
  ])
  expect(await find({ images: { ...images, url: await newServer(() => 301) } })).toEqual([
    expect.stringMatching(/^301 for GET .*, to "\/elsewhere": correct images\.url\.$/),
  ])
})

// Such servers are broken, and the checks report how.
test.for([
  ['only lists are missing', (request: string) => (request.includes('/images/v2') ? 404 : 400)],
  [
    'only lists refuse the token',
    (request: string) => (request.includes('/images/v2') ? 401 : 404),
  ],
  ['every request fails', () => 500],
] as const)('finds no mistake in the target if %s', async ([, statusOf]) => {
  const url = await newServer(statusOf)
  expect(await find(await newImages({ url }))).toEqual([])
})

test('explains that the hook API refuses the token, or has no such project', async () => {
  const server = await startHooks({})
  onTestFinished(() => server.close())
  const { hooks } = hooksTargetOf(server)
  expect(await find({ hooks })).toEqual([])
  expect(await find({ hooks: { ...hooks, token: 'wrong' } })).toEqual([
    expect.stringMatching(/^401 for POST .*: hooks\.token \(HOOKS_TOKEN\) was refused\.$/),
  ])
  expect(await find({ hooks: { ...hooks, url: hooks.url.replace('v4', 'v3') } })).toEqual([
    expect.stringMatching(/^404 for POST .*: check hooks\.project, and whether hooks\.url lacks/),
  ])
})

test('explains that a tool server is at another path, and that its program is missing', async () => {
  const origin = await newServer(() => 404)
  expect(await find({ tools: { http: `${origin}/mcp` } })).toEqual([
    `404 for POST ${origin}/mcp: check the path in tools.http, such as /mcp or /sse.`,
  ])
  expect(await find({ tools: { sse: `${origin}/sse` } })).toEqual([
    `404 for GET ${origin}/sse: check the path in tools.sse, such as /mcp or /sse.`,
  ])
  expect(await find({ tools: { stdio: { command: 'touchstone-missing-program' } } })).toEqual([
    'touchstone-missing-program: no such program. Check tools.stdio.command.',
  ])
  expect(await find({ tools: { stdio: { command: 'node', cwd: 'missing-folder' } } })).toEqual([
    'missing-folder: no such folder. Check tools.stdio.cwd.',
  ])
})

test('explains that the program of a tool server ends at once', async () => {
  const start = (...args: string[]) =>
    find({ tools: { stdio: { command: process.execPath, args } } })
  expect(await start('missing-file-of-touchstone.js')).toEqual([
    expect.stringMatching(
      /^\S+: the process ended \(exit code 1\).*missing-file-of-touchstone\.js.*\. Check tools\.stdio\.command and tools\.stdio\.args\.$/,
    ),
  ])
  // A program that ends without an error, or after output, is judged by the checks.
  expect(await start('-e', '')).toEqual([])
  expect(await start('-e', 'process.stdin.on("data", () => process.exit(1))')).toEqual([])
  expect(await start('-e', 'console.log("ready"); process.exitCode = 1')).toEqual([])
})

test('names the two keys if the command of a tool server contains arguments', async () => {
  expect(
    await find({ tools: { stdio: { command: 'touchstone-missing server.py stdio' } } }),
  ).toEqual([
    `touchstone-missing server.py stdio: no such program. Check tools.stdio.command. Arguments belong in tools.stdio.args: --tools-stdio-command touchstone-missing --tools-stdio-args '["server.py","stdio"]'`,
  ])
})

test('explains that a tool server requires a token, or refuses the signed one', async () => {
  const url = `${await newServer(() => 401)}/mcp`
  expect(await find({ tools: { http: url, sse: url } })).toEqual([
    `401 for POST ${url}: the server requires a token. Set tools.auth.pattern (jwt, oauth-proxy, oauth-provider) and the keys of this pattern; for a fixed token, jwt and TOOLS_TOKEN.`,
  ])
  const server = await startTools({ transports: ['http', 'sse'], auth: { pattern: 'jwt' } })
  onTestFinished(() => server.close())
  const { http, sse, auth: jwt } = toolsTargetOf(server).tools
  expect(await find({ tools: { http, sse, auth: jwt } })).toEqual([])
  // The checks find out whether a server that requires no authentication refuses requests. For the
  // patterns of OAuth, there is no token yet.
  for (const pattern of ['none', 'oauth-proxy', 'oauth-provider'] as const)
    expect(await find({ tools: { http: url, auth: { ...jwt!, pattern } } })).toEqual([])
  const wrong = { ...jwt!, secret: 'another-secret-of-more-than-32-bytes' }
  const reason =
    'the token that the suite signed was refused. Check tools.auth.secret (TOOLS_JWT_SECRET), tools.auth.issuer and tools.auth.audience.'
  expect(await find({ tools: { http, auth: wrong } })).toEqual([`403 for POST ${http}: ${reason}`])
  expect(await find({ tools: { sse, auth: wrong } })).toEqual([`403 for GET ${sse}: ${reason}`])
  const { secret: _, ...withoutSecret } = jwt!
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2lnbmF0dXJl'
  expect(await find({ tools: { http, auth: { ...withoutSecret, token } } })).toEqual([
    `403 for POST ${http}: tools.auth.token (TOOLS_TOKEN) was refused.`,
  ])
})

/** Starts a tool server. In the target file, the name of its search tool is `tool`. */
async function newTools(tool: string, options: Parameters<typeof startTools>[0] = {}) {
  const server = await startTools({ transports: ['http', 'sse'], ...options })
  onTestFinished(() => server.close())
  const { search, ...tools } = toolsTargetOf(server).tools
  return { tools: { ...tools, search: { ...search!, tool } } }
}

test('names the similar tool, and all others, if a name in the target file is misspelled', async () => {
  expect(await find(await newTools('shelf_serach_books'))).toEqual([
    expect.stringMatching(
      /^The server has no tool shelf_serach_books \(tools\.search\.tool\)\. Did you mean shelf_search_books\? The server lists (shelf_\w+, )*shelf_search_books(, shelf_\w+)*\.$/,
    ),
  ])
})

test('names the similar argument if a call in the target file lacks a required one', async () => {
  const { tools } = await newTools('shelf_search_books')
  const calls = { shelf_get_book: { idd: 'b-001' } }
  expect(await find({ tools: { ...tools, calls } })).toEqual([
    'The call of shelf_get_book lacks id, which its input schema requires (tools.calls.shelf_get_book). Did you mean id instead of idd?',
  ])
  expect(await find({ tools: { ...tools, calls: { shelf_get_book: { id: 'b-001' } } } })).toEqual(
    [],
  )
})

test('leaves a name to the checks if the server may be what is wrong', async () => {
  expect(await find(await newTools('shelf_search_books'))).toEqual([])
  // No listed tool has a similar name.
  expect(await find(await newTools('unlike_all_others'))).toEqual([])
  // The server lists the tool under a similar name, but has it.
  const misspell = onResult('tools/list', (result) => ({
    ...result,
    tools: (result['tools'] as { name: string }[]).map((tool) => ({
      ...tool,
      name: tool.name.replace('search_books', 'search_book'),
    })),
  }))
  expect(
    await find(
      await newTools(
        'shelf_search_books',
        misspell(() => {}),
      ),
    ),
  ).toEqual([])
  // The server does not list its tools.
  const refuse = onResult('tools/list', () => ({}))
  expect(
    await find(
      await newTools(
        'shelf_serach_books',
        refuse(() => {}),
      ),
    ),
  ).toEqual([])
})

test.for([
  [
    { batch: { token: 'wrong' } },
    /^401 for GET .*: images\.batch\.token \(IMAGES_BATCH_TOKEN\) was/,
  ],
  [
    { other: { token: 'wrong' } },
    /^401 for GET .*: images\.other\.token \(IMAGES_OTHER_TOKEN\) was/,
  ],
  [
    { other: { account: 'missing' } },
    /^403 for GET .*does not allow access to images\.other\.account\.$/,
  ],
] as const)('explains that the image API rejects the keys %j', async ([change, mistake]) => {
  const { images } = await newImages()
  const changed = {
    ...images,
    batch: { ...images.batch!, ...('batch' in change ? change.batch : {}) },
    other: { ...images.other!, ...('other' in change ? change.other : {}) },
  }
  expect(await find({ images: changed })).toEqual([expect.stringMatching(mistake)])
})

test('explains that the batch host is at another path', async () => {
  const { images } = await newImages()
  const url = `${images.batch!.url}/elsewhere`
  expect(await find({ images: { ...images, batch: { ...images.batch!, url } } })).toEqual([
    `404 for GET ${url}/images/v2: check whether images.batch.url lacks a part of its path.`,
  ])
})

test('explains that a receiver is at another path, or refuses the secret', async () => {
  const server = await startReceiver({ secret: 'a-secret-of-the-receiver' })
  onTestFinished(() => server.close())
  const { receiver } = receiverTargetOf(server)
  expect(await find({ receiver })).toEqual([])
  expect(await find({ receiver: { ...receiver, url: `${receiver.url}/elsewhere` } })).toEqual([
    `404 for POST ${receiver.url}/elsewhere: check whether receiver.url lacks a part of its path.`,
  ])
  expect(await find({ receiver: { ...receiver, secret: 'wrong-secret' } })).toEqual([
    `401 for POST ${receiver.url}: receiver.secret (RECEIVER_SECRET) was refused.`,
  ])
  const { secret: _, ...withoutSecret } = receiver
  expect(await find({ receiver: withoutSecret })).toEqual([
    `401 for POST ${receiver.url}: the receiver expects a secret: set receiver.secret (RECEIVER_SECRET).`,
  ])
})

// Such receivers are broken, and the checks report how.
test('finds no mistake in the target if a receiver refuses only some events', async () => {
  const statuses = [404, 200]
  const url = await newServer(() => statuses.shift() ?? 200)
  const receiver = { url, events: ['push', 'issue'], onMismatch: 'refuse' } as const
  expect(await find({ receiver: { ...receiver, events: [...receiver.events] } })).toEqual([])
})

test('explains that a greeting server has no such service', async () => {
  const server = await startGreeting()
  onTestFinished(() => server.close())
  const { address, service } = server
  expect(await find({ greeting: { address, service } })).toEqual([])
  expect(await find({ greeting: { address, service: 'examples.Missing' } })).toEqual([
    expect.stringContaining(
      `${address} has no service examples.Missing; server reflection lists ${service}`,
    ),
  ])
})
