import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attack, startVictim, victims } from './attack.ts'

/** The number of requests to each mock. For a longer attack, set TOUCHSTONE_MALFORMED=10000. */
const count = Number(process.env.TOUCHSTONE_MALFORMED ?? 1500)
const seed = Number(process.env.TOUCHSTONE_SEED ?? 20261126)

const crashes: unknown[] = []
const crashed = (reason: unknown) => {
  crashes.push(reason)
}
beforeEach(() => {
  crashes.length = 0
  process.on('uncaughtException', crashed).on('unhandledRejection', crashed)
})
afterEach(() => {
  process.off('uncaughtException', crashed).off('unhandledRejection', crashed)
  expect(crashes).toEqual([])
  // A member of Object.prototype is a member of every object.
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

describe.each(victims)('$name', (victim) => {
  test('answers malformed requests without crashes or internal errors', async () => {
    const mock = await startVictim(victim)
    try {
      const { statuses, suspicious, leaks } = await attack(victim, mock, { count, seed })
      expect(suspicious).toEqual([])
      expect(leaks).toEqual([])
      // Several different statuses show that requests reach the mock, and not only its HTTP parser.
      expect(Object.keys(statuses).length).toBeGreaterThan(3)
      expect(Object.values(statuses).reduce((sum, one) => sum + one)).toBe(count)
    } finally {
      await mock.close()
    }
  })
})

test('memory stays small during malformed requests', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const usedBytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const receiver = victims.find(({ name }) => name === 'receiver')!
  const mock = await startVictim(receiver)
  await attack(receiver, mock, { count, seed })
  const before = usedBytes()
  await attack(receiver, mock, { count: 3 * count, seed: seed + 1 })
  // The receiver keeps the latest accepted deliveries, whose number is limited.
  expect(usedBytes() - before).toBeLessThan(30_000_000)
  await mock.close()
})

test('serves a client while 2,000 connections are idle and 200 are slow', async () => {
  const mock = await startVictim(victims[0]!)
  const { url, headers } = mock.example(new Map()) as {
    url: string
    headers: Record<string, string>
  }
  const port = Number(new URL(url).port)
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject)
    })
  const sockets = await Promise.all(Array.from({ length: 2200 }, open))
  const slow = sockets.slice(0, 200)
  for (const socket of sockets) socket.on('error', () => {})
  for (const byte of 'POST / HTT')
    await Promise.all(slow.map((socket) => new Promise((sent) => socket.write(byte, sent))))
  const response = await fetch(url, { headers })
  expect(response.status).toBe(200)
  await response.text()
  for (const socket of sockets) socket.destroy()
  await mock.close()
})
