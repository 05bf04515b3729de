import { fault, over, replaceRules, type MakeToolsDeviation } from './building.ts'

const isLarge = (message: object): boolean => JSON.stringify(message).length > 1_000_000

/** Does not answer what is large, however large it may be. */
const swallows: MakeToolsDeviation = (hit) => ({
  rules: { maxBytes: Number.POSITIVE_INFINITY },
  message(direction, message) {
    if (direction === 'out' || !isLarge(message)) return message
    hit()
    return undefined
  },
})

/** Reads what is no JSON all the same. */
const forgives = (mend: (text: string) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    parse(text) {
      try {
        return JSON.parse(text) as unknown
      } catch {
        const read = JSON.parse(mend(text)) as unknown
        hit()
        return read
      }
    },
  }))

/** Hears no ping any more in a session in which something was no JSON. */
const sulks: MakeToolsDeviation = (hit) => {
  const broken = new Set<string>()
  return {
    intercept(request, response, next) {
      const session = request.headers['mcp-session-id']
      response.on('finish', () => {
        if (response.statusCode === 400 && request.method === 'POST' && typeof session === 'string')
          broken.add(session)
      })
      next()
    },
    message(direction, message, { session = '' }) {
      if (direction === 'out' || message['method'] !== 'ping' || !broken.has(session))
        return message
      hit()
      return undefined
    },
  }
}

/** What is no JSON, and what is large. */
export const harm = [
  fault(
    'half-a-message-is-mended',
    'Adds the brace that half a message lacks, and answers it.',
    ['TOOL-MCP-09'],
    forgives((text) => `${text}}`),
  ),
  fault(
    'comma-too-many-is-forgiven',
    'Passes over a comma too many, and answers.',
    ['TOOL-MCP-09'],
    over(
      ['stdio'],
      forgives((text) => text.replaceAll(/,\s*([}\]])/g, '$1')),
    ),
  ),
  fault(
    'words-are-a-ping',
    'Takes whatever has the word ping in it for one.',
    ['TOOL-MCP-09'],
    forgives((text) =>
      text.includes('ping') ? '{"jsonrpc":"2.0","id":"malformed","method":"ping"}' : text,
    ),
  ),
  fault(
    'no-answer-after-what-is-no-json',
    'Hears no ping any more after something was no JSON.',
    ['TOOL-MCP-09'],
    sulks,
  ),

  fault(
    'large-input-is-not-answered',
    'Does not answer input of more than a million characters.',
    ['TOOL-MCP-10'],
    swallows,
  ),
  fault(
    'large-line-is-not-answered',
    'Does not answer a line of more than a million characters.',
    ['TOOL-MCP-10'],
    over(['stdio'], swallows),
  ),
]
