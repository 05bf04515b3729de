import { NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { HttpWorld } from '../../shared/http-world.ts'
import { jsonAt, idsOf } from './expectations.ts'
import type { ApiHost, ImagesRequests } from './requests.ts'

interface PageReader extends Pick<HttpWorld<HttpExchange>, 'sendOrBlock' | 'send'> {
  readonly request: ImagesRequests
}

/** The largest number of pages to search. */
export const maxPages = 40

export const tooManyPages = `the list of images did not end after ${maxPages} pages. If IMG-LIST-04 or IMG-LIST-07 failed, correct that first; otherwise, test with an account that contains fewer images`

/** Returns the entry with this id on any page of a list; undefined if there is none. */
export async function findOnPages(
  { sendOrBlock, send, request }: PageReader,
  id: string,
  host: ApiHost,
): Promise<unknown> {
  for (let page = 1; page <= maxPages; page += 1) {
    const listRequest = request.list({ page, per_page: 100 }, host)
    // A page past the end may be refused.
    const response = page === 1 ? await sendOrBlock(listRequest) : await send(listRequest)
    const ids = idsOf(response)
    if (ids.includes(id)) return jsonAt(response, 'result', 'images', ids.indexOf(id))
    // A service may omit entries from a page after it has counted them. So a short page need not be
    // the last one, but an empty page marks the end.
    if (ids.length === 0) return undefined
  }
  throw new NotCovered(tooManyPages)
}
