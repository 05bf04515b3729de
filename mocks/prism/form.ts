import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { randomUUID } from 'node:crypto'
import { ContractRefusal } from './envelope.ts'

/** A multipart body: the texts by name, where the last of a name counts, and the names of the parts that are files. */
export interface Form {
  fields: Map<string, string>
  files: Map<string, { filename: string; bytes: number }>
}

const maxParts = 200
// What Prism reads costs it some hundred times its size.
const maxTextBytes = 64 * 1024

/** Reads a multipart body that is complete, and refuses it with a 400 where anything about it is malformed. */
export async function parseForm(body: Buffer, contentType: string | undefined): Promise<Form> {
  if (contentType === undefined || !/^\s*multipart\/form-data\s*(;|$)/i.test(contentType))
    throw new ContractRefusal(400, 'The body has to be multipart/form-data')
  // Busboy takes an empty boundary for one.
  if (!/;\s*boundary=("[^"]+"|[^\s";])/i.test(contentType))
    throw new ContractRefusal(400, 'The multipart body has no boundary')
  let parser: BusboyInstance
  try {
    parser = new Busboy({
      headers: { 'content-type': contentType },
      // A type alone makes no file, texts may have one too. A part named file is one, and a name of its own is optional there.
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
    const malformed = (why: string) =>
      reject(new ContractRefusal(400, `The multipart body is malformed: ${why}`))
    let left = maxTextBytes * 4
    parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
      left -= value.length
      if (left < 0) malformed('its texts are too long')
      else if (name === undefined) malformed('a part has no name')
      else if (valueCut) malformed(`the part ${name} is too long for a text`)
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
        // What browsers send for a file field that was left empty is no file.
        else if (filename !== '' || bytes > 0) form.files.set(name, { filename, bytes })
      })
    })
    parser.on('partsLimit', () => malformed('it has too many parts'))
    parser.on('error', (error) => malformed(error instanceof Error ? error.message : String(error)))
    parser.on('finish', () => resolve(form))
    parser.end(body)
    // The whole body is in the parser now. One that never finishes, which some broken bodies bring about, is broken.
    setTimeout(malformed, 1000, 'it does not end').unref()
  })
}

/**
 * Writes a form anew for Prism, whose own parser must never see what somebody sent: it ends the process over some bodies and
 * reads others byte by byte. Values are percent-encoded, which Prism undoes, and of a file only its size is told.
 */
export function rewriteForm(form: Form): { body: string; contentType: string } {
  const boundary = `touchstone-${randomUUID()}`
  const parts = new Map([...form.fields].map(([name, value]) => [name, encodeURIComponent(value)]))
  for (const [name, { bytes }] of form.files) parts.set(name, `${bytes}%20bytes`)
  let body = ''
  // No contract has names of other letters, and Prism stumbles over some; whatever else comes along is legal and ignored.
  for (const [name, value] of parts) {
    if (/^[\w.-]+$/.test(name))
      body += `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  }
  return {
    body: `${body}--${boundary}--\r\n`,
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}
