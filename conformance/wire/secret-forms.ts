import { swapCase } from './swap-case.ts'

/** A form in which a secret may occur in a message. */
export interface SecretForm {
  /** Finds the form, ignoring letter case: `lower` is the text in lower case. */
  find: (text: string, lower: string) => FoundForm[]
  /**
   * Returns a shell expression, for use in double quotes, that derives the found string from the
   * environment variable with the secret. If no such expression is known, returns the reference to
   * the variable itself, such as `$TOKEN`.
   */
  expand: (found: string, variable: string) => string
}

/** Where a form was found. */
export interface FoundForm {
  index: number
  length: number
}

/** The minimum length of a value that is replaced wherever it occurs. */
const minLength = 8
/** A part such as "receiver" of "receiver-secret": an ordinary word, which reports contain. */
const shortWord = /^[a-z]{1,9}$/
/** The maximum length of a value whose escaped forms are replaced: they need a long RegExp. */
const maxEscaped = 500

/**
 * The forms of a secret that are replaced wherever they occur. Empty if the secret has fewer than
 * eight characters. Includes parts of the secret, because checks send almost correct tokens.
 */
export function secretForms(value: string, { isEncoded = true } = {}): SecretForm[] {
  if (value.length < minLength) return []
  const half = Math.ceil(value.length / 2)
  const parts = [value.slice(1), value.slice(0, -1), value.slice(0, half), value.slice(half)]
  const long = parts.filter((part) => part.length >= minLength && !shortWord.test(part))
  const plain = [value, ...long].map((part) => literalForm(value, part))
  if (!isEncoded) return plain
  const escaped = value.length > maxEscaped ? [] : [escapedForm(value)]
  return [...plain, ...escaped, ...encodingsOf(value).map((one) => literalForm(value, one))]
}

/**
 * The forms of a secret of fewer than eight characters. It is replaced only where it is a whole
 * value: a header or its credential, a string in JSON, or a value in a form, query or cookie.
 */
export function shortForms(value: string): SecretForm[] {
  if (value === '' || value.length >= minLength) return []
  const literal = escapeRegExp(value)
  const places = [
    `^${literal}$`,
    `(?<=^(?:[Aa]uthorization: *)?(?:[Bb]earer|[Bb]asic|[Tt]oken) +)${literal}$`,
    `(?<=^[\\w-]+: *)${literal}$`,
    `(?<=(?:^|[:\\[,])\\s*")${literal}(?="(?!\\s*:))`,
    `(?<==)${literal}(?=$|[&;#\\s])`,
  ]
  return [patternForm(value, new RegExp(places.join('|'), 'g'), () => true)]
}

/** A form that finds the string `value`: the secret, a part of it, or an encoding of it. */
function literalForm(secret: string, value: string): SecretForm {
  const lowerValue = value.toLowerCase()
  return {
    find(_, lower) {
      const found: FoundForm[] = []
      for (
        let index = lower.indexOf(lowerValue);
        index !== -1;
        index = lower.indexOf(lowerValue, index + value.length)
      )
        found.push({ index, length: value.length })
      return found
    },
    expand: (found, variable) => expansionOf(secret, found, variable),
  }
}

/** A form that a pattern finds in strings for which `mayContain` returns true. */
const patternForm = (
  secret: string,
  pattern: RegExp,
  mayContain: (text: string) => boolean,
): SecretForm => ({
  find: (text) =>
    mayContain(text)
      ? Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({ index, length }))
      : [],
  expand: (found, variable) => expansionOf(secret, found, variable),
})

/** Matches a string that contains percent-encoding, or escapes of JSON or HTML. */
const escapes = /%[0-9a-f]{2}|\\|&(?:#|amp|quot|apos|lt|gt)|\+/i

/** A form in which any character may be escaped, once or several times. */
const escapedForm = (value: string): SecretForm =>
  patternForm(value, new RegExp([...value].map(escapesOf).join(''), 'gi'), (text) =>
    escapes.test(text),
  )

const entities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '"': 'quot',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
}

function escapesOf(character: string): string {
  const code = character.codePointAt(0)!
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'))
  const units = Array.from({ length: character.length }, (_, at) =>
    character.charCodeAt(at).toString(16).padStart(4, '0'),
  )
  const entity = entities[character]
  const forms = [
    `${'"\\/'.includes(character) ? '\\\\*' : ''}${escapeRegExp(character)}`,
    bytes.map((byte) => `%(?:25)*${byte}`).join(''),
    units.map((unit) => `\\\\+u${unit}`).join(''),
    `&(?:amp;)*#(?:0*${code}|x0*${code.toString(16)});`,
    ...(entity === undefined ? [] : [`&(?:amp;)*${entity};`]),
    ...(character === ' ' ? ['\\+'] : []),
  ]
  return `(?:${forms.join('|')})`
}

/**
 * The secret in hexadecimal digits and in base64. Bytes before the secret, such as the name of a
 * user in Basic credentials, change its base64. So the result contains three strings in base64, one
 * for each number of such bytes modulo 3. Each of them omits the characters that also depend on the
 * bytes around the secret. The result contains the same three strings in base64 for URLs.
 */
function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  const forUrls = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([bytes.toString('hex'), ...inBase64, ...forUrls])]
}

/** Expressions that derive a string from a variable. Those with `tr` assume ASCII letters. */
const derivations: readonly [(value: string) => string, (variable: string) => string][] = [
  [(value) => value.slice(1), (variable) => `\${${variable}#?}`],
  [(value) => value.slice(0, -1), (variable) => `\${${variable}%?}`],
  [(value) => value.toUpperCase(), (variable) => translated(variable, 'a-z A-Z')],
  [(value) => value.toLowerCase(), (variable) => translated(variable, 'A-Z a-z')],
  [swapCase, (variable) => translated(variable, 'a-zA-Z A-Za-z')],
]

const translated = (variable: string, sets: string) => `$(printf %s "$${variable}" | tr ${sets})`

function expansionOf(secret: string, found: string, variable: string): string {
  if (found === secret) return `$${variable}`
  const derived = derivations.find(([derive]) => derive(secret) === found)
  if (derived !== undefined) return derived[1](variable)
  const bytes = Buffer.byteLength(found)
  return secret.startsWith(found) && bytes === found.length
    ? `$(printf %.${bytes}s "$${variable}")`
    : `$${variable}`
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
