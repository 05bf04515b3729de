import { Blocked } from '../../../engine/index.ts'
import { type DefinitionFinding, findingsOf } from '../../../definitions/index.ts'
import type { Session } from './client-session.ts'

/** Maximum number of tools to list for one problem, and maximum number of problems. */
const maxTools = 12
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
 * Describes findings, grouped by problem. A problem of one tool is one line, such as "no title:
 * echo". A problem of several tools is followed by one bullet for each tool, with its fields.
 */
export function describeFindings(found: readonly DefinitionFinding[]): string {
  const problems = groupBy(found, ({ tool, path, rule, problem }) =>
    // A finding about the server or about all tools is not grouped with findings at other paths.
    [tool === undefined ? path : '', rule, problem].join(' '),
  ).map((same) => {
    const { tool, path, problem, fix } = same[0]!
    if (tool === undefined)
      return `${path === '$.tools' ? 'the list of tools' : path} ${problem} (${fix})`
    const isOneFix = same.every((finding) => finding.fix === fix)
    const heading = `${problem.replace(/^(is|has) /, '')}${isOneFix ? ` (${fix})` : ''}:`
    const tools = groupBy(same, (finding) => finding.tool ?? '').map((ofTool) =>
      ofTool
        .map((finding) => (isOneFix ? placeOf(finding) : `${placeOf(finding)} (${finding.fix})`))
        .join(', '),
    )
    return tools.length === 1
      ? `${heading} ${tools[0]}`
      : `${heading}${shortList(tools, maxTools)
          .map((text) => `\n• ${text}`)
          .join('')}`
  })
  return shortList(problems, maxProblems).join('\n')
}

/** Groups findings, in the order in which the keys first appear. */
function groupBy(
  findings: readonly DefinitionFinding[],
  keyOf: (finding: DefinitionFinding) => string,
): DefinitionFinding[][] {
  const groups = new Map<string, DefinitionFinding[]>()
  for (const finding of findings) {
    const key = keyOf(finding)
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()]
}

/** Returns the tool and, if the finding is about a field, the field: "get_book.limit.default". */
function placeOf({ tool = '', path }: DefinitionFinding): string {
  const within = path.replace(/^\$\.tools\[\d+\](\.inputSchema)?(\.properties)?/, '')
  return path.includes('.inputSchema.properties') ? `${tool}${within}` : tool
}

/**
 * Returns the first `most` strings and the number of the others, or all strings if this would omit
 * only one.
 */
const shortList = (texts: readonly string[], most: number): readonly string[] =>
  texts.length <= most + 1 ? texts : [...texts.slice(0, most), `and ${texts.length - most} more`]
