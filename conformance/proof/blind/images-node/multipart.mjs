// multipart/form-data (RFC 7578 over RFC 2046).
import { Fail, readBody } from './wire.mjs'

const CRLF = Buffer.from('\r\n')

function boundaryOf(s, header) {
  const found = /^multipart\/form-data\s*;(.*)$/is.exec(header ?? '')
  if (!found) throw new Fail(400, 'the body must be multipart/form-data')
  const param = /(?:^|;)\s*boundary=(?:"((?:\\.|[^"\\])+)"|([^\s;"]+))/i.exec(found[1])
  if (!param) throw new Fail(400, 'the content type has no boundary')
  if (param[1] !== undefined)
    return s.on('quoted-boundary-misread') ? `"${param[1]}"` : param[1].replace(/\\(.)/g, '$1')
  return param[2]
}

/** A parameter of Content-Disposition; browsers escape a quote as %22, older clients as \". */
function parameter(header, name) {
  const found = new RegExp(`;\\s*${name}=(?:"((?:\\\\"|[^"])*)"|([^;\\s]+))`, 'i').exec(header)
  if (!found) return undefined
  const raw = found[1] ?? found[2]
  return raw.replace(/\\"/g, '"').replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n')
}

function parsePart(s, block) {
  const gap = block.indexOf('\r\n\r\n')
  if (gap < 0) throw new Fail(400, 'a part of the form has no end of headers')
  const head = block.subarray(0, gap)
  const headers = {}
  for (const line of head.toString('utf8').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
  }
  const disposition = headers['content-disposition'] ?? ''
  const name = parameter(disposition, 'name')
  if (!/^form-data\b/i.test(disposition) || name === undefined)
    throw new Fail(400, 'a part of the form has no name')
  let filename = parameter(disposition, 'filename')
  if (filename !== undefined && s.on('filename-read-as-latin1'))
    filename = Buffer.from(filename).toString('latin1')
  return { name, filename, type: headers['content-type'], data: block.subarray(gap + 4) }
}

export function parseMultipart(s, raw, header) {
  const boundary = boundaryOf(s, header)
  const body = Buffer.concat([CRLF, raw]) // so that the first delimiter looks like all others
  // A delimiter stands at the beginning of a line; its line break belongs to it and not to the content.
  const anywhere = s.on('boundary-inside-line-splits')
  const mark = Buffer.from(anywhere ? `--${boundary}` : `\r\n--${boundary}`)
  const parts = []
  let start = -1
  let closed = false
  for (let at = body.indexOf(mark); at >= 0 && !closed; at = body.indexOf(mark, at + mark.length)) {
    const after = at + mark.length
    const tail = /^(--|[ \t]*\r\n)/.exec(body.subarray(after, after + 80).toString('latin1'))
    if (!tail) continue // text that only begins like the delimiter belongs to the content
    const end = anywhere ? at - CRLF.length : at
    if (start >= 0) parts.push(parsePart(s, body.subarray(start, Math.max(start, end))))
    closed = tail[1] === '--'
    start = after + tail[1].length
  }
  if (!closed) throw new Fail(400, 'the form is cut off')
  return parts
}

const KNOWN = ['file', 'url', 'id', 'requireSignedURLs', 'metadata']

/** Reads a form into { file, url, id, requireSignedURLs, metadata }; text fields are strings. */
export async function readForm(s, req, door) {
  const raw = await readBody(req)
  const form = {}
  let seenFile = false
  for (const part of parseMultipart(s, raw, req.headers['content-type'])) {
    let { name } = part
    if (door === 'upload' && part.filename !== undefined && s.on('upload-any-part-name'))
      name = 'file'
    if (!KNOWN.includes(name)) {
      if (s.on('unknown-fields-refused')) throw new Fail(400, `unknown field ${name}`)
      continue
    }
    if (seenFile && name !== 'file' && s.on('fields-after-file-ignored')) continue
    if (name in form) {
      if (s.on('repeated-fields-first-wins')) continue
      throw new Fail(400, `field ${name} is repeated`)
    }
    if (name === 'file') {
      seenFile = true
      if (part.filename === undefined && s.on('file-without-name-refused'))
        throw new Fail(400, 'file has no file name')
      let { data } = part
      if (s.on('trailing-line-break-trimmed'))
        while (data.length && (data.at(-1) === 10 || data.at(-1) === 13))
          data = data.subarray(0, -1)
      form.file = { data: Buffer.from(data), filename: part.filename }
    } else {
      form[name] = part.data.toString(
        name === 'id' && s.on('custom-id-read-as-latin1') ? 'latin1' : 'utf8',
      )
    }
  }
  if (form.url === '' && s.on('empty-url-is-absent')) delete form.url
  if (form.id === '' && s.on('empty-id-is-absent')) delete form.id
  form.chunked = req.headers['content-length'] === undefined
  return form
}
