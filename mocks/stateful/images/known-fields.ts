import type { IncomingMessage } from 'node:http'
import { noteUnknownFields } from '../../serving/ignored.ts'
import { isObject } from '../http/body.ts'

/** Published clients send one field for each entry of the metadata, as in `metadata[place]`. */
const metadata = ['metadata', /^metadata\[/]
const upload = ['file', 'url', 'id', 'requireSignedURLs', ...metadata]

/** The fields that the contract defines in the body of each operation. */
const knownFields: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  uploadImage: upload,
  batchUploadImage: upload,
  createDirectUpload: ['id', 'expiry', 'requireSignedURLs', ...metadata],
  completeDirectUpload: ['file'],
  createVariant: ['id', 'options', 'neverRequireSignedURLs'],
  updateVariant: ['options', 'neverRequireSignedURLs'],
  updateConfig: ['flexible_variants'],
}

/** Says in the request log which fields of a body the contract does not define. */
export function noteUnknownImageFields(
  request: IncomingMessage,
  operation: string,
  names: Iterable<string>,
): void {
  const known = knownFields[operation]
  if (known !== undefined) noteUnknownFields(request, names, known)
}

/** Like `noteUnknownImageFields`, for a JSON body. */
export function noteUnknownMembers(
  request: IncomingMessage,
  operation: string,
  body: unknown,
): void {
  if (isObject(body)) noteUnknownImageFields(request, operation, Object.keys(body))
}
