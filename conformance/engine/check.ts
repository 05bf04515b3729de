import {
  requirements,
  type Requirement,
  type RequirementId,
} from '../../generated/requirements/index.ts'
import type { Finding } from './verdict.ts'

/** How a check shares the target with the others. One that has a word must not wait for a stage of the run. */
export interface Sharing {
  /** A word that it has for itself while it plays. */
  readonly exclusive?: string | undefined
  /** A word that it has together with whoever shares it too, while nobody has it for himself. */
  readonly shares?: string | undefined
  /** Whether it sends half as late as its place in the plan says: where its requests follow one another, so that the run does not end with them. */
  readonly early?: boolean | undefined
}

interface Common {
  /** Unique and stable: requirement and title. */
  readonly key: string
  readonly requirement: RequirementId
  readonly row: Requirement
  /** A fact in the present tense: «refuses a file and a URL together». */
  readonly title: string
  readonly needs: readonly string[]
  /** Its check must pass before this one starts. */
  readonly root?: RequirementId | undefined
  /** The forms of a target that the row is about; all where it is not given. To others it is not applicable, whatever it needs. */
  readonly forms?: readonly string[] | undefined
}

/** A check that acts: it sends, and expects things of what comes back. */
export interface PlayedCheck<World> extends Common, Sharing {
  readonly kind: 'play'
  play(world: World): Promise<void>
}

/** A check that sends nothing: it examines every message that the other checks received. */
export interface WatchingCheck<Message> extends Common {
  readonly kind: 'watch'
  /** Whose messages it lives on: where none came, one of these says why. */
  readonly sources: readonly RequirementId[]
  /** Findings about one message; none where the message is not of the kind it watches. */
  examine(message: Message): Omit<Finding, 'exchange'>[]
}

export type Check<World, Message> = PlayedCheck<World> | WatchingCheck<Message>

interface Options<Need extends string> {
  title: string
  /** Paths of the target file, added to those of the row. */
  needs?: readonly Need[]
  root?: RequirementId | undefined
  forms?: readonly string[] | undefined
}

function common(
  requirement: RequirementId,
  { title, needs = [], root, forms }: Options<string>,
): Common {
  const row: Requirement = requirements[requirement]
  return {
    key: `${requirement} ${title}`,
    requirement,
    row,
    title,
    needs: [...new Set([...row.needs, ...needs])],
    root,
    forms,
  }
}

/** A check that plays. `Need` are the paths that it can need. */
export function playing<World, Need extends string = never>(
  requirement: RequirementId,
  {
    exclusive,
    shares,
    early,
    play,
    ...options
  }: Options<Need> & Sharing & Pick<PlayedCheck<World>, 'play'>,
): PlayedCheck<World> {
  return { ...common(requirement, options), kind: 'play', exclusive, shares, early, play }
}

/** A check that watches. `Need` are the paths that it can need. */
export function watching<Message, Need extends string = never>(
  requirement: RequirementId,
  {
    sources,
    examine,
    ...options
  }: Options<Need> & Pick<WatchingCheck<Message>, 'sources' | 'examine'>,
): WatchingCheck<Message> {
  return { ...common(requirement, options), kind: 'watch', sources, examine }
}
