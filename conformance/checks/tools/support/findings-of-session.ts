import { Blocked } from '../../../engine/index.ts'
import { type DefinitionFinding, findingsOf } from '../../../definitions/index.ts'
import type { Session } from './client-session.ts'

/** Maximum number of findings that one message lists. */
const maxShown = 8

/** The server's name in the handshake. Blocks the check if there is none. */
export function requireServerName({ handshake: { result, summary } }: Session): string {
  const name = (result?.['serverInfo'] as { name?: unknown } | undefined)?.name
  if (typeof name !== 'string') throw new Blocked('TOOL-MCP-01', summary)
  return name
}

const cachedFindings = new WeakMap<Session['listPages'], readonly DefinitionFinding[]>()

/**
 * The differences between the definitions of a session and the conventions, computed once for all
 * checks. Blocks the check if there are no tools.
 */
export function requireFindings(session: Session): readonly DefinitionFinding[] {
  const { listPages, definitions, handshake } = session
  if (definitions.length === 0)
    throw new Blocked('TOOL-SERVER-01', listPages.at(-1)?.summary ?? handshake.summary)
  const name = (handshake.result?.['serverInfo'] as { name?: unknown } | undefined)?.name
  const found =
    cachedFindings.get(listPages) ??
    findingsOf(definitions, typeof name === 'string' ? name : undefined)
  cachedFindings.set(listPages, found)
  return found
}

export const describeFindings = (found: readonly DefinitionFinding[]): string => {
  const lines = found
    .slice(0, maxShown)
    .map(
      ({ tool, path, problem, fix }) =>
        `${tool === undefined ? '' : `${tool}: `}${path} ${problem} (${fix})`,
    )
  return [
    ...lines,
    ...(found.length > maxShown ? [`and ${found.length - maxShown} more`] : []),
  ].join('; ')
}
