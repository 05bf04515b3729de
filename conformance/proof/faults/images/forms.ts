import { Readable } from 'node:stream'
import {
  failure,
  type ImagesCall,
  type ImagesOperation,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { fault, onRequest } from './building.ts'

/** Refuses uploads whose form has a legal but unusual syntax. */
const refuseForms = (
  name: string,
  description: string,
  isRefused: (body: string, type: string) => boolean,
  operation: ImagesOperation = 'uploadImage',
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-UPLOAD-17'],
    onRequest(async (call, next, hit) => {
      const body = await readBody(call)
      if (!isRefused(body.toString('latin1'), call.headers['content-type'] ?? '')) return next()
      hit()
      return failure(call.server.choices, 400, 'The multipart body is malformed')
    }, operation),
  )

/** Reads the body, and replaces the request so that its handler can read the body again. */
async function readBody(call: ImagesCall): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of call.request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const { headers, method } = call.request
  call.request = Object.assign(Readable.from([body]), { headers, method }) as never
  return body
}

export const forms: readonly ImagesFault[] = [
  refuseForms(
    'quoted-boundary-is-refused',
    'Refuses a form whose boundary is quoted.',
    (_body, type) => type.includes('boundary="'),
  ),
  refuseForms(
    'preamble-is-refused',
    'Refuses a form with a preamble.',
    (body) => !body.startsWith('--'),
  ),
  refuseForms(
    'part-headers-need-capital-letters',
    'Refuses a form whose parts have header names in lower case.',
    (body) => !body.includes('Content-Disposition'),
  ),
  refuseForms(
    'upload-host-refuses-a-quoted-boundary',
    'Refuses a direct upload with a form whose boundary is quoted.',
    (_body, type) => type.includes('boundary="'),
    'completeDirectUpload',
  ),
  refuseForms(
    'upload-host-refuses-a-preamble',
    'Refuses a direct upload with a form that has a preamble.',
    (body) => !body.startsWith('--'),
    'completeDirectUpload',
  ),
  refuseForms(
    'upload-host-requires-capital-letters',
    'Refuses a direct upload with a form whose parts have header names in lower case.',
    (body) => !body.includes('Content-Disposition'),
    'completeDirectUpload',
  ),
  refuseForms(
    'batch-host-refuses-a-quoted-boundary',
    'Refuses an upload to the batch host with a form whose boundary is quoted.',
    (_body, type) => type.includes('boundary="'),
    'batchUploadImage',
  ),
  refuseForms(
    'batch-host-refuses-a-preamble',
    'Refuses an upload to the batch host with a form that has a preamble.',
    (body) => !body.startsWith('--'),
    'batchUploadImage',
  ),
  refuseForms(
    'batch-host-requires-capital-letters',
    'Refuses an upload to the batch host with a form whose parts have header names in lower case.',
    (body) => !body.includes('Content-Disposition'),
    'batchUploadImage',
  ),
]
