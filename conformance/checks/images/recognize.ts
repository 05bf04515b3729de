import { isObject } from '../../engine/index.ts'
import type { HttpClient } from '../../wire/index.ts'

/**
 * Whether an image hosting API answers at a base URL: its responses are JSON objects with `success`
 * and `errors`, even without a token. Only reads.
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
