import type { HttpClient } from '../../../wire/index.ts'
import type { Registered } from './client.ts'

/** Ids that are named at most: all bear the name of the suite. */
const named = 5

/** Takes back the clients of a run where the server says how (RFC 7592 §2.3), which no document demands of it. Names those that stay. */
export async function takeBack(
  clients: readonly Registered[],
  door: HttpClient,
): Promise<string[]> {
  const stay = await Promise.all(
    clients.map(async ({ id, uri, token }) => {
      if (uri === undefined || token === undefined) return id
      const { status = 0 } = await door.send({
        operation: 'unregister',
        method: 'DELETE',
        url: uri,
        headers: { Authorization: `Bearer ${token}` },
      })
      return status >= 200 && status < 300 ? undefined : id
    }),
  )
  const left = stay.filter((id) => id !== undefined)
  if (left.length === 0) return []
  const more = left.length > named ? ` and ${left.length - named} more` : ''
  return [
    `${left.length} OAuth client${left.length === 1 ? '' : 's'} with the name Touchstone: ${left.slice(0, named).join(', ')}${more}`,
  ]
}
