import type { HttpClient } from '../../../wire/index.ts'
import type { Journal } from '../../shared/journal.ts'
import { describeRemaining } from '../../shared/remaining.ts'
import { clientName, undoOfRegistration, type RegisteredClient } from './client.ts'

/**
 * Asks the server to delete the clients that a run registered there. A server need not support this
 * (RFC 7592 §2.3). Returns one line about the clients that remain; an empty array if none remains.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7592#section-2.3
 */
export async function unregisterClients(
  clients: readonly RegisteredClient[],
  client: HttpClient,
  journal: Journal,
): Promise<string[]> {
  const ids = await Promise.all(
    clients.map(async (registered) => {
      const { id, uri, token } = registered
      if (uri === undefined || token === undefined) return id
      const { status = 0 } = await client.send({
        operation: 'unregister',
        method: 'DELETE',
        url: uri,
        headers: { Authorization: `Bearer ${token}` },
      })
      if (status < 200 || status >= 300) return id
      journal.undone(undoOfRegistration(registered))
      return undefined
    }),
  )
  const remaining = ids.filter((id) => id !== undefined)
  return remaining.length === 0
    ? []
    : [describeRemaining('OAuth client', `whose name contains ${clientName}, by id`, remaining)]
}
