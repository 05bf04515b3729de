import { expect, onTestFinished, test } from 'vitest'
import type { RequestEntry } from '../../serving/log.ts'
import { startGreeting } from '../greeting.ts'
import { clientOf, greetAll } from './greeting.testing.ts'

test('logs one line for each stream, with its gRPC status', async () => {
  const entries: RequestEntry[] = []
  let onEntry = () => {}
  const logged = (count: number) =>
    new Promise<void>((resolve) => {
      onEntry = () => {
        if (entries.length === count) resolve()
      }
      onEntry()
    })
  const server = await startGreeting({
    token: 'hush',
    serving: {
      onRequest(entry) {
        entries.push(entry)
        onEntry()
      },
    },
  })
  const client = clientOf(server)
  onTestFinished(async () => {
    client.close()
    await server.close()
  })
  await greetAll(client, ['Ada', 'Grace'], { authorization: 'Bearer hush' })
  await greetAll(client, ['Ada'])
  await logged(2)
  const common = {
    server: 'greeting',
    method: 'POST',
    path: '/examples.GreetingService/BidirectionalGreeting',
    status: 200,
  }
  expect(entries).toMatchObject([
    { ...common, grpc: 'OK' },
    { ...common, grpc: 'UNAUTHENTICATED', reason: expect.stringMatching(/./) as string },
  ])
  expect(entries[0]).not.toHaveProperty('reason')
  expect(JSON.stringify(entries)).not.toContain('hush')
})
