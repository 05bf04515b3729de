import { Blocked } from '../../../engine/index.ts'
import { type DefinitionFinding, findingsOf } from '../../../definitions/index.ts'
import type { Session } from './client-session.ts'

/** Maximum number of tools or fields to list for one problem, and maximum number of problems. */
const maxPlaces = 12
const maxProblems = 6

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

/**
 * Describes findings, grouped by problem. Each problem is followed by the tools and fields that
 * have it: "no description: echo, get-sum".
 */
export function describeFindings(found: readonly DefinitionFinding[]): string {
  const problems = new Map<string, DefinitionFinding[]>()
  for (const finding of found) {
    // A finding about the server or about all tools is not grouped with findings at other paths.
    const key = `${finding.tool === undefined ? finding.path : ''} ${finding.rule} ${finding.problem}`
    problems.set(key, [...(problems.get(key) ?? []), finding])
  }
  const texts = [...problems.values()].map((same) => {
    const { tool, path, problem, fix } = same[0]!
    if (tool === undefined)
      return `${path === '$.tools' ? 'the list of tools' : path} ${problem} (${fix})`
    const isOneFix = same.every((finding) => finding.fix === fix)
    const places = same.map((finding) =>
      isOneFix ? placeOf(finding) : `${placeOf(finding)} (${finding.fix})`,
    )
    const heading = `${problem.replace(/^(is|has) /, '')}${isOneFix ? ` (${fix})` : ''}`
    return `${heading}: ${shortList(places, maxPlaces)}`
  })
  return shortList(texts, maxProblems, '; ')
}

/** Returns the tool, and the field if the finding is about one: "get_book.limit.default". */
function placeOf({ tool = '', path }: DefinitionFinding): string {
  const within = path.replace(/^\$\.tools\[\d+\](\.inputSchema)?(\.properties)?/, '')
  return path.includes('.inputSchema.properties') ? `${tool}${within}` : tool
}

const shortList = (texts: readonly string[], most: number, separator = ', ') =>
  [
    ...texts.slice(0, most),
    ...(texts.length > most ? [`and ${texts.length - most} more`] : []),
  ].join(separator)
