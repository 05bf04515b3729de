import type { HttpExchange, HttpRequest } from '../../wire/index.ts'
import type { Undo } from './journal.ts'
import type { LastRequests } from './last-requests.ts'

/** Why `touchstone clean` did not delete something. */
const reasons = {
  another:
    'not deleted, because it is not what the run created: its name differs. If it is, delete it yourself, and then use --forget',
  unknown:
    'not deleted, because the server does not show whether the run created it: an id can belong to something else after the server was restarted. --force deletes it',
}

export interface Owned {
  /** What the run created. */
  readonly own: readonly Undo[]
  /** What no longer exists. */
  readonly gone: readonly Undo[]
  /** The rest, with the reasons why it was not deleted. */
  readonly kept: readonly { readonly undo: Undo; readonly reason: string }[]
}

/**
 * Reads what earlier runs created, and decides what may be deleted. Some servers use an id again,
 * such as a counter that starts at 1 when the server starts, so the id alone proves nothing: what
 * the server returns must contain the mark of the run. `read` returns the request that reads the
 * resource. With `force`, resources that cannot be read count as those of the run. `isNameless`
 * returns whether a resource of the run may lack the mark.
 */
export async function findOwned(
  undos: readonly Undo[],
  read: (undo: Undo) => HttpRequest,
  {
    last,
    force,
    isNameless = () => false,
  }: { last: LastRequests; force: boolean; isNameless?: (exchange: HttpExchange) => boolean },
): Promise<Owned> {
  const sent = await last.send(undos.map(read))
  const isRead = ({ status = 0 }: HttpExchange) => status >= 200 && status < 300
  // Otherwise the server possibly has no such operation, and 404 means nothing.
  const canRead = sent.some(({ exchange }) => exchange !== undefined && isRead(exchange))
  const own: Undo[] = []
  const gone: Undo[] = []
  const kept: { undo: Undo; reason: string }[] = []
  for (const [index, undo] of undos.entries()) {
    const { exchange } = sent[index]!
    if (exchange !== undefined && isRead(exchange)) {
      if (isMarked(exchange, undo.mark) || isNameless(exchange)) own.push(undo)
      else kept.push({ undo, reason: reasons.another })
    } else if (canRead && (exchange?.status === 404 || exchange?.status === 410)) gone.push(undo)
    else if (force) own.push(undo)
    else kept.push({ undo, reason: reasons.unknown })
  }
  return { own, gone, kept }
}

/** JSON may escape slashes. */
const isMarked = ({ body }: HttpExchange, mark: string | undefined) =>
  mark !== undefined && body.toString('utf8').replaceAll('\\/', '/').includes(mark)
