import type { ExpectedFailure, Json } from '../engine/index.ts'
import type { KeyKind } from './kinds.ts'
interface Options<V> {
  /** A short description. */
  readonly description: string
  /** An example in YAML. */
  readonly example: string
  /** Whether the section requires the key. */
  readonly required?: true
  /** The default in the form that a loaded target has: durations in milliseconds. */
  readonly default?: V
  /**
   * Whether code that creates a target can omit the key although it is required or has a default.
   */
  readonly optional?: true
  /**
   * What applies if the target has no value, for the documentation only. The code that reads the
   * key implements this.
   */
  readonly fallback?: string
  /** The environment variable from which the value is read if no option or file sets the key. */
  readonly variable?: string
  /** The former name of the key. Errors for this name suggest the current one. */
  readonly formerName?: string
  /** Another key of the same section that must be set too. */
  readonly with?: string
  /**
   * Whether the value `false` counts as set. By default, checks that need the key do not run if its
   * value is `false`.
   */
  readonly setting?: true
}

/** Whether every valid target has a value for a key. */
type Presence = 'always' | 'maybe'
type PresenceOf<O> = O extends { optional: true }
  ? 'maybe'
  : O extends { required: true } | { default: unknown }
    ? 'always'
    : 'maybe'

/** One key. `V` is the type of its value in a target. */
export interface Leaf<V = unknown, P extends Presence = Presence> extends Options<unknown> {
  readonly kind: KeyKind
  /** For the kinds `word` and `words`. */
  readonly choices?: readonly string[]
  /** Only for types: these members are never set. */
  readonly valueType?: V
  readonly presence?: P
}

const leaf =
  <V>(kind: KeyKind) =>
  <const O extends Options<V>>(options: O): Leaf<V, PresenceOf<O>> => ({ kind, ...options })

type Strings = Readonly<Record<string, string>>

export const root = leaf<string>('root')
export const url = leaf<string>('url')
export const text = leaf<string>('text')
export const id = leaf<string>('id')
/** Reports show the name of the key's environment variable instead of the value. */
export const secret: <const O extends Options<string> & { variable: string }>(
  options: O,
) => Leaf<string, PresenceOf<O>> = leaf<string>('secret')
export const toggle = leaf<boolean>('switch')
export const bytes = leaf<number>('bytes')
export const count = leaf<number>('count')
/** A loaded target has the value in milliseconds. */
export const duration = leaf<number>('duration')
/** A duration that is not 0. */
export const timeout = leaf<number>('timeout')
export const address = leaf<string>('address')
export const map = leaf<Strings>('map')
/** The name of a PEM file. A loaded target has the content of the file. */
export const pem = leaf<string>('pem')
/**
 * The name of a file that lists known failures, or the list. A loaded target has the file's path
 * from the working directory.
 */
export const failures = leaf<string | readonly ExpectedFailure[]>('failures')
export const object = leaf<Json>('object')
export const variables = leaf<Strings>('variables')
export const reasons = leaf<Strings>('reasons')
export const objects = leaf<Readonly<Record<string, Json>>>('objects')
export const texts = leaf<readonly string[]>('texts')
export const fields = leaf<Strings>('fields')

export const word = <const C extends string, const O extends Options<C>>(
  choices: readonly C[],
  options: O,
): Leaf<C, PresenceOf<O>> => ({ kind: 'word', choices, ...options })

export const words = <const C extends string, const O extends Options<readonly C[]>>(
  choices: readonly C[],
  options: O,
): Leaf<readonly C[], PresenceOf<O>> => ({ kind: 'words', choices, ...options })

export interface SectionMembers {
  readonly [name: string]: Leaf | KeyGroup
}

/**
 * The given keys of a group, for finding mistakes that concern several keys. Paths are relative to
 * the group: `command.args`.
 */
export interface Draft {
  /** All given keys, valid or not. */
  readonly setKeys: readonly string[]
  /** The values of the valid keys. */
  readonly values: ReadonlyMap<string, unknown>
}

