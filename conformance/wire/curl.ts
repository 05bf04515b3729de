import type { HttpRequest } from './http.ts'
import type { Part } from './form.ts'

/** A command line that sends the same request. Secrets appear as `$NAME`, in double quotes, so that a shell fills them in. */
export function curlOf({ method, url, headers = {}, body }: HttpRequest, redact: (text: string) => string): string {
  const words = ['curl', '-i']
  if (method !== (body === undefined ? 'GET' : 'POST')) words.push('-X', method)
  for (const [name, value] of Object.entries(headers)) words.push('-H', quoted(`${name}: ${value}`, redact))
  if (body?.kind === 'json') words.push('-H', "'Content-Type: application/json'", '-d', quoted(JSON.stringify(body.value), redact))
  if (body?.kind === 'text') words.push('-H', quoted(`Content-Type: ${body.type}`, redact), '-d', quoted(body.text, redact))
  if (body?.kind === 'form') for (const part of body.parts) words.push(...field(part, redact))
  words.push(quoted(url, redact))
  return words.join(' ')
}

function field({ name, value, filename, type }: Part, redact: (text: string) => string): string[] {
  if (filename === undefined && typeof value === 'string') return ['--form-string', quoted(`${name}=${value}`, redact)]
  return ['-F', quoted(`${name}=@${filename ?? 'file'}${type === undefined ? '' : `;type=${type}`}`, redact)]
}

function quoted(text: string, redact: (text: string) => string): string {
  const clean = redact(text)
  if (clean === text) return `'${text.replaceAll("'", `'\\''`)}'`
  return `"${clean.replace(/["\\`]/g, '\\$&')}"`
}
