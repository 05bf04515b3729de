import {
  requirements,
  type Requirement,
  type RequirementId,
} from '../../generated/requirements/index.ts'
import type { Finding } from './verdict.ts'

/** Limits which checks run at the same time. A check with a lock must not wait for a stage. */
export interface Scheduling {
  /** Name of a lock held exclusively while the check runs. */
  readonly exclusiveLock?: string | undefined
  /** Name of a lock shared with other checks while the check runs. */
  readonly sharedLock?: string | undefined
  /**
   * Whether the check sends its requests earlier than its place in the list of checks implies. Set
   * this for a check with many consecutive requests, because otherwise the run would wait for it at
   * the end.
   */
  readonly sendsEarly?: boolean | undefined
}

interface Common {
  /** Unique and stable: the id of the requirement and the title. */
  readonly key: string
  readonly requirement: RequirementId
  /** The entry of the requirement in the catalogue. */
  readonly entry: Requirement
  /** The expected behaviour in the present tense: "refuses a file and a URL together". */
  readonly title: string
  readonly needs: readonly string[]
  /**
   * If this requirement is not met, the check is blocked. An acting check starts only after the
   * checks of this requirement.
   */
  readonly root?: RequirementId | undefined
  /**
   * The forms of target to which the requirement applies, such as the authentication pattern `jwt`;
   * by default all. For other targets, the check is not applicable.
   */
  readonly forms?: readonly string[] | undefined
  /**
   * The operation, transport or value at which the check tests the requirement: one of the `doors`
   * that the catalogue lists. Undefined if the check tests several of them.
   */
  readonly door?: string | undefined
}

/** A check that sends requests and judges the responses. */
export interface ActingCheck<World> extends Common, Scheduling {
  readonly kind: 'act'
  run(world: World): Promise<void>
}

/** A check that sends nothing: it examines every message that the other checks received. */
export interface WatchingCheck<Message> extends Common {
  readonly kind: 'watch'
  /**
   * Requirements whose checks cause the messages. If no message was received, the verdict names the
   * first of these requirements that is not met.
   */
  readonly sources: readonly RequirementId[]
  /** Describes the messages that the check examines, for reports: "response with status 413". */
  readonly examines?: string | undefined
  /** Findings about one message; none if the message is not of the kind that the check examines. */
  examine(message: Message): Omit<Finding, 'exchange'>[]
}

export type Check<World, Message> = ActingCheck<World> | WatchingCheck<Message>

interface Options<Need extends string> {
  title: string
  /** Keys of the target file, added to those of the requirement. */
  needs?: readonly Need[]
  root?: RequirementId | undefined
  forms?: readonly string[] | undefined
  /** As in `Check`. */
  door?: string | undefined
}

function common(
  requirement: RequirementId,
  { title, needs = [], root, forms, door }: Options<string>,
): Common {
  const entry: Requirement = requirements[requirement]
  return {
    key: `${requirement} ${title}`,
    requirement,
    entry,
    title,
    needs: [...new Set([...entry.needs, ...needs])],
    root,
    forms,
    door,
  }
}

/** Makes an acting check. `Need` is the type of the target file's keys that the check can need. */
export function actingCheck<World, Need extends string = never>(
  requirement: RequirementId,
  {
    exclusiveLock,
    sharedLock,
    sendsEarly,
    run,
    ...options
  }: Options<Need> & Scheduling & Pick<ActingCheck<World>, 'run'>,
): ActingCheck<World> {
  return {
    ...common(requirement, options),
    kind: 'act',
    exclusiveLock,
    sharedLock,
    sendsEarly,
    run,
  }
}

/** Makes a watching check. `Need` is the type of the target file's keys that the check can need. */
export function watchingCheck<Message, Need extends string = never>(
  requirement: RequirementId,
  {
    sources,
    examines,
    examine,
    ...options
  }: Options<Need> & Pick<WatchingCheck<Message>, 'sources' | 'examines' | 'examine'>,
): WatchingCheck<Message> {
  return { ...common(requirement, options), kind: 'watch', sources, examines, examine }
}
