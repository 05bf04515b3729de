import type { Preflight } from '../shared/subject.ts'
import { explainRejection } from '../shared/rejected-requests.ts'
import { ImagesRequests } from './support/requests.ts'
import type { ImagesTarget } from './target.ts'

/** An id that no image has. */
const unknownId = 'touchstone-preflight'

export const preflight: Preflight<ImagesTarget> = {
  addresses: ({ url, batch, upload, delivery }) => ({
    'images.url': url,
    'images.batch.url': batch?.url,
    'images.upload': upload,
    'images.delivery': delivery,
  }),
  async findMistake(target, client) {
    const requests = new ImagesRequests(target, 'touchstone')
    const exchanges = [
      await client.send(requests.list()),
      await client.send(requests.get(unknownId)),
    ]
    // The image is unknown, so its 404 proves nothing, and the list operation alone may be broken.
    // So if the list returned 404, this also tries an upload without a file.
    if (exchanges[0]!.status === 404) exchanges.push(await client.send(requests.upload({})))
    return explainRejection(exchanges, {
      url: 'images.url',
      part: 'the version segment, such as /client/v4',
      owner: 'images.account',
      token: 'images.token',
      variable: 'IMAGES_TOKEN',
    })
  },
}
