import type { IncomingMessage } from 'node:http'
import { noteUnknownFields } from '../../serving/ignored.ts'
import { isObject } from '../http/body.ts'
import { defaultOptions } from './variants.ts'

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

/** Says in the request log which query parameters of an operation the contract does not define. */
export function noteUnknownParameters(
  request: IncomingMessage,
  operation: string,
  names: Iterable<string>,
): void {
  // URLs of these hosts may contain what their server has put there, such as a signature.
  if (operation === 'deliverImage' || operation === 'completeDirectUpload') return
  const known = /listImages$/i.test(operation) ? ['page', 'per_page'] : []
  noteUnknownFields(request, names, known, 'query parameter')
}

/** Like `noteUnknownImageFields`, for a JSON body, and for the options of a variant in it. */
export function noteUnknownMembers(
  request: IncomingMessage,
  operation: string,
  body: unknown,
): void {
  if (!isObject(body)) return
  const { options } = body
  const ofVariant =
    knownFields[operation]?.includes('options') === true && isObject(options)
      ? Object.keys(options).flatMap((name) =>
          Object.hasOwn(defaultOptions, name) ? [] : [`options.${name}`],
        )
      : []
  noteUnknownImageFields(request, operation, [...Object.keys(body), ...ofVariant])
}
