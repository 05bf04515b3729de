import type { Check, Clock, Context, Gate, Message } from '../../engine/index.ts'
import type { SuiteSettings } from '../../target-file/index.ts'
import type { Secrets } from '../../wire/index.ts'

/** What every subject is opened with. */
export interface RunEnvironment {
  gate: Gate
  clock: Clock
  /** Milliseconds for one exchange. */
  timeout: number
  secrets: Secrets
  /** What the target file says of the suite itself. */
  suite: SuiteSettings
  /** The target ends with the run, and all that was made there with it: nothing needs to be deleted. */
  throwaway: boolean
  /** Gives each message of the run its number. */
  number: () => number
}

/** A subject opened for one run. */
export interface OpenSubject<World, M extends Message> {
  world(context: Context<M>): World
  /** Tidies up after a check that has played. */
  cleanUp(world: World): Promise<void>
  /** Ends what was played, and deletes what was made unless the target is thrown away. Names what could not be deleted. */
  close(throwaway: boolean): Promise<string[]>
}

/** The checks that judge what one section of the target file names. `Target` is the value of that section. */
export interface Subject<World, M extends Message, Target> {
  readonly checks: readonly Check<World, M>[]
  /** Why checks that are about these forms of a target have nothing to do with this one; undefined where they have, or are about all forms. */
  inapplicable?(target: Target, forms: readonly string[] | undefined): string | undefined
  open(target: Target, surroundings: RunEnvironment): OpenSubject<World, M>
}

/** A subject whose world is its own affair. */
export type AnySubject<Target> = Subject<never, Message, Target>

/** Forgets what the world of a subject is: the engine hands it only to the subject's own checks. */
export function subject<World, M extends Message, Target>(
  definition: Subject<World, M, Target>,
): AnySubject<Target> {
  return definition as unknown as AnySubject<Target>
}
