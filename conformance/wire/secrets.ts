import { secretForms, shortForms, type SecretForm } from './secret-forms.ts'

/** Secrets: the names of environment variables and their values. */
export type Secrets = Readonly<Record<string, string | undefined>>

/**
 * A part of a string: text without secrets, or the variable that replaces a secret. If a shell can
 * derive the replaced string from the variable, `expansion` is the expression in double quotes.
 */
export type RedactedPart = string | { readonly variable: string; readonly expansion: string }

/**
 * Replaces each secret by `$NAME`: the value itself, also in other letter case or in a common
 * encoding, and large parts of it. A value of fewer than eight characters may be an ordinary word,
 * so it is replaced only where it is a whole value.
 */
export interface Redactor {
  /** Redacts a message: a URL, a body, or a header. */
  (text: string): string
  /** Redacts a sentence of the suite, in which no short value is replaced. */
  sentence(text: string): string
  /** The parts of a message in their order, for a syntax in which `$NAME` needs quotes. */
  split(text: string): RedactedPart[]
}

/** A string that may occur in messages, and the variable that replaces it. */
interface Replaced extends SecretForm {
  variable: string
}

const basic = /\bBasic ([\w+/-]{4,}={0,2})/i

/**
 * Returns a function that replaces secrets. Longer values are replaced first, because a shorter
 * value may be a part of a longer one. Replacements are not examined again. Secrets that are added
 * later, such as tokens that a target returns, are redacted from then on, but only as they are.
 */
export function newRedactor(secrets: Secrets): Redactor {
  const encoded = formsOf(secrets, Object.keys(secrets), secretForms)
  const short = formsOf(secrets, Object.keys(secrets), shortForms)
  const first = new Set(Object.keys(secrets))
  let later: Replaced[] = []
  let all = encoded
  let count = first.size

  const refresh = () => {
    const names = Object.keys(secrets)
    if (names.length === count) return
    count = names.length
    later = formsOf(
      secrets,
      names.filter((name) => !first.has(name)),
      (value) => secretForms(value, { isEncoded: false }),
    )
    all = [...encoded, ...later].sort(byLength)
  }
  const splitBy = (text: string, forms: readonly Replaced[]): RedactedPart[] => {
    const lower = text.toLowerCase()
    const found = forms.filter(({ occursIn }) => occursIn(text, lower))
    if (found.length === 0) return text === '' ? [] : [text]
    const parts: RedactedPart[] = []
    const pattern = new RegExp(found.map(({ source }) => `(${source})`).join('|'), 'gi')
    let end = 0
    for (const match of text.matchAll(pattern)) {
      const { variable, expand } = found[match.slice(1).findIndex((group) => group !== undefined)]!
      if (match.index > end) parts.push(text.slice(end, match.index))
      parts.push({ variable, expansion: expand(match[0], variable) })
      end = match.index + match[0].length
    }
    if (end < text.length) parts.push(text.slice(end))
    return parts
  }
  const splitWith = (text: string, forms: readonly Replaced[]): RedactedPart[] => {
    const [credentials, encodedPair] = basic.exec(text) ?? []
    const pair = encodedPair === undefined ? '' : Buffer.from(encodedPair, 'base64').toString()
    const inner = pair === '' ? [] : splitBy(pair, forms)
    if (inner.every((part) => typeof part === 'string')) return splitBy(text, forms)
    const at = text.indexOf(credentials!)
    return [
      ...splitBy(text.slice(0, at), forms),
      `${credentials!.slice(0, 6)}base64(`,
      ...inner,
      ')',
      ...splitWith(text.slice(at + credentials!.length), forms),
    ]
  }
  const split = (text: string): RedactedPart[] => {
    refresh()
    return splitWith(text, short.length === 0 ? all : [...all, ...short])
  }
  return Object.assign((text: string) => join(split(text)), {
    split,
    sentence(text: string): string {
      refresh()
      const whole = short.find(({ value }) => value === text)
      return whole === undefined ? join(splitWith(text, all)) : `$${whole.variable}`
    },
  })
}

const join = (parts: readonly RedactedPart[]) =>
  parts.map((part) => (typeof part === 'string' ? part : `$${part.variable}`)).join('')

const byLength = (a: Replaced, b: Replaced) => b.value.length - a.value.length

const formsOf = (
  secrets: Secrets,
  names: readonly string[],
  forms: (value: string) => SecretForm[],
): Replaced[] =>
  names
    .flatMap((variable) => forms(secrets[variable] ?? '').map((form) => ({ ...form, variable })))
    .sort(byLength)
