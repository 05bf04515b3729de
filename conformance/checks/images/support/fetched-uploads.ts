import type { Expectation } from '../../../engine/index.ts'
import type { HttpExchange, HttpRequest, ImageServer } from '../../../wire/index.ts'
import { isSuccess } from './expectations.ts'
import { ifRefused, type Meaning } from './meanings.ts'
import { noBatchImage } from './read-back.ts'
import type { ApiHost } from './requests.ts'
import { fetchWaitMs } from './reading-world.ts'
import type { ImagesWorld } from './world.ts'

// The document does not say that a service fetches the image of an upload before it responds. If it
// responds first, it cannot refuse a URL that leads to no image: it can only store nothing.

/**
 * Milliseconds for which a URL returns nothing after it was requested, to see whether the service
 * waits for it.
 */
const holdMs = 3000

/**
 * Waits up to `fetchWaitMs` until a URL was requested more than `earlier` times, or until `isOver`
 * returns true. Returns how many times it was requested.
 */
export async function waitForRequests(
  { clock, signal }: ImagesWorld,
  served: ImageServer,
  url: string,
  earlier: number,
  isOver = () => false,
): Promise<number> {
  const end = clock.now() + fetchWaitMs
  while (served.countRequests(url) <= earlier && !isOver() && clock.now() < end && !signal.aborted)
    await clock.sleep(100)
  return served.countRequests(url)
}

/**
 * Whether the service responds to an upload by URL before it has received a response from that URL.
 */
async function respondsBeforeFetching(
  world: ImagesWorld,
  served: ImageServer,
  host: ApiHost,
): Promise<boolean> {
  const { send, request, newName, waitAtMost } = world
  let respond = () => {}
  const held = new Promise<void>((resolve) => (respond = resolve))
  const name = newName()
  const url = served.heldUrl(name, held)
  const upload = send({
    ...request.upload({ id: name, url }, host),
    meaning: ifRefused('unfetchable'),
  })
  let hasResponded = false
  void upload.finally(() => (hasResponded = true)).catch(() => {})
  // A service that has not yet requested the URL does not wait for it: it is busy.
  await waitForRequests(world, served, url, 0, () => hasResponded)
  const response = await waitAtMost(holdMs, upload)
  respond()
  await upload
  return response !== undefined && isSuccess(response)
}

const isFailure = (exchange: HttpExchange): boolean => !isSuccess(exchange)

const storesNothing: Expectation<HttpExchange> = {
  name: 'stores nothing later',
  expected: 'no image under the id of the upload, because its URL leads to no image',
  test: isFailure,
  received: ({ summary }) => `the image exists: ${summary}`,
}

/**
 * Sends an upload from a URL that leads to no image that the service may store. If the service
 * accepts it, because it fetches images after its response, expects that it stores nothing.
 * Otherwise resolves to the exchange, which should be a refusal, and to the id in the request.
 * `upload` makes the request for an image with this id; `meaning` is that of a refusal.
 */
export async function uploadUnfetchable(
  world: ImagesWorld,
  url: string,
  upload: (id: string) => HttpRequest,
  meaning: Meaning,
  host: ApiHost = 'account',
): Promise<{ exchange: HttpExchange; id: string } | undefined> {
  const { send, newName, imageServer, readUntil, readBack, request, expect } = world
  const id = newName()
  const exchange = await send({ ...upload(id), meaning: ifRefused(meaning) })
  const served = await imageServer()
  if (isFailure(exchange) || !(await respondsBeforeFetching(world, served, host)))
    return { exchange, id }
  await waitForRequests(world, served, url, 0)
  if (host === 'batch') readBack(noBatchImage(id))
  else expect(await readUntil(request.get(id), isFailure), storesNothing)
  return undefined
}
