import { createServer, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { Running } from '../registry.ts'
import { attack, victims } from './attack.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Attacks a receiver that responds to every request in the same way. */
async function attackServer(status: number, body: string) {
  server = createServer((request, response) => {
    request.resume()
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const mock = { urls: { receiver: `http://127.0.0.1:${port}/hook` }, tokens: { secret: 'x' } }
  const receiver = victims.find(({ name }) => name === 'receiver')!
  return attack(receiver, mock as unknown as Running, { count: 50, seed: 1 })
}

test('finds internal errors', async () => {
  const { suspicious, statuses } = await attackServer(500, '')
  expect(suspicious.length).toBe(statuses[500])
  expect(suspicious.length).toBeGreaterThan(20)
})

test('finds files of the machine in responses', async () => {
  const { leaks } = await attackServer(200, 'root:x:0:0:root:/root:/bin/sh')
  expect(leaks.length).toBeGreaterThan(20)
})

test('sends the same requests for the same seed', async () => {
  const { statuses } = await attackServer(200, '')
  server.close()
  expect((await attackServer(200, '')).statuses).toEqual(statuses)
})
