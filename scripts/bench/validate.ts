import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { payloadOf } from '../../mocks/deliveries/payload.ts'
import { inputsOf } from '../commands/deliveries/inputs.ts'
import { ValidatePrinter } from '../commands/validate/print.ts'
import { judgeInput } from '../commands/validate/read.ts'
import { timeProgram, touchstoneFile } from './process.ts'
import { comparePairs, type Measurement } from './measurement.ts'

const many = 100_000
/** The number of different payloads. The measured file repeats them. */
const payloadCount = 2000
const rounds = 7

/** Compares the time of `validate`, from file to output, with that of JSON.parse. */
export async function measureValidation(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  try {
    const payloads = Array.from({ length: payloadCount }, (_, seed) =>
      JSON.stringify(payloadOf('push', { name: 'commits-no-avatar', seed })),
    )
    const lines = Array.from({ length: many / payloadCount }, () =>
      payloads.map((text) => Buffer.from(text).toString()),
    ).flat()
    const file = join(folder, 'pushes.ndjson')
    writeFileSync(file, lines.join('\n'))
    const times = { parse: [] as number[], inProcess: [] as number[], command: [] as number[] }
    for (let round = -2; round < rounds; round += 1) {
      const taken = {
        parse: await timeFunction(() => parse(lines)),
        inProcess: await timeFunction(() => judge(file)),
        command: await timeProgram([touchstoneFile, 'validate', file]),
      }
      // The first rounds are a warm-up.
      if (round < 0) continue
      for (const side of ['parse', 'inProcess', 'command'] as const) times[side].push(taken[side])
    }
    const common = {
      unit: 'ms',
      baseline: 'JSON.parse of the same lines, nothing else',
      atMost: 2,
    } as const
    const what = `${many} pushes of ${(payloads[0]!.length / 1000).toFixed(1)} kB validated, file to output`
    return [
      comparePairs({ what, ...common }, times.inProcess, times.parse),
      comparePairs(
        { what: `${what}, with touchstone validate`, ...common },
        times.command,
        times.parse,
      ),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the run time of a function in milliseconds. */
async function timeFunction(act: () => unknown): Promise<number> {
  const begun = performance.now()
  await act()
  return performance.now() - begun
}

function parse(lines: readonly string[]): void {
  for (const line of lines) JSON.parse(line)
}

async function judge(file: string): Promise<void> {
  const printer = new ValidatePrinter({}, { write: () => {} })
  const wrong = await judgeInput(inputsOf([file])[0]!, {}, printer.print)
  printer.end(0)
  if (wrong !== undefined || printer.totals.ok !== many)
    throw new Error(wrong ?? `${printer.totals.ok} of ${many} payloads were valid`)
}
