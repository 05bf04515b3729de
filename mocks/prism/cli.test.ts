import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContractImages, type ContractImagesServer } from './images.ts'

// With the same documents, the contract mock and the published `prism mock` command return the same
// responses, except that failures of the contract mock have more members, as clients expect.
const require = createRequire(import.meta.url)
const headers = { Authorization: 'Bearer images-token' }
let mock: ContractImagesServer
let prism: ChildProcess
let prismUrl: string

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

beforeAll(async () => {
  mock = await startContractImages()
  const port = await freePort()
  const command = require.resolve('@stoplight/prism-cli/dist/index.js')
  prism = spawn(
    process.execPath,
    [
      command,
      'mock',
      require.resolve('#specs/openapi/images-account.yaml'),
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-v',
      'error',
    ],
    { stdio: 'ignore' },
  )
  prismUrl = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const up = await fetch(prismUrl).then(
      () => true,
      () => false,
    )
    if (up) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('prism mock did not start')
})
afterAll(async () => {
  const ended = once(prism, 'exit')
  prism.kill('SIGKILL')
  await Promise.all([ended, mock.close()])
})

const paths = [
  '/accounts/acc-1/images/v2',
  '/accounts/acc-1/images/v1/variants',
  '/accounts/acc-1/images/v1/variants/hero',
]
const codes = [200, 400, 401, 403, 404, 413, 429, 500, 502]

test.each(paths.flatMap((path) => codes.map((code) => ({ path, code }))))(
  'GET $path with Prefer: code=$code returns the response of `prism mock`',
  async ({ path, code }) => {
    const fetchReply = async (base: string) => {
      const response = await fetch(base + path, { headers: { ...headers, Prefer: `code=${code}` } })
      const text = (await response.text())
        .replaceAll(mock.uploadUrl, 'https://upload.example')
        .replaceAll(mock.deliveryUrl, 'https://delivery.example')
      return { status: response.status, body: JSON.parse(text) as object }
    }
    const { status, body } = await fetchReply(prismUrl)
    expect(status).toBe(code)
    const expected = code === 200 ? body : { ...body, messages: [], result: null }
    expect(await fetchReply(mock.accountUrl)).toEqual({ status, body: expected })
  },
)
