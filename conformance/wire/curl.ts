import { quoteForShell } from './shell.ts'
import { encodeFields } from './body.ts'
import type { HttpRequest } from './http-request.ts'
import type { Part } from './form.ts'

/** Characters of a body that a person still reads in a command line. */
const maxBodyCharacters = 400

/** A command line, and the file that it reads the body from, if the body is too long for the line. The report writes that file. */
export interface CommandLine {
  curl: string
  bodyFile?: string
}

/** Name of the file that holds the body of an exchange. */
export function bodyFileName(number: number): string {
  return `exchange-${number}.body`
}

/**
 * A command line that sends the same request. Secrets appear as `$NAME`, in double quotes, so that a shell fills them in. A long body is taken from the
 * exchange's file.
 */
export function formatCurl(
  { method, url, headers = {}, body }: HttpRequest,
  redact: (text: string) => string,
  number: number,
): CommandLine {
  const words = ['curl', '-i']
  if (method !== (body === undefined ? 'GET' : 'POST')) words.push('-X', method)
  for (const [name, value] of Object.entries(headers))
    words.push('-H', quoteForShell(`${name}: ${value}`, redact))
  const text =
    body?.kind === 'json'
      ? JSON.stringify(body.value)
      : body?.kind === 'text'
        ? body.text
        : undefined
  // What begins with an @ would be the name of a file to curl.
  const bodyFile =
    text !== undefined && (text.length > maxBodyCharacters || text.startsWith('@'))
      ? bodyFileName(number)
      : undefined
  if (body?.kind === 'json') words.push('-H', "'Content-Type: application/json'")
  if (body?.kind === 'text') words.push('-H', quoteForShell(`Content-Type: ${body.type}`, redact))
  if (bodyFile !== undefined) words.push('--data-binary', `@${bodyFile}`)
  else if (text !== undefined) words.push('-d', quoteForShell(text, redact))
  if (body?.kind === 'form') for (const part of body.parts) words.push(...formatPart(part, redact))
  if (body?.kind === 'fields')
    for (const [name, value] of body.fields)
      words.push('--data-urlencode', quoteForShell(`${encodeFields([[name, '']])}${value}`, redact))
  // Without a field curl would send no body, and no word about its type.
  if (body?.kind === 'fields' && body.fields.length === 0) words.push('-d', "''")
  words.push(quoteForShell(url, redact))
  return { curl: words.join(' '), ...(bodyFile === undefined ? {} : { bodyFile }) }
}

function formatPart(
  { name, value, filename, type }: Part,
  redact: (text: string) => string,
): string[] {
  if (filename === undefined && typeof value === 'string')
    return ['--form-string', quoteForShell(`${name}=${value}`, redact)]
  return [
    '-F',
    quoteForShell(
      `${name}=@${filename ?? 'file'}${type === undefined ? '' : `;type=${type}`}`,
      redact,
    ),
  ]
}
