import { isObject } from '../engine/index.ts'
import { schemaOfEntries } from './expected-entries.ts'
import { readMap } from './map.ts'
import { nearest } from './nearest.ts'

export type Value =
  string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>

type Read = { value: Value } | { wrong: string }

export type KeySchema = Record<string, unknown>

/** A kind of value: how it is written, read and shown. */
interface Kind {
  /** The expected value, for messages: `expected …`. */
  readonly expected: string
  /**
   * Reads a value. If the value is wrong, returns a phrase for a message, which follows the name of
   * the key. Returns undefined for a value of another type.
   */
  read(value: unknown, choices: readonly string[]): Read | undefined
  /** What is wrong with members of a value, as phrases that follow the name of the key. */
  wrongMembers?(value: Value): string[]
  /** Parses an option or a variable. Returns a string unchanged if it cannot be parsed. */
  parse?(text: string): unknown
  /** The JSON Schema of the kind. */
  schema(choices: readonly string[]): KeySchema
  /** Parses an example or a default value, as written in YAML. If missing, `parse` is used. */
  example?(text: string): unknown
  /**
   * Whether the value is a map or a list in the file, in which variables are filled in at any
   * depth. Undefined for a single value.
   */
  readonly container?: 'map' | 'list'
  /** Whether messages must never show a value, even a wrong one. */
  readonly isSecret?: true
  /** The placeholder for a value in the help; by default the name of the kind. */
  readonly placeholder?: string
}

const invalid = (message: string): Read => ({ wrong: message })

/** Parses JSON, as in options. */
function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const orVariable = (...schemas: KeySchema[]): KeySchema => ({
  anyOf: [...schemas, { $ref: '#/$defs/variable' }],
})

const line: Kind = {
  expected: 'a string, in quotes if it looks like a number',
  read: (value) =>
    typeof value !== 'string'
      ? undefined
      : /[\r\n]/.test(value)
        ? invalid('contains a line break')
        : { value },
  schema: () => ({ type: 'string', minLength: 1 }),
}

const wholeNumber = (expected: string): Kind => ({
  expected,
  read: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? { value } : undefined,
  parse: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  schema: () => orVariable({ type: 'integer', minimum: 1 }),
})

const object: Kind = {
  expected: 'an object, as JSON on the command line',
  read: (value) => (isObject(value) ? { value } : undefined),
  parse: json,
  schema: () => ({ type: 'object' }),
  container: 'map',
  placeholder: 'json',
}

/** An object whose members have one type. Reports members of other types. */
const objectOf = (
  isRight: (member: unknown) => boolean,
  wrongAt: (name: string) => string,
): Kind => ({
  ...object,
  wrongMembers: (value) =>
    Object.entries(value)
      .filter(([, member]) => !isRight(member))
      .map(([name]) => wrongAt(name)),
})

const url = (isRoot: boolean): Kind => ({
  expected: 'a URL',
  read: (value) => readUrl(value, isRoot),
  schema: () => ({
    type: 'string',
    pattern: `^(https?://[^${isRoot ? '?' : ''}#\\s]+|.*\\$\\{.+)$`,
  }),
})

const duration: Kind = {
  expected: 'a duration with its unit, such as 2s or 500ms',
  read: readDuration,
  schema: () => orVariable({ type: 'string', pattern: '^\\d+(\\.\\d+)?(ms|s|m)$' }, { const: 0 }),
}

const isText = (value: unknown): value is string => typeof value === 'string'

