import type { Check, Clock, Context, Gate, Message, Random } from '../../engine/index.ts'
import type { SuiteSettings } from '../../target-file/index.ts'
import type { HttpClient, Secrets } from '../../wire/index.ts'
import type { Journal, Leftovers } from './journal.ts'

/** What every subject gets when a run opens it. */
export interface RunEnvironment {
  gate: Gate
  clock: Clock
  /** Timeout of one exchange, in milliseconds. */
  timeout: number
  /** The maximum time that the run waits in total because of rate limits, in milliseconds. */
  rateLimitWait: number
  /** Depends only on the seed of the run and on the subject. */
  random: Random
  secrets: Secrets
  /** The section `suite` of the target file. */
  suite: SuiteSettings
  /** Whether the target is discarded after the run, so that nothing needs to be deleted. */
  throwaway: boolean
  /** Where the run notes what it creates and changes. */
  journal: Journal
  /** Returns the number of the next message of the run. */
  nextNumber: () => number
  /** Aborts when the run is cancelled. */
  signal?: AbortSignal | undefined
}

/** What a subject gets to remove what earlier runs left. */
export type CleanEnvironment = Pick<
  RunEnvironment,
  'gate' | 'clock' | 'timeout' | 'rateLimitWait' | 'secrets' | 'suite' | 'journal'
>

/** A subject opened for one run. */
export interface OpenSubject<World, M extends Message> {
  world(context: Context<M>): World
  /** Cleans up after a check. */
  cleanUp(world: World): Promise<void>
  /**
   * Closes connections and servers, and deletes what the run created unless the target is
   * discarded. Returns what could not be deleted.
   */
  close(throwaway: boolean): Promise<string[]>
  /** Lines of YAML to add to the target file, derived from the responses of the target. */
  proposals?(): string[]
  /** The versions of the protocol that the target and the suite agreed on: `2025-11-25`. */
  protocolVersions?(): string[]
}

/** Finds mistakes in a target file before any check runs. */
export interface Preflight<Target> {
  /**
   * The addresses at which servers must listen, by their keys in the target file: URLs, or a host
   * with a port.
   */
  addresses(target: Target): Readonly<Record<string, string | undefined>>
  /**
   * Sends requests that change nothing at the target, or that the target file permits. Resolves to
   * the mistake in the target file, in one line; undefined if the responses do not prove one.
   */
  findMistake?(target: Target, client: HttpClient): Promise<string | undefined>
}

/** The checks of one kind of server. `Target` is the type of its section of the target file. */
export interface Subject<World, M extends Message, Target> {
  readonly checks: readonly Check<World, M>[]
  readonly preflight: Preflight<Target>
  /**
   * Returns why checks for `forms` do not apply to the target; undefined if they apply, or if
   * `forms` is undefined. A form is, for example, an authentication pattern of tool servers.
   */
  inapplicable?(target: Target, forms: readonly string[] | undefined): string | undefined
  open(target: Target, environment: RunEnvironment): OpenSubject<World, M>
  /**
   * Removes what earlier runs left at the target. Returns a line for each thing that remains.
   * Subjects without this function can only clean up at the end of a run. With `force`, also
   * deletes resources if the server does not show whether a run created them.
   */
  cleanLater?(
    target: Target,
    environment: CleanEnvironment,
    leftovers: Leftovers,
    options: { force: boolean },
  ): Promise<string[]>
}

/** A subject without the types of its world and messages. */
export type AnySubject<Target> = Subject<never, Message, Target>

/**
 * Hides the types of a subject's world and messages. That is safe because the engine passes the
 * world only to checks of the same subject.
 */
export function subject<World, M extends Message, Target>(
  definition: Subject<World, M, Target>,
): AnySubject<Target> {
  return definition as unknown as AnySubject<Target>
}
