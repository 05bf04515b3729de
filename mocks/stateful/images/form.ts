import type { IncomingMessage } from 'node:http'
import { ImagesRefusal } from './refusal.ts'

export interface FilePart {
  name: string
  filename: string
  type: string
  bytes: Uint8Array
}

/**
 * A multipart body: its text fields by name (the last one counts), fields whose name ends with `[]`
 * as lists, and its files in order.
 */
export interface UploadForm {
  fields: Record<string, string>
  lists: Record<string, string[]>
  files: FilePart[]
  /** The names of the fields that preceded the first file. */
  fieldsBeforeFile?: readonly string[]
}

const maxFieldBytes = 64 * 1024
const maxParts = 200

/**
 * Reads a multipart body as a stream. Throws a refusal with status 413 as soon as all files
 * together exceed `maxFileBytes`, and with 400 if the body is malformed.
 */
export async function readForm(
  request: IncomingMessage,
  contentType: string | undefined,
  maxFileBytes: number,
): Promise<UploadForm> {
  if (contentType === undefined || !/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new ImagesRefusal('body-not-multipart', 400, 'The body must be multipart/form-data')
  }
  // The parser is loaded on first use, because most calls have no form.
  const { Busboy } = await import('@fastify/busboy')
  let parser: InstanceType<typeof Busboy>
  try {
    parser = new Busboy({
      headers: { 'content-type': contentType },
      // Some clients send a file without a filename. For a part named `file`, only the content type
      // then shows whether it is a file or a string.
      isPartAFile: (name, type, filename) =>
        filename !== undefined || (name === 'file' && type !== 'text/plain'),
      limits: {
        fileSize: maxFileBytes,
        fieldSize: maxFieldBytes,
        parts: maxParts,
        headerSize: 16 * 1024,
      },
    })
  } catch {
    throw new ImagesRefusal('multipart-malformed', 400, 'The multipart body has no boundary')
  }
  try {
    return await collect(request, parser, maxFileBytes)
  } finally {
    request.unpipe(parser)
    // A late error of the parser must not be uncaught.
    parser.on('error', () => {})
  }
}

function collect(
  request: IncomingMessage,
  parser: import('@fastify/busboy').BusboyInstance,
  maxFileBytes: number,
): Promise<UploadForm> {
  return new Promise((resolve, reject) => {
    // Without prototypes, no name of a part has a special meaning.
    const form: UploadForm = {
      fields: Object.create(null) as UploadForm['fields'],
      lists: Object.create(null) as UploadForm['lists'],
      files: [],
    }
    let timeout: NodeJS.Timeout | undefined
    const refuse = (refusal: ImagesRefusal) => {
      clearTimeout(timeout)
      reject(refusal)
    }
    const tooLarge = () =>
      refuse(
        new ImagesRefusal(
          'file-too-large',
          413,
          `The files of the form are larger than ${maxFileBytes} bytes`,
        ),
      )
    const malformed = (reason: string) =>
      refuse(
        new ImagesRefusal('multipart-malformed', 400, `The multipart body is malformed: ${reason}`),
      )
    let remainingBytes = maxFileBytes

    parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
      if (name === undefined) malformed('a part has no name')
      else if (valueCut) malformed(`the text field ${name} is too long`)
      else if (name.endsWith('[]')) (form.lists[name] ??= []).push(value)
      else form.fields[name] = value
    })
    parser.on(
      'file',
      (name: string | undefined, stream, filename: string | undefined, _encoding, type) => {
        form.fieldsBeforeFile ??= Object.keys(form.fields)
        const chunks: Uint8Array[] = []
        stream.on('limit', tooLarge)
        stream.on('error', (error: Error) => malformed(error.message))
        stream.on('data', (chunk: Uint8Array) => {
          remainingBytes -= chunk.length
          if (remainingBytes < 0) tooLarge()
          else chunks.push(chunk)
        })
        stream.on('end', () => {
          if (name === undefined) malformed('a part has no name')
          // `concat` copies the bytes. A chunk may be a view of a large buffer, which would
          // otherwise stay in memory.
          else
            form.files.push({ name, filename: filename ?? '', type, bytes: Buffer.concat(chunks) })
        })
      },
    )
    parser.on('partsLimit', () => malformed(`more than ${maxParts} parts`))
    parser.on('error', (error) => malformed(error instanceof Error ? error.message : String(error)))
    parser.on('finish', () => {
      clearTimeout(timeout)
      resolve(form)
    })
    // For some malformed bodies the parser never finishes. So a form counts as malformed if it is
    // not complete one second after the end of the request.
    request.on('end', () => {
      timeout = setTimeout(malformed, 1000, 'the final boundary is missing').unref()
    })
    request.on('error', () => malformed('the connection broke'))
    request.on('close', () => {
      if (!request.complete) malformed('the connection broke')
    })
    request.pipe(parser)
  })
}
