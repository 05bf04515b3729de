import type { HttpClient } from '../../../wire/index.ts'
import type { AuthTarget } from '../authentication.ts'
import { openSession } from './preflight-session.ts'
import { explainRefusedSession, preflightToken } from './refused-session.ts'

/** Opens a session. Returns what is wrong with the URL or the token, or undefined. */
export async function tryStreamableHttp(
  url: string,
  client: HttpClient,
  auth: AuthTarget | undefined,
): Promise<string | undefined> {
  const { status } = await openSession(url, client, preflightToken(auth))
  const where = `POST ${url}`
  return explainPath(status, where, 'tools.http') ?? explainRefusedSession(status, where, auth)
}

/** Opens the event stream. Returns the same as `tryStreamableHttp`. */
export async function trySse(
  url: string,
  client: HttpClient,
  auth: AuthTarget | undefined,
): Promise<string | undefined> {
  const token = preflightToken(auth)
  const { status } = await client.send({
    operation: 'resource',
    method: 'GET',
    url,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      Accept: 'text/event-stream',
    },
    readBody: 'of refusals',
  })
  const where = `GET ${url}`
  return explainPath(status, where, 'tools.sse') ?? explainRefusedSession(status, where, auth)
}

const explainPath = (status: number | undefined, where: string, key: string) =>
  status === 404 || status === 405
    ? `${status} for ${where}: check the path in ${key}, such as /mcp or /sse.`
    : undefined
