import { prepareLoad, sendLoad } from './load.ts'
import { ask, readCpuTime, startProcess } from './process.ts'
import { comparePairs, type Measurement } from './measurement.ts'
import type { ReadyMessage } from './stateful-server.ts'

const rounds = 30
const perRound = 1500

/**
 * Compares the CPU time per request of the stateful mock with that of a bare node:http server that
 * sends the same bytes.
 */
export async function measureCosts(): Promise<Measurement[]> {
  const bare = await startProcess<{ port: number }>('bare-server.js')
  const stateful = await startProcess<ReadyMessage>('stateful-server.js', ['100'])
  const { account, token, id } = stateful.firstMessage
  const rows: Measurement[] = []
  for (const [what, path] of [
    ['a list of 20', '/images/v2?page=1&per_page=20'],
    ['a get', `/images/v1/${id}`],
  ] as const) {
    const load = await prepareLoad(account + path, token)
    await ask(bare.child, { body: load.body })
    const bareLoad = await prepareLoad(`http://127.0.0.1:${bare.firstMessage.port}/`, token)
    const ours: number[] = []
    const against: number[] = []
    for (let round = -5; round < rounds; round += 1) {
      const [b, s] = [
        await costOf(bare.child, {
          ...load,
          port: bareLoad.port,
          responseBytes: bareLoad.responseBytes,
        }),
        await costOf(stateful.child, load),
      ]
      // The first rounds are a warm-up.
      if (round < 0) continue
      against.push(b)
      ours.push(s)
    }
    rows.push(
      comparePairs(
        {
          what: `CPU time of ${what}, stateful mock`,
          unit: 'µs',
          baseline: 'bare node:http, same bytes',
          atMost: 3,
        },
        ours,
        against,
      ),
    )
  }
  bare.child.kill()
  stateful.child.kill()
  return rows
}

async function costOf(
  child: Parameters<typeof readCpuTime>[0],
  load: Parameters<typeof sendLoad>[0],
): Promise<number> {
  const before = await readCpuTime(child)
  await sendLoad(load, perRound)
  return ((await readCpuTime(child)) - before) / perRound
}
