import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RequirementId } from '../../../generated/requirements/index.ts'
import type { Started } from '../family.ts'

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
 * A server by an author who has read only the document and the standards that it names, and nothing
 * of this project. The folder `blind` contains these servers as they were when the suite first
 * tested them.
 */
export interface BlindServer {
  readonly name: string
  readonly switches: readonly BlindSwitch[]
  /** The contract by whose checks it is judged; by default all that its target names. */
  readonly contract?: 'auth'
  /** Open requirements whose checks are left out, because they would wait long for this server. */
  readonly skipped: readonly RequirementId[]
  /**
   * Switches that concern times of a second and more: they are judged in real time. A separate
   * process has no other clock.
   */
  readonly realTime: readonly string[] | 'all'
  start(on: readonly string[]): Promise<Started>
}

// The servers are next to the sources, also if this module runs compiled.
const folder = new URL(
  import.meta.url.includes('/dist/') ? '../../../../conformance/proof/blind/' : '../blind/',
  import.meta.url,
)

/** The path of a file in the folder of the blind implementations. */
export const blindPath = (file: string): string => fileURLToPath(new URL(file, folder))

/** The switches of an implementation in another language, as its `--list` prints them. */
export const readSwitches = (name: string): BlindSwitch[] =>
  JSON.parse(readFileSync(blindPath(`${name}/switches.json`), 'utf8')) as BlindSwitch[]
