import { fault, replaceRules, resultsOf, type MakeToolsDeviation } from './building.ts'

type Json = Record<string, unknown>

/** Changes the answer to the handshake. */
const shakes = (change: (result: Json) => Json): MakeToolsDeviation =>
  resultsOf('initialize', change)

/** The object without one of its members. */
function lacks(object: unknown, name: string): Json {
  const { [name]: _, ...rest } = object as Json
  return rest
}

/** What a server says of itself, and the versions that it agrees on. */
export const handshake = [
  fault(
    'handshake-without-protocol-version',
    'Tells no version of the protocol in the handshake.',
    ['TOOL-MCP-01'],
    shakes((result) => lacks(result, 'protocolVersion')),
  ),
  fault(
    'handshake-without-capabilities',
    'Tells no capabilities in the handshake.',
    ['TOOL-MCP-01'],
    shakes((result) => lacks(result, 'capabilities')),
  ),
  fault(
    'handshake-without-name',
    'Tells its version, but not its name.',
    ['TOOL-MCP-01'],
    shakes((result) => ({ ...result, serverInfo: lacks(result['serverInfo'], 'name') })),
  ),
  fault(
    'handshake-without-own-version',
    'Tells its name, but not its version.',
    ['TOOL-MCP-01'],
    shakes((result) => ({ ...result, serverInfo: lacks(result['serverInfo'], 'version') })),
  ),

  fault(
    'any-version-is-agreed-on',
    'Agrees to whatever version it is asked for.',
    ['TOOL-MCP-02'],
    replaceRules((_rules, hit) => ({
      negotiate(asked, spoken) {
        if (spoken.includes(String(asked))) return String(asked)
        hit()
        return String(asked)
      },
    })),
  ),
  fault(
    'version-is-one-older',
    'Agrees on the version before the one that it was asked for.',
    ['TOOL-MCP-02'],
    replaceRules((_rules, hit) => ({
      negotiate(asked, spoken) {
        hit()
        return spoken[spoken.indexOf(String(asked)) + 1] ?? spoken[0]!
      },
    })),
  ),
  fault(
    'version-that-it-does-not-speak',
    'Proposes a version of which it knows nothing when it is asked for it.',
    ['TOOL-MCP-02'],
    replaceRules((_rules, hit) => ({
      negotiate(asked, spoken) {
        if (spoken.includes(String(asked))) return String(asked)
        hit()
        return asked === '2024-01-01' ? spoken[0]! : '2024-01-01'
      },
    })),
  ),

  fault(
    'tools-are-not-declared',
    'Has tools, and does not declare them.',
    ['TOOL-MCP-03'],
    shakes((result) => ({ ...result, capabilities: lacks(result['capabilities'], 'tools') })),
  ),
  fault(
    'tools-are-declared-by-a-word',
    'Declares tools by true in place of an object.',
    ['TOOL-MCP-03'],
    shakes((result) => ({
      ...result,
      capabilities: { ...(result['capabilities'] as Json), tools: true },
    })),
  ),
  fault(
    'resources-are-not-declared',
    'Has resources, and does not declare them.',
    ['TOOL-RESOURCE-04'],
    shakes((result) => ({ ...result, capabilities: lacks(result['capabilities'], 'resources') })),
  ),
  fault(
    'resources-are-declared-by-nothing',
    'Declares resources by null in place of an object.',
    ['TOOL-RESOURCE-04'],
    shakes((result) => ({
      ...result,
      capabilities: { ...(result['capabilities'] as Json), resources: null },
    })),
  ),
]
