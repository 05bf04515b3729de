import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RequirementId } from '../../../generated/requirements/index.ts'
import type { Started } from '../family.ts'
import { startServerProcess } from '../server-process.ts'

/** One behaviour that a blind implementation can change, as its author describes it. */
export interface BlindSwitch {
  readonly name: string
  /** Whether its author considers the behaviour allowed, or a violation. */
  readonly kind: 'choice' | 'violation'
  /** The heading of the document, or the section of a standard, that the behaviour concerns. */
  readonly where: string
  readonly does: string
}

/**
 * A server by an author who has read only the document and the standards that it names, but nothing
 * of this project. The folder `blind` contains these servers as they were when the suite first
 * tested them.
 */
export interface BlindServer {
  readonly name: string
  readonly switches: readonly BlindSwitch[]
  /**
   * The contract whose checks judge the server. By default, all contracts of its target judge it.
   */
  readonly contract?: 'auth'
  /**
   * Requirements whose checks are left out: they would wait long for this server, or its author did
   * not follow a recommendation.
   */
  readonly skipped: readonly RequirementId[]
  /**
   * Expectations that the server does not meet with any switch, each with what the server does. The
   * keys are those of `expectationKey`. A check in which no other expectation is unmet does not
   * count.
   */
  readonly unmet?: Readonly<Record<string, string>>
  /**
   * Switches that are judged in real time, because they concern times of a second or more. `all`
   * means every switch, for example if a server in a separate process has no faster clock.
   */
  readonly realTime: readonly string[] | 'all'
  start(on: readonly string[]): Promise<Started>
}

// The servers are not compiled. If this module runs compiled, in `dist`, it reads them from the
// source folder.
const folder = new URL(
  import.meta.url.includes('/dist/') ? '../../../../conformance/proof/blind/' : '../blind/',
  import.meta.url,
)

/** The path of a file in the folder of the blind implementations. */
export const blindPath = (file: string): string => fileURLToPath(new URL(file, folder))

/**
 * The switches of an implementation in another language. The file contains what the option `--list`
 * of that implementation prints.
 */
export const readSwitches = (name: string): BlindSwitch[] =>
  JSON.parse(readFileSync(blindPath(`${name}/switches.json`), 'utf8')) as BlindSwitch[]

/** The program that runs a file in the folder of the blind implementations. */
export const interpreterOf = (file: string): string =>
  file.endsWith('.py') ? 'python3' : process.execPath

/** The options that turn switches on. */
export const optionsOf = (on: readonly string[]): string[] => on.flatMap((name) => ['--on', name])

/** Starts a file in the folder of the blind implementations, as a separate process. */
export const startBlindProcess = <Facts>(
  file: string,
  on: readonly string[],
  { args = [], env }: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
) =>
  startServerProcess<Facts>(interpreterOf(file), [blindPath(file), ...args, ...optionsOf(on)], env)
