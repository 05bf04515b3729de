import { connect, type ClientHttp2Session } from 'node:http2'
import { bidirectionalGreeting, encodeGreetingRequest } from '../../generated/greeting/index.ts'
import { ask, startProcess, startMock } from './process.ts'
import { comparePairs, type Measurement } from './measurement.ts'

const rounds = 15
/** Requests per round, over all streams. */
const perRound = 16_000
const streams = 8
/** Concurrent requests per stream. */
const burstSize = 100

/**
 * Compares the time per greeting of the mock with that of an echo by grpc-js, and measures whether
 * the memory of the mock stays constant.
 */
export async function measureGreetings(): Promise<Measurement[]> {
  const echo = await startProcess<{ address: string }>('echo-server.js')
  const greeting = await startMock('greeting')
  const sessions = [greeting.firstMessage.urls['rpc']!, echo.firstMessage.address].map((address) =>
    connect(`http://${address}`),
  ) as [ClientHttp2Session, ClientHttp2Session]
  const memory = async () => (await ask<{ rss: number }>(greeting.child, {})).rss / 1024 / 1024
  const [ours, against]: [number[], number[]] = [[], []]
  let early = 0
  for (let round = -5; round < rounds; round += 1) {
    const times = [await measureRound(sessions[0]), await measureRound(sessions[1])] as const
    // The first rounds are a warm-up.
    if (round === -1) early = await memory()
    if (round < 0) continue
    ours.push(times[0])
    against.push(times[1])
  }
  const late = await memory()
  for (const session of sessions) session.destroy()
  echo.child.kill()
  greeting.child.kill()
  return [
    comparePairs(
      {
        what: 'a greeting on a stream, greeting mock',
        unit: 'µs',
        baseline: 'an echo by bare grpc-js',
        atMost: 1.11,
      },
      ours,
      against,
    ),
    {
      what: `memory after ${(rounds + 5) * perRound} greetings`,
      ours: late,
      against: early,
      unit: 'MB',
      baseline: `after ${5 * perRound}`,
      ratio: late / early,
      atMost: 1.5,
    },
  ]
}

/** Returns the microseconds per message in a round. */
async function measureRound(session: ClientHttp2Session): Promise<number> {
  const begun = performance.now()
  await Promise.all(Array.from({ length: streams }, () => stream(session, perRound / streams)))
  return ((performance.now() - begun) * 1000) / perRound
}

const message = encodeGreetingRequest({
  name: 'Ada Lovelace',
  request_id: '8d0f2a51-6f0e-4f2b-9c0e-2b1d5f7a9c33',
})
const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message])
const burst = Buffer.concat(Array.from({ length: burstSize }, () => frame))

/**
 * Sends a burst of requests, waits for its responses, and repeats this. Reads only the lengths of
 * the responses, because a client that decoded them would be slower than the servers.
 */
function stream(session: ClientHttp2Session, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = session.request({
      ':method': 'POST',
      ':path': bidirectionalGreeting.path,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    let [sent, got, skip] = [0, 0, 0]
    let head: Buffer = Buffer.alloc(0)
    const next = () => {
      if (sent >= count) return void call.end()
      sent += burstSize
      call.write(burst)
    }
    call.on('data', (chunk: Buffer) => {
      let at = 0
      while (at < chunk.length) {
        const skipped = Math.min(skip, chunk.length - at)
        skip -= skipped
        at += skipped
        if (at >= chunk.length) break
        const part = chunk.subarray(at, at + 5 - head.length)
        head = head.length === 0 && part.length === 5 ? part : Buffer.concat([head, part])
        at += part.length
        if (head.length < 5) break
        skip = head.readUInt32BE(1)
        head = Buffer.alloc(0)
        got += 1
      }
      if (got === sent) next()
    })
    call
      .on('end', () =>
        got === count ? resolve() : reject(new Error(`received ${got} of ${count} responses`)),
      )
      .on('error', reject)
    next()
  })
}
