import { isObject } from '../../engine/index.ts'
import type { HttpClient } from '../../wire/index.ts'

/**
 * Recognizes the base URL of an image hosting API: even without a token, its responses are JSON
 * objects with `success` and `errors`. Returns the key for this URL in the target file. Returns
 * undefined if the URL belongs to a different API. Sends only reads.
 */
export async function recognizeImages(
  url: string,
  client: HttpClient,
): Promise<'images.url' | undefined> {
  const { json } = await client.send({
    operation: 'resource',
    method: 'GET',
    url: `${url.replace(/\/+$/, '')}/accounts/touchstone/images/v1`,
    readBody: 'of refusals',
  })
  return isObject(json) && typeof json['success'] === 'boolean' && Array.isArray(json['errors'])
    ? 'images.url'
    : undefined
}
