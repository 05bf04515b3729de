import {
  fault,
  onMessage,
  over,
  replaceRules,
  onResult,
  type MakeDeviationPoints,
  type MakeToolsDeviation,
} from './building.ts'

type Json = Record<string, unknown>

/** Changes the result of initialize. */
const onInitialize = (change: (result: Json) => Json): MakeToolsDeviation =>
  onResult('initialize', change)

/** Removes a member of an object. */
function omitMember(object: unknown, name: string): Json {
  const { [name]: _, ...rest } = object as Json
  return rest
}

/** Sends a request to the client before the response to initialize. */
const requestBeforeInitialized =
  (method: string): MakeDeviationPoints =>
  (hit) => ({
    message(direction, message) {
      if (direction === 'in' || !hasProtocolVersion(message)) return message
      hit()
      return [{ jsonrpc: '2.0', id: 'early', method, params: {} }, message]
    },
  })

const hasProtocolVersion = ({ result }: Json): boolean =>
  typeof result === 'object' && result !== null && 'protocolVersion' in result

/** Replaces the version that a client gets if it requests one that the server does not support. */
const replaceUnknownVersion = (select: (supported: readonly string[]) => string) =>
  replaceRules((_rules, hit) => ({
    negotiateVersion(requested, supported) {
      if (supported.includes(String(requested))) return String(requested)
      hit()
      return select(supported)
    },
  }))

/** Faults in the result of initialize and in version negotiation. */
export const handshake = [
  fault(
    'handshake-without-protocol-version',
    'Returns no protocolVersion from initialize.',
    ['TOOL-MCP-01'],
    onInitialize((result) => omitMember(result, 'protocolVersion')),
  ),
  fault(
    'handshake-without-capabilities',
    'Returns no capabilities from initialize.',
    ['TOOL-MCP-01'],
    onInitialize((result) => omitMember(result, 'capabilities')),
  ),
  fault(
    'handshake-without-name',
    'Returns its version from initialize, but not its name.',
    ['TOOL-MCP-01'],
    onInitialize((result) => ({ ...result, serverInfo: omitMember(result['serverInfo'], 'name') })),
  ),
  fault(
    'handshake-without-own-version',
    'Returns its name from initialize, but not its version.',
    ['TOOL-MCP-01'],
    onInitialize((result) => ({
      ...result,
      serverInfo: omitMember(result['serverInfo'], 'version'),
    })),
  ),

  fault(
    'any-version-is-accepted',
    'Accepts any protocol version.',
    ['TOOL-MCP-02'],
    replaceRules((_rules, hit) => ({
      negotiateVersion(requested, supported) {
        if (supported.includes(String(requested))) return String(requested)
        hit()
        return String(requested)
      },
    })),
  ),
  fault(
    'version-is-one-older',
    'Negotiates the version before the requested one.',
    ['TOOL-MCP-02'],
    replaceRules((_rules, hit) => ({
      negotiateVersion(requested, supported) {
        hit()
        return supported[supported.indexOf(String(requested)) + 1] ?? supported[0]!
      },
    })),
  ),
  fault(
    'unsupported-version-is-proposed',
    'Proposes a version that it does not support.',
    ['TOOL-MCP-02'],
    replaceRules((_rules, hit) => ({
      negotiateVersion(requested, supported) {
        if (supported.includes(String(requested))) return String(requested)
        hit()
        return requested === '2024-01-01' ? supported[0]! : '2024-01-01'
      },
    })),
  ),

  fault(
    'oldest-version-for-an-unknown-one',
    'Returns its oldest protocol version to a client that requests an unknown one.',
    ['TOOL-MCP-18'],
    replaceUnknownVersion((supported) => supported.at(-1)!),
  ),
  fault(
    'earlier-version-for-an-unknown-one',
    'Returns the version before its latest one to a client that requests an unknown one.',
    ['TOOL-MCP-18'],
    replaceUnknownVersion((supported) => supported[1]!),
  ),

  ...(['prompts', 'completions'] as const).map((name) =>
    fault(
      `${name}-are-declared-without-methods`,
      `Declares the capability ${name}, but does not know its methods.`,
      ['TOOL-MCP-21'],
      onInitialize((result) => ({
        ...result,
        capabilities: { ...(result['capabilities'] as Json), [name]: {} },
      })),
    ),
  ),
  fault(
    'resources-are-declared-without-a-list',
    'Declares the capability resources, but does not know resources/list.',
    ['TOOL-MCP-21'],
    onMessage((response, { method }) =>
      method === 'resources/list'
        ? {
            jsonrpc: '2.0',
            id: response['id'],
            error: { code: -32601, message: 'Method not found' },
          }
        : response,
    ),
  ),

  fault(
    'tools-are-not-declared',
    'Has tools, but does not declare the capability tools.',
    ['TOOL-MCP-03'],
    onInitialize((result) => ({
      ...result,
      capabilities: omitMember(result['capabilities'], 'tools'),
    })),
  ),
  fault(
    'tools-are-declared-as-true',
    'Declares the capability tools as true instead of an object.',
    ['TOOL-MCP-03'],
    onInitialize((result) => ({
      ...result,
      capabilities: { ...(result['capabilities'] as Json), tools: true },
    })),
  ),
  fault(
    'resources-are-not-declared',
    'Has resources, but does not declare the capability resources.',
    ['TOOL-RESOURCE-04'],
    onInitialize((result) => ({
      ...result,
      capabilities: omitMember(result['capabilities'], 'resources'),
    })),
  ),
  fault(
    'resources-are-declared-as-null',
    'Declares the capability resources as null instead of an object.',
    ['TOOL-RESOURCE-04'],
    onInitialize((result) => ({
      ...result,
      capabilities: { ...(result['capabilities'] as Json), resources: null },
    })),
  ),

  fault(
    'roots-are-requested-during-initialize',
    'Requests the roots of the client before it responds to initialize.',
    ['TOOL-MCP-16'],
    requestBeforeInitialized('roots/list'),
  ),
  fault(
    'elicitation-is-sent-during-initialize',
    'Sends an elicitation request before it responds to initialize over HTTP+SSE.',
    ['TOOL-MCP-16'],
    over(['sse'], requestBeforeInitialized('elicitation/create')),
  ),
  fault(
    'sampling-is-requested-during-initialize',
    'Sends a sampling request before it responds to initialize over stdio.',
    ['TOOL-MCP-16'],
    over(['stdio'], requestBeforeInitialized('sampling/createMessage')),
  ),
]
