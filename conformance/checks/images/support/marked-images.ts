import type { HttpExchange, HttpRequest } from '../../../wire/index.ts'
import type { LastRequests } from '../../shared/last-requests.ts'
import { isSuccess, jsonAt } from './expectations.ts'
import type { ImagesRequests } from './requests.ts'

/** The largest number of pages that are searched, with 100 images each. */
const maxPages = 1000

interface MarkedImages {
  readonly deletions: readonly HttpRequest[]
  /** Why the search is not complete. */
  readonly failure?: string
}

/**
 * Finds the images and variants of the target that contain one of the marks in the id, the filename
 * or the metadata. Returns the requests that delete them.
 */
export async function findMarked(
  requests: ImagesRequests,
  marks: readonly string[],
  last: LastRequests,
): Promise<MarkedImages> {
  const deletions: HttpRequest[] = []
  const isMarked = (value: unknown) => {
    const text = JSON.stringify(value) ?? ''
    return marks.some((mark) => text.includes(mark))
  }
  const send = async (request: HttpRequest): Promise<HttpExchange | undefined> => {
    const [sent] = await last.send([request])
    return sent?.exchange
  }
  const failureOf = ({ method, url }: HttpRequest, exchange: HttpExchange | undefined) => {
    if (exchange === undefined) return 'there was no time to search'
    return isSuccess(exchange) ? undefined : `${method} ${url} returned ${exchange.summary}`
  }
  for (const { list, remove } of requests.lists) {
    for (let page = 1; page <= maxPages; page += 1) {
      const request = list(page)
      const exchange = await send(request)
      const { status = 0 } = exchange ?? {}
      // A server may refuse a page past the end.
      if (page > 1 && status >= 400 && status < 500 && status !== 429) break
      const failure = failureOf(request, exchange)
      if (failure !== undefined) return { deletions, failure }
      const images = jsonAt(exchange!, 'result', 'images')
      if (!Array.isArray(images) || images.length === 0) break
      for (const image of images as (Record<string, unknown> | null)[]) {
        const { id, filename, metadata, meta } = image ?? {}
        // Does not search the whole image, because its delivery URLs contain the names of variants
        // of the run.
        if (typeof id === 'string' && isMarked([id, filename, metadata, meta]))
          deletions.push(remove(id))
      }
    }
  }
  const request = requests.listVariants()
  const listed = await send(request)
  const failure = failureOf(request, listed)
  if (failure !== undefined) return { deletions, failure }
  for (const name of namesIn(jsonAt(listed!, 'result')))
    if (isMarked(name)) deletions.push(requests.deleteVariant(name))
  return { deletions }
}

/**
 * All strings in a value and all names of members. Each can be the name of a variant, because the
 * document does not state the form of the list.
 */
function namesIn(value: unknown): Set<string> {
  if (typeof value === 'string') return new Set([value])
  if (typeof value !== 'object' || value === null) return new Set()
  return new Set(Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]))
}
