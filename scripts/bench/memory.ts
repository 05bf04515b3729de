import { loadOf, send } from './load.ts'
import { ask, started } from './process.ts'
import { paired, type Row } from './row.ts'
import type { StatefulServer } from './stateful-server.ts'

const many = 100_000
const few = 100
const wantedMB = 200
const rounds = 20
const perRound = 500

/** What many records take beside their pictures, and whether a page among many takes longer than one among few. */
export async function memory(): Promise<Row[]> {
  const small = await started<StatefulServer>('stateful-server.js', [String(few)])
  const large = await started<StatefulServer>('stateful-server.js', [String(many)])
  const { account, token, pictureBytes } = large.said
  // Every page is read once: what lists remember of the pictures is counted too.
  for (let page = 1; page <= many / 100; page += 1)
    await loadOf(`${account}/images/v2?page=${page}&per_page=100`, token)
  const { used } = await ask<{ used: number }>(large.child, { used: true })
  const megabytes = (used - pictureBytes) / 1024 / 1024

  const among = {
    few: await loadOf(`${small.said.account}/images/v2?page=3&per_page=20`, small.said.token),
    many: await loadOf(`${account}/images/v2?page=${many / 40}&per_page=20`, token),
  }
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = -5; round < rounds; round += 1) {
    for (const side of ['few', 'many'] as const) {
      const begun = performance.now()
      await send(among[side], perRound, 1)
      if (round >= 0) times[side].push(((performance.now() - begun) * 1000) / perRound)
    }
  }
  small.child.kill()
  large.child.kill()
  return [
    {
      what: `memory of ${many} records, without pictures`,
      ours: megabytes,
      against: wantedMB,
      unit: 'MB',
      baseline: 'what is allowed',
      ratio: megabytes / wantedMB,
      atMost: 1,
    },
    paired(
      {
        what: `a page of 20 among ${many} pictures`,
        unit: 'µs',
        baseline: `a page of 20 among ${few}`,
        atMost: 2,
      },
      times.many,
      times.few,
    ),
  ]
}
