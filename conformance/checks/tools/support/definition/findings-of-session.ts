import { Blocked } from '../../../../engine/index.ts'
import { type DefinitionFinding, findingsOf } from './index.ts'
import type { Session } from '../client-session.ts'

/** What is told of findings in one line. */
const shown = 8

/** The server's name as it was told in the handshake; blocks the check where none was. */
export function serverName({ handshake: { result, summary } }: Session): string {
  const name = (result?.['serverInfo'] as { name?: unknown } | undefined)?.name
  if (typeof name !== 'string') throw new Blocked('TOOL-MCP-01', summary)
  return name
}

const known = new WeakMap<Session['lists'], readonly DefinitionFinding[]>()

/** How the definitions of a session differ from the conventions; the same for all checks. Blocks the check where there are no tools. */
export function findings(session: Session): readonly DefinitionFinding[] {
  const { lists, definitions, handshake } = session
  if (definitions.length === 0)
    throw new Blocked('TOOL-SERVER-01', lists.at(-1)?.summary ?? handshake.summary)
  const name = (handshake.result?.['serverInfo'] as { name?: unknown } | undefined)?.name
  const found =
    known.get(lists) ?? findingsOf(definitions, typeof name === 'string' ? name : undefined)
  known.set(lists, found)
  return found
}

export const told = (found: readonly DefinitionFinding[]): string => {
  const lines = found
    .slice(0, shown)
    .map(
      ({ tool, path, says, mend }) =>
        `${tool === undefined ? '' : `${tool}: `}${path} ${says} (${mend})`,
    )
  return [...lines, ...(found.length > shown ? [`and ${found.length - shown} more`] : [])].join(
    '; ',
  )
}
