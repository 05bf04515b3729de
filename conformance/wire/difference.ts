import { isUniquePng } from './fakes/image.ts'
import type { HttpRequest } from './http-request.ts'

/**
 * Finds the parts in which a refused request differs from an accepted one. A part is the method,
 * the path, or one query parameter, header or field. If a name is repeated, all its values are one
 * part. The refusal proves a rule only if the requests differ only in the part that the rule
 * concerns. `maskGenerated` replaces generated values, such as names, because they differ between
 * any two requests.
 */
export function findDifferences(
  refused: HttpRequest,
  accepted: HttpRequest,
  maskGenerated: (value: string) => string,
): string[] {
  // If one of the bodies is plain text, the bodies are compared as a whole.
  const whole = refused.body?.kind === 'text' || accepted.body?.kind === 'text'
  const [left, right] = [
    collectParts(refused, maskGenerated, whole),
    collectParts(accepted, maskGenerated, whole),
  ]
  const found: string[] = []
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [here, there] = [left.get(name), right.get(name)]
    if (here === there) continue
    found.push(
      there === undefined
        ? `the added ${name}`
        : here === undefined
          ? `the missing ${name}`
          : name === 'path' || name === 'method' || name === 'body'
            ? `the ${name}`
            : `the value of the ${name}`,
    )
  }
  return found
}

function collectParts(
  { method, url, headers = {}, body }: HttpRequest,
  maskGenerated: (value: string) => string,
  whole: boolean,
): Map<string, string> {
  const all = new Map<string, string>()
  const set = (name: string, value: string) => {
    const before = all.get(name)
    all.set(
      name,
      before === undefined ? maskGenerated(value) : `${before}\n${maskGenerated(value)}`,
    )
  }
  const { origin, pathname, searchParams } = new URL(url)
  set('method', method)
  all.set('path', origin + pathname)
  for (const [name, value] of searchParams) set(`query parameter \`${name}\``, value)
  for (const [name, value] of Object.entries(headers)) set(`header \`${name}\``, value)
  if (body?.kind === 'text') set('body', body.text)
  if (body?.kind === 'json' && whole) set('body', JSON.stringify(body.value))
  else if (body?.kind === 'json') collectMembers(body.value, '', set)
  if (body?.kind === 'form') {
    for (const { name, value, filename } of body.parts)
      set(`field \`${name}\``, `${filename ?? ''}|${textOf(value)}`)
  }
  if (body?.kind === 'fields')
    for (const [name, value] of body.fields) set(`field \`${name}\``, value)
  return all
}

/**
 * A part as a string. All images of `uniquePng` count as equal, because they differ only in random
 * bytes.
 */
const textOf = (value: string | Uint8Array): string =>
  isUniquePng(value) ? 'a unique image' : Buffer.from(value).toString('latin1')

function collectMembers(
  value: unknown,
  path: string,
  set: (name: string, value: string) => void,
): void {
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    (path === '' || path === 'options')
  ) {
    for (const [name, member] of Object.entries(value))
      collectMembers(member, path === '' ? name : `${path}.${name}`, set)
  } else {
    set(path === '' ? 'body' : `field \`${path}\``, JSON.stringify(value))
  }
}
