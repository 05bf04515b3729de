import { secretForms, shortForms, type SecretForm } from './secret-forms.ts'

/** Secrets: the names of environment variables and their values. */
export type Secrets = Readonly<Record<string, string | undefined>>

/**
 * A part of a string: text without secrets, or the variable that replaces a secret. `expansion` is
 * an expression for use in double quotes, with which a shell derives the replaced string from the
 * variable, or the variable itself if that is not possible.
 */
export type RedactedPart = string | { readonly variable: string; readonly expansion: string }

/**
 * Replaces each secret with `$NAME`: the value itself, the value in other letter case or in a
 * common encoding, and large parts of it. A value of fewer than eight characters may be an ordinary
 * word, so it is replaced only where it is a whole value.
 */
export interface Redactor {
  /** Redacts a message: a URL, a body, or a header. */
  (text: string): string
  /** Redacts a sentence of the suite. Replaces a short value only if it is the whole sentence. */
  sentence(text: string): string
  /** The parts of a message in their order, for a syntax in which `$NAME` needs quotes. */
  split(text: string): RedactedPart[]
}

/** A form of a secret, and the variable that replaces it. */
interface Replaced extends SecretForm {
  variable: string
}

/**
 * Returns a function that replaces secrets. Does not examine replacements again. Secrets that are
 * added later, such as tokens that a target returns, are redacted from then on, but not if they are
 * encoded.
 */
export function newRedactor(secrets: Secrets): Redactor {
  const first = Object.keys(secrets)
  const encoded = formsOf(secrets, first, secretForms)
  const short = first.filter((name) => shortForms(secrets[name] ?? '').length > 0)
  const shortOnes = formsOf(secrets, short, shortForms)
  let all = encoded
  let count = first.length

  /** Returns the forms of all secrets. Secrets that were added later have no encoded forms. */
  const currentForms = (): readonly Replaced[] => {
    const names = Object.keys(secrets)
    if (names.length !== count) {
      count = names.length
      const later = names.slice(first.length)
      all = [
        ...encoded,
        ...formsOf(secrets, later, (value) => secretForms(value, { isEncoded: false })),
      ]
    }
    return all
  }
  const split = (text: string) => splitMessage(text, [...currentForms(), ...shortOnes])
  return Object.assign((text: string) => join(split(text)), {
    split,
    sentence(text: string): string {
      const whole = short.find((name) => secrets[name] === text)
      return whole === undefined ? join(splitMessage(text, currentForms())) : `$${whole}`
    },
  })
}

const join = (parts: readonly RedactedPart[]) =>
  parts.map((part) => (typeof part === 'string' ? part : `$${part.variable}`)).join('')

const formsOf = (
  secrets: Secrets,
  names: readonly string[],
  forms: (value: string) => SecretForm[],
): Replaced[] =>
  names.flatMap((variable) => forms(secrets[variable] ?? '').map((form) => ({ ...form, variable })))

const basic = /\bBasic ([\w+/-]{4,}={0,2})/i

/** Splits a string, in which Basic credentials are decoded if they contain a secret. */
function splitMessage(text: string, forms: readonly Replaced[]): RedactedPart[] {
  const match = basic.exec(text)
  if (match === null) return splitText(text, forms)
  const inner = splitText(Buffer.from(match[1]!, 'base64').toString(), forms)
  if (inner.every((part) => typeof part === 'string')) return splitText(text, forms)
  return [
    ...splitText(text.slice(0, match.index), forms),
    `${match[0].slice(0, 'Basic '.length)}base64(`,
    ...inner,
    ')',
    ...splitMessage(text.slice(match.index + match[0].length), forms),
  ]
}

/**
 * Splits a string at the forms in it. If two forms overlap, the one that begins first counts; if
 * they begin at the same place, the longer one.
 */
function splitText(text: string, forms: readonly Replaced[]): RedactedPart[] {
  const small = text.toLowerCase()
  // Some letters have another length in lower case.
  const lower = small.length === text.length ? small : text
  const found = forms
    .flatMap((form) => form.find(text, lower).map((place) => ({ ...place, form })))
    .sort((a, b) => a.index - b.index || b.length - a.length)
  const parts: RedactedPart[] = []
  let end = 0
  for (const { index, length, form } of found) {
    if (index < end) continue
    if (index > end) parts.push(text.slice(end, index))
    end = index + length
    const { variable, expand } = form
    parts.push({ variable, expansion: expand(text.slice(index, end), variable) })
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}
