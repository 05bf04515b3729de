import type { HttpClient } from '../../wire/index.ts'
import type { Preflight } from '../shared/subject.ts'
import { explainRejection, type RequestKeys } from '../shared/rejected-requests.ts'
import { ImagesRequests } from './support/requests.ts'
import type { ImagesTarget } from './target.ts'

/** An id that no image has. */
const unknownId = 'touchstone-preflight'

const part = 'the version segment, such as /client/v4'

const accountKeys: RequestKeys = {
  url: 'images.url',
  part,
  owner: 'images.account',
  token: 'images.token',
  variable: 'IMAGES_TOKEN',
}

const otherKeys: RequestKeys = {
  url: 'images.url',
  part,
  owner: 'images.other.account',
  token: 'images.other.token',
  variable: 'IMAGES_OTHER_TOKEN',
}

const batchKeys: RequestKeys = {
  url: 'images.batch.url',
  part: 'a part of its path',
  token: 'images.batch.token',
  variable: 'IMAGES_BATCH_TOKEN',
}

/** Finds a mistake in the URL, the account or its token. */
async function explainAccount(
  requests: ImagesRequests,
  client: HttpClient,
  keys: RequestKeys,
): Promise<string | undefined> {
  const exchanges = await Promise.all(
    [requests.list(), requests.get(unknownId)].map((request) => client.send(request)),
  )
  // The image is unknown, so its 404 proves nothing, and the list operation alone may be broken.
  // So if the list returned 404, this also tries an upload without a file.
  if (exchanges[0]!.status === 404) exchanges.push(await client.send(requests.upload({})))
  return explainRejection(exchanges, keys)
}

/** Finds a mistake in the URL or the token of the batch host. */
async function explainBatch(
  requests: ImagesRequests,
  client: HttpClient,
): Promise<string | undefined> {
  const sent = [requests.list({}, 'batch'), requests.upload({}, 'batch')]
  return explainRejection(await Promise.all(sent.map((request) => client.send(request))), batchKeys)
}

export const preflight: Preflight<ImagesTarget> = {
  addresses: ({ url, batch, upload, delivery }) => ({
    'images.url': url,
    'images.batch.url': batch?.url,
    'images.upload': upload,
    'images.delivery': delivery,
  }),
  async findMistake(target, client) {
    const requestsOf = (account: Partial<ImagesTarget>) =>
      new ImagesRequests({ ...target, ...account }, 'touchstone')
    const { batch, other } = target
    const explanations = await Promise.all([
      explainAccount(requestsOf({}), client, accountKeys),
      other && explainAccount(requestsOf(other), client, otherKeys),
      batch && explainBatch(requestsOf({}), client),
    ])
    return explanations.find((explanation) => explanation !== undefined)
  },
}
