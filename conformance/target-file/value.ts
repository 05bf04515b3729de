import { isObject } from '../engine/index.ts'
import { isSecret } from './keys.ts'
import { readMap } from './map.ts'
import { nearest } from './nearest.ts'
import type { KeyKind, Leaf } from './section.ts'

/** A value as it was given, and where. */
export interface Given {
  value: unknown
  /** `touchstone.yaml:3:10`, `--images-url`, `IMAGES_TOKEN` */
  place: string
  /** Whether it came as text that may stand for a number or a switch: from a flag or a variable. */
  loose?: boolean
  /** The folder that the names of files start from. */
  folder?: string
}

export type Value =
  string | number | boolean | readonly string[] | Readonly<Record<string, unknown>>

type Read = { value: Value } | { wrong: string }

const wrong = (text: string): Read => ({ wrong: text })

/** Reads a value of some kind, or says what is wrong with it: a half sentence that follows the key's name. */
export function readValue(
  { kind, choices = [] }: Pick<Leaf, 'kind' | 'choices'>,
  { value, loose = false }: Given,
): Read {
  if (value === null || value === '') return wrong('has no value')
  switch (kind) {
    case 'switch':
      if (typeof value === 'boolean') return { value }
      return loose && (value === 'true' || value === 'false')
        ? { value: value === 'true' }
        : wants(value, kind)
    case 'bytes':
    case 'count': {
      const number =
        loose && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
      return typeof number === 'number' && Number.isSafeInteger(number) && number >= 1
        ? { value: number }
        : wants(value, kind)
    }
    case 'duration':
      return duration(value)
    case 'map': {
      const read = readMap(value)
      return read === undefined ? wants(value, kind) : read
    }
    case 'object':
    case 'variables':
    case 'objects': {
      const object = parsed(value, loose)
      return isObject(object) ? { value: object } : wants(value, kind)
    }
    case 'fields': {
      const fields = parsed(value, loose)
      return isObject(fields) && Object.values(fields).every((text) => typeof text === 'string')
        ? { value: fields }
        : wants(value, kind)
    }
    case 'texts': {
      const list = parsed(value, loose)
      return Array.isArray(list) && list.every((text) => typeof text === 'string')
        ? { value: list as string[] }
        : wants(value, kind)
    }
    case 'pem':
    case 'text':
    case 'secret':
      if (typeof value !== 'string') return wants(value, kind)
      return /[\r\n]/.test(value) ? wrong('has a line break in it') : { value }
    case 'id':
      if (typeof value === 'number' && Number.isSafeInteger(value)) return { value: String(value) }
      return typeof value === 'string' && !/[\r\n]/.test(value) ? { value } : wants(value, kind)
    case 'word':
      return typeof value === 'string' ? chosen(value, choices) : wants(value, kind)
    case 'words': {
      const list =
        typeof value === 'string'
          ? value
              .split(',')
              .map((word) => word.trim())
              .filter((word) => word !== '')
          : value
      if (
        !Array.isArray(list) ||
        list.length === 0 ||
        list.some((word) => typeof word !== 'string')
      )
        return wants(value, kind)
      const bad = (list as string[])
        .map((word) => chosen(word, choices))
        .find((read) => 'wrong' in read)
      return bad ?? { value: [...new Set(list as string[])] }
    }
    case 'address':
      return typeof value === 'string' && /^(\[[\da-f:]+\]|[^\s:/]+):\d{1,5}$/i.test(value)
        ? { value }
        : wants(value, kind)
    case 'root':
    case 'url':
      return url(value, kind)
  }
}

/** What is wrong with single members of an object that was read, each as a half sentence. */
export function wrongMembers(kind: KeyKind, value: Value): string[] {
  const among = (what: string, isRight: (member: unknown) => boolean): string[] =>
    Object.entries(value)
      .filter(([, member]) => !isRight(member))
      .map(([name]) => what.replace('*', () => name))
  if (kind === 'variables')
    return among(
      'wants text at *, in quotes where it looks like a number',
      (member) => typeof member === 'string',
    )
  return kind === 'objects' ? among('wants an object of arguments at *', isObject) : []
}

/** What a flag gives is JSON; any other text stays what it is. */
function parsed(value: unknown, loose: boolean): unknown {
  if (!loose || typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

function chosen(word: string, choices: readonly string[]): Read {
  if (choices.includes(word)) return { value: word }
  const near = nearest(word, choices)
  return wrong(
    `knows no ${shown(word)}.${near === undefined ? '' : ` Did you mean ${near}?`} It wants ${choices.join(', ')}`,
  )
}

function duration(value: unknown): Read {
  if (value === 0 || value === '0') return { value: 0 }
  const [, amount, unit] =
    (typeof value === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) : null) ?? []
  if (amount === undefined || unit === undefined) return wants(value, 'duration')
  return {
    value: Math.round(Number(amount) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm']),
  }
}

function url(value: unknown, kind: 'root' | 'url'): Read {
  if (typeof value !== 'string') return wants(value, kind)
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value))
    return wrong(
      `has no scheme: ${shown(value)}. Write http://${value.replace(/^\/+/, '')} or https://…`,
    )
  if (!/^https?:/i.test(value)) return wrong(`is neither http nor https: ${shown(value)}`)
  if (!URL.canParse(value) || /\s/.test(value)) return wrong(`is no URL: ${shown(value)}`)
  const { username, password, search, hash } = new URL(value)
  if (username !== '' || password !== '')
    return wrong('holds a name or a password. Leave them out: the token is what is sent')
  if (hash !== '' || (kind === 'root' && search !== ''))
    return wrong(`goes on after the path: ${shown(value)}. Leave out what follows ? and #`)
  return { value: kind === 'root' ? value.replace(/\/+$/, '') : value }
}

const wanted: Record<KeyKind, string> = {
  root: 'a URL',
  url: 'a URL',
  text: 'text, in quotes where it looks like a number',
  id: 'text or a whole number',
  word: 'a word',
  words: 'a list of words',
  secret: 'text, in quotes where it looks like a number',
  map: 'a map of names and texts',
  pem: 'the name of a file',
  fields: 'a map of names and texts, in JSON where it stands on the command line',
  object: 'an object, in JSON where it stands on the command line',
  variables: 'an object, in JSON where it stands on the command line',
  objects: 'an object, in JSON where it stands on the command line',
  texts: 'a list of texts, in JSON where it stands on the command line',
  switch: 'true or false',
  bytes: 'a whole number of bytes, 1 or more',
  count: 'a whole number, 1 or more',
  duration: 'a time with its unit, such as 2s or 500ms',
  address: 'host:port, such as 127.0.0.1:0',
}

function wants(value: unknown, kind: KeyKind): Read {
  // A secret is never shown, not even a wrong one.
  const what = isSecret(kind) ? typeOf(value) : `${typeOf(value)}, ${shown(value)}`
  return wrong(`is ${what}; it wants ${wanted[kind]}`)
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return (
    {
      string: 'text',
      number: 'a number',
      boolean: 'a switch',
      bigint: 'a number',
      object: 'a map',
    }[typeof value as string] ?? typeof value
  )
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