const table = {
  /** A base URL, to which paths are appended. */
  root: { ...url(true), placeholder: 'url' },
  /** A URL that is requested as it is. */
  url: url(false),
  text: { ...line, placeholder: 'string' },
  /** A string that may be written as a number. */
  id: {
    expected: 'a string or a whole number',
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value)
        ? { value: String(value) }
        : isText(value) && !/[\r\n]/.test(value)
          ? { value }
          : undefined,
    schema: () => ({ anyOf: [{ type: 'string' }, { type: 'integer' }] }),
    example: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  },
  secret: { ...line, isSecret: true, placeholder: 'token' },
  switch: {
    expected: 'true or false',
    read: (value) => (typeof value === 'boolean' ? { value } : undefined),
    parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
    schema: () => orVariable({ type: 'boolean' }),
  },
  bytes: wholeNumber('a whole number of bytes, 1 or more'),
  count: { ...wholeNumber('a whole number, 1 or more'), placeholder: 'number' },
  duration,
  /** A duration that is not 0. */
  timeout: {
    ...duration,
    expected: `${duration.expected}, and above 0`,
    read: (value) => {
      const read = readDuration(value)
      return read !== undefined && 'value' in read && read.value === 0 ? undefined : read
    },
    placeholder: 'duration',
  },
  address: {
    expected: 'host:port, such as 127.0.0.1:8080',
    read: readAddress,
    schema: () => ({
      type: 'string',
      pattern: '^(\\[[\\da-fA-F:]+\\]|[^\\s:/]+):\\d{1,5}$',
    }),
  },
  /** One of the key's choices. */
  word: {
    expected: 'a string',
    read: (value, choices) => (isText(value) ? readWord(value, choices) : undefined),
    schema: (choices) => ({ enum: choices }),
    placeholder: 'name',
  },
  /** Some of the key's choices. */
  words: {
    expected: 'a list of strings',
    read: readWords,
    schema: (choices) => ({
      type: 'array',
      items: { enum: choices },
      minItems: 1,
      uniqueItems: true,
    }),
    example: (text) => text.slice(1, -1).split(', '),
    container: 'list',
    placeholder: 'name,…',
  },
  /** gRPC metadata: names with values that are treated as secrets. */
  map: {
    expected: 'an object of strings, or name=value pairs on the command line',
    read: readMap,
    schema: () => ({
      type: 'object',
      propertyNames: { pattern: '^[0-9a-zA-Z_.-]+$' },
      additionalProperties: { type: 'string', minLength: 1 },
      minProperties: 1,
    }),
    example: json,
    container: 'map',
    isSecret: true,
    placeholder: 'name=value,…',
  },
  /** The fields of a form, with values that are treated as secrets. */
  fields: {
    ...object,
    expected: 'an object of strings, as JSON on the command line',
    read: (value) =>
      isObject(value) && Object.values(value).every(isText) ? { value } : undefined,
    schema: () => ({
      type: 'object',
      additionalProperties: { type: 'string' },
      minProperties: 1,
    }),
    isSecret: true,
  },
  /** The name of a file with keys or certificates. */
  pem: { ...line, expected: 'the name of a file', placeholder: 'file' },
  /** The name of a file that lists known failures, or the list, whose entries `load` reads. */
  failures: {
    ...line,
    expected: 'the name of a file, or a list of entries with id, reason and optionally until',
    read: (value, choices) => (Array.isArray(value) ? { value } : line.read(value, choices)),
    schema: (choices) => ({
      anyOf: [line.schema(choices), schemaOfEntries((schema) => orVariable(schema))],
    }),
    container: 'list',
    placeholder: 'file',
  },
  /** Any JSON object. */
  object,
  /** An object of strings. */
  variables: objectOf(
    isText,
    (name) => `must have a string at ${name}, in quotes if it looks like a number`,
  ),
  /** Reasons, by the names that they are about. */
  reasons: {
    ...objectOf(
      (reason) => isText(reason) && reason.trim() !== '' && !/[\r\n]/.test(reason),
      (name) => `must have a reason at ${name}: a string without a line break`,
    ),
    expected: 'an object of reasons, as JSON on the command line',
    schema: () => ({
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1 },
      minProperties: 1,
    }),
  },
  /** An object of objects. */
  objects: objectOf(isObject, (name) => `must have an object of arguments at ${name}`),
  /** A list of strings. */
  texts: {
    expected: 'a list of strings, as JSON on the command line',
    read: (value) => (Array.isArray(value) && value.every(isText) ? { value } : undefined),
    parse: json,
    schema: () => ({ type: 'array', items: { type: 'string' } }),
    container: 'list',
    placeholder: 'json',
  },
} satisfies Record<string, Kind>

