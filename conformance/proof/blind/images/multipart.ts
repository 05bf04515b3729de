// Parses multipart/form-data (RFC 7578, RFC 2046).
import { bad, type World } from './world.ts'

export interface Part {
  name: string
  filename: string | undefined
  type: string
  data: Buffer
}

export function boundaryOf(contentType: string): string | undefined {
  const found = /;\s*boundary=(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(contentType)
  return found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2]
}

function parameter(header: string, name: string): string | undefined {
  const found = new RegExp(
    `;\\s*${name}=(?:"((?:[^"\\\\]|\\\\["\\\\]|\\\\)*)"|([^;\\s]+))`,
    'i',
  ).exec(header)
  const text = found?.[1]?.replace(/\\(["\\])/g, '$1') ?? found?.[2]
  return text?.replace(/%22/g, '"').replace(/%0D%0A|%0A|%0D/gi, ' ')
}

export function parseForm(w: World, contentType: string, body: Buffer): Part[] {
  const boundary = boundaryOf(contentType)
  if (!boundary) throw bad('The form has no boundary')
  if (w.on('quoted-boundary-refused') && /boundary="/i.test(contentType)) {
    throw bad('The form has no boundary')
  }
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const text = Buffer.concat([Buffer.from('\r\n'), body])
  if (w.on('preamble-refused') && text.indexOf(delimiter) !== 0) throw bad('Broken form')
  const parts: Part[] = []
  let at = text.indexOf(delimiter)
  if (at < 0) throw bad('The form does not hold its boundary')
  for (;;) {
    at += delimiter.length
    if (text.toString('latin1', at, at + 2) === '--') return parts
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) throw bad('The form ends early')
    const next = text.indexOf(delimiter, lineEnd)
    if (next < 0) throw bad('The form ends early')
    const headEnd = text.indexOf('\r\n\r\n', lineEnd)
    if (headEnd < 0 || headEnd > next) throw bad('A part of the form has no headers')
    const head = text.toString('utf8', lineEnd, headEnd)
    const pattern = w.on('part-headers-case')
      ? /\r\nContent-Disposition: *(form-data(?:;.*)?)/
      : /\r\ncontent-disposition: *(form-data.*)/i
    const disposition = pattern.exec(head)?.[1]
    const name = disposition === undefined ? undefined : parameter(disposition, 'name')
    if (disposition !== undefined && name !== undefined) {
      parts.push({
        name,
        filename: parameter(disposition.replace(/;\s*filename\*=[^;]*/i, ''), 'filename'),
        type: /\r\ncontent-type: *([^\r\n]*)/i.exec(head)?.[1] ?? '',
        data: text.subarray(Math.min(headEnd + 4, next), next),
      })
    }
    at = next
  }
}
