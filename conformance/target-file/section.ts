import type { Json } from '../engine/index.ts'
import type { KeyKind } from './kinds.ts'
interface Options<V> {
  /** What it is, in a few words. */
  readonly says: string
  /** As it is written in YAML. */
  readonly example: string
  /** Whether its section cannot do without it. */
  readonly required?: true
  /** The value where it is not given. */
  readonly default?: V
  /** Whether a target that code makes may do without the default; otherwise a target always has a value. */
  readonly optional?: true
  /** What holds where it is not given and the target has no value: who reads it knows that too. */
  readonly fallback?: string
  /** Variable of the environment that fills it in where nothing else does. */
  readonly variable?: string
  /** The key of the same section without which it is of no use. */
  readonly with?: string
  /** Whether false is as good an answer as true: a switch that is off locks checks otherwise. */
  readonly setting?: true
}

/** Whether a target that could be read always has it. */
type Presence = 'always' | 'maybe'
type PresenceOf<O> = O extends { optional: true }
  ? 'maybe'
  : O extends { required: true } | { default: unknown }
    ? 'always'
    : 'maybe'

/** One key. `V` is the type of its value in a target. */
export interface Leaf<V = unknown, P extends Presence = Presence> extends Options<unknown> {
  readonly kind: KeyKind
  /** For a word and for words. */
  readonly choices?: readonly string[]
  /** Types only: there are no such members. */
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
/** Its variable stands for it in reports. */
export const secret: <const O extends Options<string> & { variable: string }>(
  options: O,
) => Leaf<string, PresenceOf<O>> = leaf<string>('secret')
export const toggle = leaf<boolean>('switch')
export const bytes = leaf<number>('bytes')
export const count = leaf<number>('count')
/** Milliseconds in a target. */
export const duration = leaf<number>('duration')
export const address = leaf<string>('address')
export const map = leaf<Strings>('map')
/** The text of the file in a target. */
export const pem = leaf<string>('pem')
export const object = leaf<Json>('object')
export const variables = leaf<Strings>('variables')
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

/** What was given of a group, for the mistakes that no single key shows. Keys are relative to it: `command.args`. */
export interface Draft {
  /** Keys that were given, right or wrong. */
  readonly given: readonly string[]
  /** Their values, of those that could be read. */
  readonly values: ReadonlyMap<string, unknown>
}

/** A mistake: the key whose place is shown, and what is wrong. */
export type Problem = readonly [key: string, says: string]

/** A type, as a value that says nothing else. */
export interface Type<T> {
  readonly type?: T
}
export const type = <T>(): Type<T> => ({})

interface GroupOptions {
  /** The key that has to be there so that checks may need the group; the group itself where it is not given. */
  readonly givenBy?: string
  readonly problems?: (draft: Draft) => readonly Problem[]
}

/** Keys below one name. */
export interface KeyGroup<
  M extends SectionMembers = SectionMembers,
  InCode = unknown,
> extends GroupOptions {
  readonly members: M
  /** What code may give in place of these keys: a target that it makes is not read from a file. */
  readonly inCode?: Type<InCode>
}

export const group = <const M extends SectionMembers>(
  members: M,
  options: GroupOptions = {},
): KeyGroup<M, never> => ({ members, ...options })

/** A group in whose place code may give something else. */
export const groupOr = <const M extends SectionMembers, InCode>(
  members: M,
  inCode: Type<InCode>,
): KeyGroup<M, InCode> => ({ members, inCode })

export const isGroup = (member: Leaf | KeyGroup): member is KeyGroup => 'members' in member

interface SectionOptions<M extends SectionMembers> extends GroupOptions {
  /** The keys that name what is judged; one of them is enough. */
  readonly places: readonly string[]
  /** What is judged, for the first line of a report. */
  label(value: ValuesOf<M>): string
  /** Whether a target with this section does without what stands at another path. */
  spares?(value: ValuesOf<M>, path: string): boolean
}

/** A section of the target file: what one subject is told of a target. */
export interface TargetSection<
  N extends string = string,
  M extends SectionMembers = SectionMembers,
> extends KeyGroup<M> {
  readonly name: N
  readonly places: readonly string[]
  label(value: ValuesOf<M>): string
  spares?(value: ValuesOf<M>, path: string): boolean
}

/** Declares a section. Its type, flags, variables, defaults, secrets, schema and errors derive from this. */
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

/** A section of a target, or a group of one, as the checks get it. */
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

/** Every path of a section that a check can need: keys, groups, and words of a list. */
export type PathOf<S extends TargetSection> =
  S extends TargetSection<infer N, infer M> ? N | PathsIn<N, M> : never
