import { swapCase } from './swap-case.ts'

export const base64 = (text: string) => Buffer.from(text).toString('base64')
const base64url = (text: string) => Buffer.from(text).toString('base64url')
const everyCharacter = (text: string, escape: (code: number) => string) =>
  [...text].map((character) => escape(character.charCodeAt(0))).join('')
const hex = (code: number) => code.toString(16).padStart(2, '0')

/** The forms in which a server may repeat a secret that it received. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  'swapped case': swapCase,
  'percent-encoding': encodeURIComponent,
  'percent-encoding, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent-encoding of every character': (text) => everyCharacter(text, (code) => `%${hex(code)}`),
  'a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'JSON escapes': (text) => everyCharacter(text, (code) => `\\u00${hex(code)}`),
  'escaped slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  HTML: (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'numbers in HTML': (text) => everyCharacter(text, (code) => `&#${code};`),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  base64,
  'base64 after one byte': (text) => base64(`a${text}`),
  'base64 after two bytes': (text) => base64(`aa${text}`),
  'base64 between other bytes': (text) => base64(`user:${text}:1`),
  base64url,
  'Basic credentials': (text) => `Basic ${base64(`client:${text}`)}`,
  'without the first character': (text) => text.slice(1),
  'without the last character': (text) => text.slice(0, -1),
  'the first half': (text) => text.slice(0, Math.ceil(text.length / 2)),
  'the second half': (text) => text.slice(Math.ceil(text.length / 2)),
}