export type KeyKind = keyof typeof table

export const kinds: Readonly<Record<KeyKind, Kind>> = table

/**
 * Reads a value of a kind. If the value is wrong, returns a phrase for a message, which follows the
 * name of the key. `loose` is set for strings of options and variables, which may represent a
 * number or a boolean.
 */
export function readValue(
  { kind, choices = [] }: { kind: KeyKind; choices?: readonly string[] },
  { value, loose = false }: { value: unknown; loose?: boolean },
): Read {
  if (value === null || value === '') return invalid('has no value')
  const { parse, read, expected, isSecret } = kinds[kind]
  const given = loose && isText(value) && parse !== undefined ? parse(value) : value
  const result = read(given, choices)
  if (result !== undefined) return result
  const received = isSecret === true ? undefined : shown(value)
  // Omits the type for options and variables, which are always strings.
  return invalid(
    loose
      ? `must be ${expected}${received === undefined ? '' : `, not ${received}`}`
      : `is ${typeOf(value)}${received === undefined ? '' : `, ${received}`}; expected ${expected}`,
  )
}

function readWord(word: string, choices: readonly string[]): Read {
  if (choices.includes(word)) return { value: word }
  const near = nearest(word, choices)
  return invalid(
    `does not accept ${shown(word)}.${near === undefined ? '' : ` Did you mean ${near}?`} Expected one of ${choices.join(', ')}`,
  )
}

function readWords(value: unknown, choices: readonly string[]): Read | undefined {
  const list: unknown = isText(value)
    ? value
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
    : value
  if (!Array.isArray(list) || list.length === 0 || !list.every(isText)) return undefined
  const bad = list.map((word) => readWord(word, choices)).find((read) => 'wrong' in read)
  return bad ?? { value: [...new Set(list)] }
}

/** In milliseconds. Timers of Node expire at once if they are longer than 24.8 days. */
const longestDuration = 24 * 60 * 60 * 1000

function readDuration(value: unknown): Read | undefined {
  if (value === 0 || value === '0') return { value: 0 }
  const [, amount, unit] = (isText(value) ? /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) : null) ?? []
  if (amount === undefined || unit === undefined) return undefined
  const milliseconds = Math.round(
    Number(amount) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm'],
  )
  return milliseconds > longestDuration
    ? invalid(`is longer than 24 hours: ${shown(value)}`)
    : { value: milliseconds }
}

function readAddress(value: unknown): Read | undefined {
  if (!isText(value)) return undefined
  const [, , port] = /^(\[[\da-f:]+\]|[^\s:/]+):(\d{1,9})$/i.exec(value) ?? []
  if (Number(port) > 65_535) return invalid(`has a port above 65535: ${shown(value)}`)
  return port !== undefined && URL.canParse(`http://${value}`) ? { value } : undefined
}

function readUrl(value: unknown, isRoot: boolean): Read | undefined {
  if (!isText(value)) return undefined
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value))
    return invalid(
      `has no scheme: ${shown(value)}. Write http://${value.replace(/^\/+/, '')} or https://…`,
    )
  if (!/^https?:/i.test(value)) return invalid(`is neither http nor https: ${shown(value)}`)
  if (!URL.canParse(value) || /\s/.test(value)) return invalid(`is not a URL: ${shown(value)}`)
  const { username, password, search, hash } = new URL(value)
  if (username !== '' || password !== '')
    return invalid('contains a user name or a password. Remove them: the token is sent instead')
  if (hash !== '' || (isRoot && search !== ''))
    return invalid(
      `has a ${isRoot ? 'query or fragment' : 'fragment'}: ${shown(value)}. Remove everything after ${isRoot ? '? or #' : '#'}`,
    )
  return { value: isRoot ? value.replace(/\/+$/, '') : value }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return (
    {
      string: 'a string',
      number: 'a number',
      boolean: 'a boolean',
      bigint: 'a number',
      object: 'a map',
    }[typeof value as string] ?? typeof value
  )
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
