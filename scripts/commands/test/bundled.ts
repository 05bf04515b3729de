import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processClock } from '../../../conformance/engine/index.ts'
import type { Section } from '../../../conformance/suite.ts'
import type { Target } from '../../../conformance/target.ts'
import { mocks, type BundledOptions } from '../../../mocks/registry.ts'
import type { Pattern } from './patterns.ts'

interface Bundled {
  target: Omit<Target, 'suite'>
  /**
   * Settings of the suite: short waiting times, which suffice if the suite and the servers run on
   * one machine.
   */
  suite: Partial<Target['suite']>
  close(): Promise<void>
}

/** The mock of each section. Does not compile if a section has no mock. */
const starters: { readonly [S in Section]: Starter<S> } = mocks

interface Starter<S extends Section> {
  bundled(options: BundledOptions): Promise<{
    target: NonNullable<Target[S]>
    suite?: Partial<Target['suite']>
    close(): Promise<void>
  }>
}

/**
 * Returns the arguments with which Node starts the `touchstone` command: its source file if this
 * file is a source, otherwise its compiled file.
 */
function touchstoneArguments(): string[] {
  const own = fileURLToPath(new URL(`../../touchstone${extname(import.meta.url)}`, import.meta.url))
  return own.endsWith('.ts') ? ['--import', 'tsx', own] : [own]
}

/**
 * Starts the bundled servers of these sections of the target file on free ports. The tool server
 * authenticates with `pattern`.
 */
export async function startBundled(
  sections: readonly Section[],
  pattern: Pattern,
): Promise<Bundled> {
  // The servers run in this process. Their timers use a clock that stops while the process cannot
  // run, so that no timer expires meanwhile.
  const options = {
    auth: pattern,
    touchstoneArguments: touchstoneArguments(),
    timers: processClock,
  }
  const started = await Promise.all(
    sections.map(async (section) => ({ section, ...(await starters[section].bundled(options)) })),
  )
  return {
    target: Object.fromEntries(started.map(({ section, target }) => [section, target])),
    suite: Object.assign({}, ...started.map(({ suite }) => suite)) as Bundled['suite'],
    close: async () => void (await Promise.all(started.map(({ close }) => close()))),
  }
}
