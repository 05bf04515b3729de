import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileStore, memoryStore } from './store.ts'
import {
  ada,
  authorizeUrl,
  TestBrowser,
  registerClient,
  exchange,
  startProvider,
  obtainTokens,
  resourceStatus,
} from './oauth.testing.ts'

async function newFilePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-kv-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'kv.json')
}

test('removes expired values', async () => {
  let now = 0
  const store = memoryStore(() => now)
  await store.put('short', 'a', 10)
  await store.put('long', 'b')
  now = 10
  expect([await store.get('short'), await store.get('long'), await store.get('other')]).toEqual([
    undefined,
    'b',
    undefined,
  ])
  await store.delete('long')
  expect(await store.get('long')).toBeUndefined()
})

test('a file keeps client, login and tokens across restarts, in encrypted form', async () => {
  const path = await newFilePath()
  const start = async () => startProvider({ env: { OAUTH_KV: await fileStore(path, Date.now) } })
  const first = await start()
  const { id, secret } = await registerClient(first.origin, {
    token_endpoint_auth_method: 'client_secret_post',
  })
  const browser = new TestBrowser()
  const { text } = await browser.open(authorizeUrl(first.origin, id))
  const code =
    (
      await browser.send(first.origin, text, { ...ada, decision: 'approve' })
    ).location.searchParams.get('code') ?? ''
  const { json } = await exchange(first.origin, id, code, { client_secret: secret })
  await first.server.close()
  const { origin } = await start()
  expect(await resourceStatus(origin, json['access_token'])).toBe(200)
  expect((await browser.open(authorizeUrl(origin, id))).text).toContain('signed in as <b>ada</b>')
  const fileContent = await readFile(path, 'utf8')
  for (const hidden of [
    secret ?? '',
    code,
    String(json['access_token']),
    String(json['refresh_token']),
    'ada@',
    'password',
    ...browser.cookies.values(),
  ])
    expect(fileContent).not.toContain(hidden)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a file with another format is not overwritten', async () => {
  const path = await newFilePath()
  await writeFile(path, 'not JSON')
  await expect(fileStore(path, Date.now)).rejects.toThrow()
  expect(await readFile(path, 'utf8')).toBe('not JSON')
})

test('a custom store can be used', async () => {
  const map = new Map<string, string>()
  const store = {
    get: async (key: string) => map.get(key),
    put: async (key: string, value: string) => void map.set(key, value),
    delete: async (key: string) => void map.delete(key),
  }
  const { origin } = await startProvider({ env: { OAUTH_KV: store } })
  const { id } = await registerClient(origin)
  expect([
    await resourceStatus(origin, (await obtainTokens(origin, id))['access_token']),
    [...map.keys()].every((key) => /^\w+:/.test(key)),
  ]).toEqual([200, true])
})
