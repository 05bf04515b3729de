import type { McpExchange, McpReceived } from '../../../wire/index.ts'
import { openTwoSessions } from './interleaved-clients.ts'
import { maxDelay } from './plain-calls.ts'
import type { ToolsWorld } from './world.ts'

/** A message to an endpoint that no client has, and the responses on the streams of clients. */
export interface PostToUnknownEndpoint {
  readonly posted: McpExchange
  readonly received: readonly McpReceived[]
}

/**
 * How often an accepted message is posted. Other checks may open sessions in between, which a
 * broken server may choose instead.
 */
const attempts = 10

type RandomInt = ToolsWorld['randomInt']

/** Replaces digits and letters by others. Hexadecimal numbers stay hexadecimal. */
const replaceAtRandom = (text: string, randomInt: RandomInt): string =>
  ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz'].reduce(
    (changed, letters) =>
      changed.replaceAll(
        new RegExp(`[${letters}]`, 'g'),
        () => letters[randomInt(0, letters.length)]!,
      ),
    text,
  )

/**
 * Returns an endpoint of the same form as two others, but with another value where these differ.
 * Undefined if they do not differ, or only in a few characters that another client may also have.
 */
function unknownEndpointLike(one: string, other: string, randomInt: RandomInt): string | undefined {
  const isEqualAt = (at: number) => one[at] === other[at]
  let start = 0
  while (start < one.length && isEqualAt(start)) start += 1
  let end = 0
  while (end < one.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const differing = one.slice(start, one.length - end)
  if (differing.length < minDiffering) return undefined
  return `${one.slice(0, start)}${replaceAtRandom(differing, randomInt)}${one.slice(one.length - end)}`
}

/** With fewer characters, a random value may be the session of a client. */
const minDiffering = 8

/**
 * Posts pings to endpoints that no client has. Returns none if the endpoints of two clients do not
 * differ in a long part.
 */
export async function postToUnknownEndpoint(
  world: ToolsWorld,
): Promise<readonly PostToUnknownEndpoint[]> {
  const posts: PostToUnknownEndpoint[] = []
  for (let count = 0; count < attempts; count += 1) {
    const clients = (await openTwoSessions(world, 'sse')).map(({ connection }) => connection)
    const [{ endpoint: one = '' }, { endpoint: other = '' }] = [clients[0]!, clients[1]!]
    const unknown = unknownEndpointLike(one, other, world.randomInt)
    if (unknown === undefined) return posts
    const id = `touchstone-${crypto.randomUUID()}`
    const posted = await world.sendHttp({
      transport: 'sse',
      url: new URL(unknown, world.target.sse).href,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: { jsonrpc: '2.0', id, method: 'ping' },
      operation: 'ping at an unknown endpoint',
    })
    const find = () =>
      clients
        .flatMap(({ unmatchedResponses }) => unmatchedResponses)
        .filter(({ json }) => json['id'] === id)
    if ((posted.httpStatus ?? 0) < 300) await clients[1]!.until(() => find().length > 0, maxDelay)
    const received = find()
    posts.push({ posted, received })
    await Promise.all(clients.map((connection) => connection.close()))
    if ((posted.httpStatus ?? 0) >= 300 || received.length > 0) break
  }
  return posts
}
