import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { newGate, processClock } from '../../engine/index.ts'
import { HttpClient, type HttpRequest } from '../../wire/index.ts'
import { closeServer, listen } from '../../../mocks/stateful/http/server.ts'
import { sendTogether } from './send-together.ts'

async function start(status: number) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end())
  })
  const url = await listen(server, 0)
  const client = new HttpClient({
    gate: newGate({ concurrency: 1, clock: processClock }),
    timeout: 60_000,
    secrets: {},
    rateLimitWait: 0,
  })
  onTestFinished(async () => {
    client.close()
    await closeServer(server)
  })
  return { url, client }
}

const post = (url: string): HttpRequest => ({
  operation: 'post',
  method: 'POST',
  url,
  body: { kind: 'text', text: 'a body that has two halves', type: 'text/plain' },
})

test('sends all first halves before the rest, even if only one request may be in progress', async () => {
  const { url, client } = await start(200)
  const events: string[] = []
  const send = ({ betweenHalves, ...request }: HttpRequest) =>
    client.send({
      ...request,
      betweenHalves: async () => {
        events.push('half')
        await betweenHalves!()
        events.push('rest')
      },
    })
  const exchanges = await sendTogether(send, post(url), 3)
  expect(exchanges.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(events).toEqual(['half', 'half', 'half', 'rest', 'rest', 'rest'])
})

test('a request that cannot be sent does not delay the others', async () => {
  const { url, client } = await start(204)
  let count = 0
  const send = (request: HttpRequest) =>
    client.send((count += 1) === 1 ? { ...request, url: 'not a URL' } : request)
  const exchanges = await sendTogether(send, post(url))
  expect(exchanges.map(({ status }) => status)).toEqual([undefined, 204])
})
