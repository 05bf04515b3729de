import { prepareLoad, sendLoad } from './load.ts'
import { ask, startProcess } from './process.ts'
import { comparePairs, type Measurement } from './measurement.ts'
import type { ReadyMessage } from './stateful-server.ts'

const many = 100_000
const few = 100
const limitMB = 200
const rounds = 20
const perRound = 500

/**
 * Measures how much memory many image records need without their image data. Also measures whether
 * a page of a long list takes longer than a page of a short one.
 */
export async function measureMemory(): Promise<Measurement[]> {
  const small = await startProcess<ReadyMessage>('stateful-server.js', [String(few)])
  const large = await startProcess<ReadyMessage>('stateful-server.js', [String(many)])
  const { account, token, imageBytes } = large.firstMessage
  // Read every page once, so that the caches of the list are counted too.
  for (let page = 1; page <= many / 100; page += 1)
    await prepareLoad(`${account}/images/v2?page=${page}&per_page=100`, token)
  const { used } = await ask<{ used: number }>(large.child, { used: true })
  const megabytes = (used - imageBytes) / 1024 / 1024

  const loads = {
    few: await prepareLoad(
      `${small.firstMessage.account}/images/v2?page=3&per_page=20`,
      small.firstMessage.token,
    ),
    many: await prepareLoad(`${account}/images/v2?page=${many / 40}&per_page=20`, token),
  }
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = -5; round < rounds; round += 1) {
    for (const side of ['few', 'many'] as const) {
      const begun = performance.now()
      await sendLoad(loads[side], perRound, 1)
      if (round >= 0) times[side].push(((performance.now() - begun) * 1000) / perRound)
    }
  }
  small.child.kill()
  large.child.kill()
  return [
    {
      what: `memory of ${many} records, without image data`,
      ours: megabytes,
      against: limitMB,
      unit: 'MB',
      baseline: 'the limit',
      ratio: megabytes / limitMB,
      atMost: 1,
    },
    comparePairs(
      {
        what: `a page of 20 among ${many} images`,
        unit: 'µs',
        baseline: `a page of 20 among ${few}`,
        atMost: 2,
      },
      times.many,
      times.few,
    ),
  ]
}
