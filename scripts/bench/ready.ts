import { join } from 'node:path'
import { startUntilFirstLine, touchstoneFile } from './process.ts'
import { median, comparePairs, type Measurement } from './measurement.ts'

const rounds = 11

/** Measures how long the mocks take until they are ready, including the start of the process. */
export async function measureStartup(): Promise<Measurement[]> {
  const bare: number[] = []
  const stateful: number[] = []
  const contract: number[] = []
  const mock = [touchstoneFile, 'mock', 'images', '--json', '--port', '0']
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await readyAfter([join(import.meta.dirname, 'bare-server.js')]))
    stateful.push(await readyAfter([...mock, '--stateful']))
    contract.push(await readyAfter(mock))
  }
  const allowed = 3000
  const middle = median(contract)
  return [
    comparePairs(
      {
        what: 'start of the stateful mock with `touchstone mock`, until it is ready',
        unit: 'ms',
        baseline: 'start of a bare node:http server, until it is ready',
        atMost: 3,
      },
      stateful,
      bare,
    ),
    {
      what: 'start of the stateless mock with `touchstone mock`, until it is ready',
      ours: middle,
      against: allowed,
      unit: 'ms',
      baseline: 'the limit',
      ratio: middle / allowed,
      atMost: 1,
    },
  ]
}

async function readyAfter(args: readonly string[]): Promise<number> {
  const { milliseconds, stop } = await startUntilFirstLine(args)
  stop()
  return milliseconds
}
