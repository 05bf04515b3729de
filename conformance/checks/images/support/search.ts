import { NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { HttpWorld } from '../../shared/http-world.ts'
import { at, idsOf } from './expectations.ts'
import type { ApiHost, ImagesRequests } from './requests.ts'

/** What the search acts with. */
interface Lister extends Pick<HttpWorld<HttpExchange>, 'given' | 'send'> {
  readonly request: ImagesRequests
}

/** Pages that are turned at most in search of an image. */
const longest = 40

/** The entry of that id on some page of a listing; undefined where none has it. */
export async function entryOnPages(
  { given, send, request }: Lister,
  id: string,
  host: ApiHost,
): Promise<unknown> {
  for (let page = 1; page <= longest; page += 1) {
    const asked = request.list({ page, per_page: 100 }, host)
    // A page past the end may be refused.
    const answer = page === 1 ? await given(asked) : await send(asked)
    const ids = idsOf(answer)
    if (ids.includes(id)) return at(answer, 'result', 'images', ids.indexOf(id))
    // A service may leave entries out of a page that it counted: only an empty one is the end.
    if (ids.length === 0) return undefined
  }
  throw new NotCovered(
    `the account has more than ${longest} pages of images, too many to walk as a guest`,
  )
}
