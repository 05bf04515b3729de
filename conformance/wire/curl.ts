import { shorten } from '../engine/index.ts'
import type { Redactor } from './secrets.ts'
import { quoteForShell } from './shell.ts'
import { encodeFields } from './body.ts'
import type { HttpRequest } from './http-request.ts'
import type { Part } from './form.ts'
import { maxHeaderCharacters } from './shown-body.ts'

/** Longest body in a command line, in characters. A longer one would be unreadable. */
const maxBodyCharacters = 400

/** The longest URL in a command line, in characters. No server accepts a longer one. */
const maxUrlCharacters = 16 * 1024

/**
 * A command line. If the body is too long for a command line or starts with `@`, the command reads
 * it from `bodyFile`, a file of the report.
 */
export interface CommandLine {
  curl: string
  bodyFile?: string
}

/** The name of the file that contains the request body of an exchange. */
export function bodyFileName(number: number): string {
  return `exchange-${number}.body`
}

/**
 * Formats a curl command that sends the same request. Secrets are written as `$NAME` in double
 * quotes, so that a shell inserts them. A long body is read from the file `bodyFileName(number)`.
 */
export function formatCurl(
  { method, url: whole, headers = {}, body }: HttpRequest,
  redact: Redactor,
  number: number,
): CommandLine {
  // Redacts a long text before cutting it, because a part of a secret would not be found.
  const limited = (text: string, most: number) =>
    text.length > most ? shorten(redact(text), most) : text
  const url = limited(whole, maxUrlCharacters)
  // Without -g, curl would expand brackets and braces in the URL.
  const words = ['curl', '-i', ...(/[[\]{}]/.test(url) ? ['-g'] : [])]
  if (method !== (body === undefined ? 'GET' : 'POST')) words.push('-X', method)
  for (const [name, value] of Object.entries(headers))
    words.push(...formatHeader(name, limited(value, maxHeaderCharacters), redact))
  const text =
    body?.kind === 'json'
      ? JSON.stringify(body.value)
      : body?.kind === 'text'
        ? body.text
        : undefined
  // curl would interpret a leading @ as the name of a file.
  const bodyFile =
    text !== undefined && (text.length > maxBodyCharacters || text.startsWith('@'))
      ? bodyFileName(number)
      : undefined
  if (body?.kind === 'json') words.push('-H', "'Content-Type: application/json'")
  if (body?.kind === 'text') words.push('-H', quoteWord(`Content-Type: ${body.type}`, redact))
  if (bodyFile !== undefined) words.push('--data-binary', `@${bodyFile}`)
  else if (text !== undefined) words.push('-d', quoteWord(text, redact))
  if (body?.kind === 'form') for (const part of body.parts) words.push(...formatPart(part, redact))
  if (body?.kind === 'fields')
    for (const [name, value] of body.fields)
      words.push('--data-urlencode', quoteWord(`${encodeFields([[name, '']])}${value}`, redact))
  // Without -d, curl would send neither a body nor a content type.
  if (body?.kind === 'fields' && body.fields.length === 0) words.push('-d', "''")
  words.push(quoteWord(url, redact))
  return { curl: words.join(' '), ...(bodyFile === undefined ? {} : { bodyFile }) }
}

/**
 * Formats a header. If Basic credentials contain a secret, curl encodes them, because a shell could
 * not insert the secret into encoded credentials.
 */
function formatHeader(name: string, value: string, redact: Redactor): string[] {
  const pair = name.toLowerCase() === 'authorization' && /^Basic ([\w+/]+=*)$/i.exec(value)?.[1]
  if (pair && redact(value) !== value) {
    const text = Buffer.from(pair, 'base64').toString()
    if (text.includes(':') && Buffer.from(text).toString('base64') === pair)
      return ['-u', quoteWord(text, redact)]
  }
  // curl sends no header for "name:", and an empty one for "name;".
  return ['-H', quoteWord(value === '' ? `${name};` : `${name}: ${value}`, redact)]
}

function formatPart({ name, value, filename, savedAs, type }: Part, redact: Redactor): string[] {
  if (filename === undefined && typeof value === 'string')
    return ['--form-string', quoteWord(`${name}=${value}`, redact)]
  const options = {
    filename: savedAs === undefined || savedAs === filename ? undefined : filename,
    type,
  }
  const suffix = Object.entries(options)
    .filter(([, option]) => option !== undefined)
    .map(([option, text]) => `;${option}=${text}`)
    .join('')
  return ['-F', quoteWord(`${name}=@${savedAs ?? filename ?? 'file'}${suffix}`, redact)]
}

/** Shells accept no word of more than 128 KB. Values of the target can be longer. */
const maxWordCharacters = 64 * 1024

const quoteWord = (text: string, redact: Redactor): string =>
  quoteForShell(text.slice(0, maxWordCharacters), redact)
