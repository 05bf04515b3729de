import type { IncomingMessage } from 'node:http'
import { ImagesRefusal } from './refusal.ts'

export interface FilePart {
  name: string
  filename: string
  type: string
  bytes: Uint8Array
}

/** A multipart body: its texts by name (the last of a name counts), all texts of names that end in `[]`, its files in order. */
export interface UploadForm {
  fields: Record<string, string>
  lists: Record<string, string[]>
  files: FilePart[]
}

const maxFieldBytes = 64 * 1024
const maxParts = 200

/**
 * Reads a multipart body while it streams in. All files together may have `maxFileBytes`; the byte after that ends
 * the reading with a 413, however much is still to come. Whatever is malformed ends it with a 400.
 */
export async function readForm(
  request: IncomingMessage,
  contentType: string | undefined,
  maxFileBytes: number,
): Promise<UploadForm> {
  if (contentType === undefined || !/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new ImagesRefusal('body-not-multipart', 400, 'The body has to be multipart/form-data')
  }
  // Most calls have no form: the parser is loaded when the first one comes.
  const { Busboy } = await import('@fastify/busboy')
  let parser: InstanceType<typeof Busboy>
  try {
    parser = new Busboy({
      headers: { 'content-type': contentType },
      // A file has a file name. Some clients leave it out, and only the type tells their files from texts.
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
    // What the parser says after we stopped listening must not become an uncaught error.
    parser.on('error', () => {})
  }
}

function collect(
  request: IncomingMessage,
  parser: import('@fastify/busboy').BusboyInstance,
  maxFileBytes: number,
): Promise<UploadForm> {
  return new Promise((resolve, reject) => {
    // Without prototypes no name that comes in is special.
    const form: UploadForm = {
      fields: Object.create(null) as UploadForm['fields'],
      lists: Object.create(null) as UploadForm['lists'],
      files: [],
    }
    let overdue: NodeJS.Timeout | undefined
    const refuse = (refusal: ImagesRefusal) => {
      clearTimeout(overdue)
      reject(refusal)
    }
    const tooLarge = () =>
      refuse(
        new ImagesRefusal('file-too-large', 413, `The file is larger than ${maxFileBytes} bytes`),
      )
    const malformed = (why: string) =>
      refuse(
        new ImagesRefusal('multipart-malformed', 400, `The multipart body is malformed: ${why}`),
      )
    let left = maxFileBytes

    parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
      if (name === undefined) malformed('a part has no name')
      else if (valueCut) malformed(`the part ${name} is too long for a text`)
      else if (name.endsWith('[]')) (form.lists[name] ??= []).push(value)
      else form.fields[name] = value
    })
    parser.on(
      'file',
      (name: string | undefined, stream, filename: string | undefined, _encoding, type) => {
        const chunks: Uint8Array[] = []
        stream.on('limit', tooLarge)
        stream.on('error', (error: Error) => malformed(error.message))
        stream.on('data', (chunk: Uint8Array) => {
          left -= chunk.length
          if (left < 0) tooLarge()
          else chunks.push(chunk)
        })
        stream.on('end', () => {
          if (name === undefined) malformed('a part has no name')
          // concat copies: a chunk may be a small window into a big buffer that would otherwise stay in memory.
          else
            form.files.push({ name, filename: filename ?? '', type, bytes: Buffer.concat(chunks) })
        })
      },
    )
    parser.on('partsLimit', () => malformed(`more than ${maxParts} parts`))
    parser.on('error', (error) => malformed(error instanceof Error ? error.message : String(error)))
    parser.on('finish', () => {
      clearTimeout(overdue)
      resolve(form)
    })
    // Some broken bodies never make the parser finish; then the end of the request has to.
    request.on('end', () => {
      overdue = setTimeout(malformed, 1000, 'it does not end').unref()
    })
    request.on('error', () => malformed('the connection broke'))
    request.on('close', () => {
      if (!request.complete) malformed('the connection broke')
    })
    request.pipe(parser)
  })
}
