import type { Key, Keys } from './keys.ts'
import { requirements } from '../../generated/requirements/index.ts'
import { valueAt } from './needs.ts'
import { isGroup, type SectionMembers } from './section.ts'

/** The target's secrets, by the variables that replace them in reports. */
export function secretsOf({ all }: Keys, target: object): Record<string, string | undefined> {
  return withUniqueNames(
    all.flatMap((key): [string, string | undefined][] => {
      const value = valueAt(target, key.path)
      if (key.kind === 'secret') return [[key.variable!, value as string | undefined]]
      if (key.kind === 'texts') return argumentsOf(key, value as string[]).flatMap(secretOf)
      if (!hasNamedValues(key) && key.kind !== 'variables') return []
      return Object.entries((value ?? {}) as Record<string, string>)
        .filter(([name, text]) => isLikelySecret(name, text))
        .map(([name, text]) => [
          key.kind === 'variables' ? name : variableOf(key, name),
          key.kind === 'map' ? credentialOf(text) : text,
        ])
    }),
  )
}

/**
 * Two secrets have the same name if an option is repeated, or if two programs have a variable with
 * this name.
 */
function withUniqueNames(
  entries: readonly [string, string | undefined][],
): Record<string, string | undefined> {
  const all: Record<string, string | undefined> = {}
  for (const [name, value] of entries) {
    let unique = name
    for (let count = 2; (all[unique] ?? value) !== value; count += 1) unique = `${name}_${count}`
    all[unique] = value ?? all[unique]
  }
  return all
}

/**
 * Whether a key has several named values. In reports, each value is replaced by a variable, whose
 * name is derived from the name of the value.
 */
const hasNamedValues = ({ kind }: Pick<Key, 'kind'>): boolean => kind === 'map' || kind === 'fields'

const variableOf = ({ path }: Pick<Key, 'path'>, name: string): string =>
  `${path.split('.')[0]!}_${name}`.toUpperCase().replace(/[^A-Z\d]/g, '_')

interface Argument {
  /** The option and the equals sign in an argument such as `--token=x`; otherwise empty. */
  before: string
  value: string
  /** The variable that replaces the value, if the value is a secret. */
  variable?: string
}

/**
 * The arguments of a program. An argument is a secret if the name of its option suggests that, as
 * in `--token x`.
 */
function argumentsOf(key: Key, given: readonly string[] = []): Argument[] {
  return given.map((argument, index) => {
    const [, before = '', value = argument] = /^(-[^=]*=)(.*)$/s.exec(argument) ?? []
    const option = before === '' ? (given[index - 1] ?? '') : before
    const isSecret =
      // The value of --auth may be a word, such as `none`, that occurs in other messages, too.
      (value.length >= 8 ? suggestsSecret : /token|secret|key|pass/i).test(option) &&
      option.startsWith('-') &&
      value !== '' &&
      (before !== '' || !value.startsWith('-'))
    return {
      before,
      value,
      ...(isSecret
        ? { variable: variableOf({ path: key.path.replaceAll('.', '_') }, nameIn(option)) }
        : {}),
    }
  })
}

const nameIn = (option: string) => option.replace(/^-+|=$/g, '')

const secretOf = ({ variable, value }: Argument): [string, string][] =>
  variable === undefined ? [] : [[variable, value]]

const suggestsSecret = /auth|token|secret|key|pass|cookie|session/i

/**
 * Whether to redact a value. A short value may be an ordinary word, which redaction would remove
 * from the whole report, and so may a word of the requirements, such as `description`. They count
 * as secrets only if their names suggest that.
 */
function isLikelySecret(name: string, value: string): boolean {
  return suggestsSecret.test(name) || (value.length >= 8 && !wordsOfRequirements().has(value))
}

let words: ReadonlySet<string> | undefined
const wordsOfRequirements = (): ReadonlySet<string> =>
  (words ??= new Set(
    Object.values(requirements).flatMap(({ statement }) => statement.match(/\w+/g) ?? []),
  ))

/**
 * Returns the credential without a scheme such as `Bearer`, because a server may return only the
 * credential.
 */
const credentialOf = (value: string) => /^[A-Za-z][\w-]* (\S{4,})$/.exec(value)?.[1] ?? value

type Tree = Readonly<Record<string, unknown>>

/** The target for reports. Variables replace secrets; sizes replace keys and certificates. */
export function publicTarget({ sections }: Keys, target: object): Tree {
  return shown('', Object.fromEntries(sections.map((section) => [section.name, section])), target)
}

function shown(prefix: string, members: SectionMembers, value: object): Tree {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
      const member = members[name]
      if (member === undefined || inner === undefined) return []
      const path = `${prefix}${name}`
      if (!isGroup(member)) return [[name, shownValue({ ...member, path }, inner)]]
      // Omits a group that code replaced by functions, because functions cannot be shown.
      const isData = !Object.values(inner as object).some((part) => typeof part === 'function')
      return isData ? [[name, shown(`${path}.`, member.members, inner as object)]] : []
    }),
  )
}

function shownValue(key: Key, value: unknown): unknown {
  if (key.kind === 'secret') return `$${key.variable!}`
  if (key.kind === 'pem') return `PEM of ${(value as string).length} characters`
  if (hasNamedValues(key)) return renamed(value, (name) => `$${variableOf(key, name)}`)
  if (key.kind === 'texts')
    return argumentsOf(key, value as string[]).map((one) =>
      one.variable === undefined ? `${one.before}${one.value}` : `${one.before}$${one.variable}`,
    )
  // Environment variables of a program may contain secrets, and it is not known which do.
  if (key.kind === 'variables') return renamed(value, (name) => `$${name}`)
  return structuredClone(value)
}

const renamed = (value: unknown, to: (name: string) => string): Tree =>
  Object.fromEntries(Object.keys(value as Tree).map((name) => [name, to(name)]))