/** A mistake: the key whose location is shown, and the message. */
export type Problem = readonly [key: string, message: string]

/** Carries a type for the compiler. Empty at run time. */
export interface Type<T> {
  readonly type?: T
}
export const typeOnly = <T>(): Type<T> => ({})

interface GroupOptions {
  /** The group counts as set if this key is set; by default, if any key of the group is set. */
  readonly presenceKey?: string
  /**
   * The keys that reports propose to set if a check needs the group; by default, its required keys.
   */
  readonly keysToPropose?: readonly string[]
  /** Another key next to the group that can be set instead. */
  readonly instead?: string
  readonly problems?: (draft: Draft) => readonly Problem[]
}

/** Several keys below one name: a map in the target file. */
export interface KeyGroup<
  M extends SectionMembers = SectionMembers,
  InCode = unknown,
> extends GroupOptions {
  readonly members: M
  /** The type of a value that code can pass in place of these keys. */
  readonly inCode?: Type<InCode>
}

export const group = <const M extends SectionMembers>(
  members: M,
  options: GroupOptions = {},
): KeyGroup<M, never> => ({ members, ...options })

/** A group that code can replace by a value of type `InCode`. */
export const groupOr = <const M extends SectionMembers, InCode>(
  members: M,
  inCode: Type<InCode>,
): KeyGroup<M, InCode> => ({ members, inCode })

export const isGroup = (member: Leaf | KeyGroup): member is KeyGroup => 'members' in member

interface SectionOptions<M extends SectionMembers> extends GroupOptions {
  /** The keys that identify the server. The section needs only one of them. */
  readonly identifyingKeys: readonly string[]
  /** Describes the target, for the first line of a report. */
  label(value: ValuesOf<M>): string
  /** Whether a target with this section ignores the key at a path. */
  ignores?(value: ValuesOf<M>, path: string): boolean
}

/** A section of the target file: the keys of one subject. */
export interface TargetSection<
  N extends string = string,
  M extends SectionMembers = SectionMembers,
> extends KeyGroup<M> {
  readonly name: N
  readonly identifyingKeys: readonly string[]
  label(value: ValuesOf<M>): string
  ignores?(value: ValuesOf<M>, path: string): boolean
}

/**
 * Declares a section. The type, option, variable, default, secrecy, schema and errors of each key
 * are derived from this declaration.
 */
export const section = <const N extends string, const M extends SectionMembers>(
  name: N,
  members: M,
  options: SectionOptions<M>,
): TargetSection<N, M> => ({ name, members, ...options })

type ValueOf<T> =
  T extends Leaf<infer V>
    ? V
    : T extends KeyGroup<infer M, infer InCode>
      ? ValuesOf<M> | InCode
      : never

type Always<M> = { [K in keyof M]: M[K] extends Leaf<unknown, 'always'> ? K : never }[keyof M]

type Flat<T> = { [K in keyof T]: T[K] }

type ValuesOf<M> = Flat<
  { -readonly [K in Always<M>]: ValueOf<M[K]> } & {
    -readonly [K in Exclude<keyof M, Always<M>>]?: ValueOf<M[K]> | undefined
  }
>

/** The type of a section of a target, or of a group, for checks. */
export type SectionOf<S extends KeyGroup> = ValuesOf<S['members']>

type PathsIn<Prefix extends string, M> = {
  [K in keyof M & string]:
    | `${Prefix}.${K}`
    | (M[K] extends KeyGroup<infer Inner>
        ? PathsIn<`${Prefix}.${K}`, Inner>
        : M[K] extends Leaf<readonly (infer C extends string)[]>
          ? string extends C
            ? never
            : `${Prefix}.${K}.${C}`
          : never)
}[keyof M & string]

/** Every path of a section that a check can need: keys, groups, and the words of lists. */
export type PathOf<S extends TargetSection> =
  S extends TargetSection<infer N, infer M> ? N | PathsIn<N, M> : never
