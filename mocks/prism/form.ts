import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { randomUUID } from 'node:crypto'
import { ContractRefusal } from './envelope.ts'

/** A multipart body: its text fields by name (the last one counts), and its files by name. */
export interface Form {
  fields: Map<string, string>
  files: Map<string, { filename: string; bytes: number }>
}

const maxParts = 200
// Prism needs about a hundred times as much memory as the text that it parses.
const maxTextBytes = 64 * 1024

/** Reads a complete multipart body. Throws a refusal with status 400 if it is malformed. */
export async function parseForm(body: Buffer, contentType: string | undefined): Promise<Form> {
  if (contentType === undefined || !/^\s*multipart\/form-data\s*(;|$)/i.test(contentType))
    throw new ContractRefusal(400, 'The body must be multipart/form-data')
  // Busboy accepts an empty boundary.
  if (!/;\s*boundary=("[^"]+"|[^\s";])/i.test(contentType))
    throw new ContractRefusal(400, 'The multipart body has no boundary')
  let parser: BusboyInstance
  try {
    parser = new Busboy({
      headers: { 'content-type': contentType },
      // A content type alone does not make a file, because text fields may have one. A part named
      // file is a file even without a filename.
      isPartAFile: (name, _type, filename) => filename !== undefined || name === 'file',
      limits: { parts: maxParts, fieldSize: maxTextBytes, headerSize: 16 * 1024 },
    })
  } catch {
    throw new ContractRefusal(400, 'The multipart body has no boundary')
  }
  return await collect(parser, body)
}

function collect(parser: BusboyInstance, body: Buffer): Promise<Form> {
  return new Promise((resolve, reject) => {
    const form: Form = { fields: new Map(), files: new Map() }
    const malformed = (reason: string) =>
      reject(new ContractRefusal(400, `The multipart body is malformed: ${reason}`))
    let remainingBytes = maxTextBytes * 4
    parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
      remainingBytes -= value.length
      if (remainingBytes < 0) malformed('its text fields are too long')
      else if (name === undefined) malformed('a part has no name')
      else if (valueCut) malformed(`the text field ${name} is too long`)
      else form.fields.set(name, value)
    })
    parser.on('file', (name: string | undefined, stream, filename: string) => {
      let bytes = 0
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      stream.on('error', (error: Error) => malformed(error.message))
      stream.on('end', () => {
        if (name === undefined) malformed('a part has no name')
        // Browsers send an empty part for an empty file field, which is not a file.
        else if (filename !== '' || bytes > 0) form.files.set(name, { filename, bytes })
      })
    })
    parser.on('partsLimit', () => malformed('it has too many parts'))
    parser.on('error', (error) => malformed(error instanceof Error ? error.message : String(error)))
    parser.on('finish', () => resolve(form))
    parser.end(body)
    // For some malformed bodies the parser never finishes.
    setTimeout(malformed, 1000, 'the final boundary is missing').unref()
  })
}

/**
 * Converts a form that requests a ticket (a URL for one upload without a token) to the JSON body of
 * the OpenAPI document. Published clients send forms, with one field for each entry of the
 * metadata: `metadata[place]`.
 */
export function ticketOfForm({ fields }: Form): Record<string, unknown> {
  const ticket: Record<string, unknown> = {}
  const entries: [string, string][] = []
  for (const [name, value] of fields) {
    const entry = /^metadata\[(.+)\]$/.exec(name)?.[1]
    if (entry !== undefined) entries.push([entry, value])
    else if (name === 'requireSignedURLs' || name === 'metadata') ticket[name] = jsonOrText(value)
    else ticket[name] = value
  }
  if (entries.length > 0) ticket['metadata'] = Object.fromEntries(entries)
  return ticket
}

/**
 * Parses a field as JSON. Returns the text unchanged if it is not JSON; the schema then refuses it.
 */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * Rewrites a form for Prism. Prism's own form parser must not receive the bodies that clients send:
 * some of them crash the process, and others are read as bytes. Values are percent-encoded, and
 * Prism decodes them. Files are replaced by their size.
 */
export function rewriteForm(form: Form): { body: string; contentType: string } {
  const boundary = `touchstone-${randomUUID()}`
  const parts = new Map([...form.fields].map(([name, value]) => [name, encodeURIComponent(value)]))
  for (const [name, { bytes }] of form.files) parts.set(name, `${bytes}%20bytes`)
  let body = ''
  // Parts with other names are omitted: no contract defines them, and some of them break Prism.
  for (const [name, value] of parts) {
    if (/^[\w.-]+$/.test(name))
      body += `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  }
  return {
    body: `${body}--${boundary}--\r\n`,
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}
