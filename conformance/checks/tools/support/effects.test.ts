import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { FakeUpstream } from '../../../wire/fakes/upstream.ts'
import { readEffects } from './effects.ts'
import type { ObservedRequest } from './plain-calls.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Starts an upstream that stores what PUT requests contain, and a fake upstream in front of it. */
async function startUpstream(): Promise<FakeUpstream> {
  const stored = new Map<string, string>([['/readers/1', '{"city":"Graz"}']])
  let reads = 0
  const server: Server = createServer((request, response) => {
    const { method = '', url = '' } = request
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      if (method === 'PUT') stored.set(url, body)
      if (method === 'DELETE') stored.delete(url)
      if (method === 'POST') {
        if (url === '/loans') stored.set('/loans/7', '{"id":7}')
        return response.writeHead(201).end(url === '/search' ? '{"id":9}' : '{"id":7}')
      }
      const text = url === '/clock' ? `{"reads":${(reads += 1)}}` : stored.get(url)
      response.writeHead(text === undefined ? 404 : 200).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  const upstream = await FakeUpstream.start({ forward: `http://127.0.0.1:${port}` })
  closing.push(() => upstream.close())
  return upstream
}

const put = (path: string): ObservedRequest => ({
  method: 'PUT',
  path,
  status: 200,
  location: undefined,
})

test.each<[string, readonly [method: string, path: string, body?: string][], object]>([
  [
    'another resource changes',
    [
      ['PUT', '/readers/1', '{"city":"Graz"}'],
      ['PUT', '/readers/2', '{"city":"Leeds"}'],
    ],
    { changed: ['/readers/2'], created: [] },
  ],
  ['the known resource changes', [['PUT', '/readers/9', '{}']], { changed: [], created: [] }],
  [
    'another resource stays the same',
    [['PUT', '/readers/1', '{"city":"Graz"}']],
    { changed: [], created: [] },
  ],
  ['a resource is deleted', [['DELETE', '/readers/1']], { changed: ['/readers/1'], created: [] }],
  [
    'a lock is created and deleted',
    [
      ['PUT', '/locks/4', '{}'],
      ['DELETE', '/locks/4'],
    ],
    { changed: [], created: [] },
  ],
  ['a resource differs in each read', [['PUT', '/clock', '{}']], { changed: [], created: [] }],
  [
    'a resource is created without Location',
    [['POST', '/loans', '{}']],
    { changed: [], created: ['/loans'] },
  ],
  ['a search has status 201 and an id', [['POST', '/search', '{}']], { changed: [], created: [] }],
])('the effects of a call: %s', async (_name, requests, expected) => {
  const upstream = await startUpstream()
  const { creations, otherChanges } = await readEffects(
    { upstream, timeout: 1000, wait: () => Promise.resolve() },
    [put('/readers/9')],
    async () => {
      for (const [method, path, body = null] of requests)
        await (await fetch(`${upstream.url}${path}`, { method, body })).text()
    },
  )
  expect({
    changed: otherChanges.map(({ path }) => path),
    created: creations.map(({ path }) => path),
  }).toEqual(expected)
})
