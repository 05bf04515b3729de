// initialize: the revision and the capabilities that both sides then keep.
import { on } from './switches.mjs'
import { RpcError, INVALID_PARAMS } from './errors.mjs'

export const SUPPORTED = ['2025-03-26', '2025-06-18', '2025-11-25']
export const LATEST = '2025-11-25'
export const last = { version: null, capabilities: null }
const isObject = (v) => v !== null && typeof v === 'object' && !Array.isArray(v)

function choose(asked) {
  if (on('unknown-revision-echoed')) return asked
  if (on('unknown-revision-answered-with-oldest') && !SUPPORTED.includes(asked)) return SUPPORTED[0]
  if (on('middle-revision-not-kept') && asked === '2025-06-18') return LATEST
  if (on('later-revision-refused') && !SUPPORTED.includes(asked))
    throw new RpcError(INVALID_PARAMS, 'Unsupported protocol version', {
      supported: SUPPORTED,
      requested: asked,
    })
  if (on('first-clients-revision-for-all') && last.version) return last.version
  return SUPPORTED.includes(asked) ? asked : LATEST
}

export function initialize(session, params) {
  if (typeof params.protocolVersion !== 'string')
    throw new RpcError(INVALID_PARAMS, 'protocolVersion must be a string.')
  if (
    !on('client-info-not-needed') &&
    (!isObject(params.capabilities) || !isObject(params.clientInfo))
  )
    throw new RpcError(INVALID_PARAMS, 'capabilities and clientInfo must be objects.')
  session.version = choose(params.protocolVersion)
  session.capabilities = params.capabilities ?? {}
  last.version ??= session.version
  last.capabilities = session.capabilities
  const capabilities = { tools: {}, resources: { subscribe: true, listChanged: true }, logging: {} }
  if (on('subscriptions-not-offered')) delete capabilities.resources.subscribe
  if (on('list-changes-not-offered')) delete capabilities.resources.listChanged
  if (on('completions-offered')) capabilities.completions = {}
  if (on('tools-capability-missing')) delete capabilities.tools
  if (on('logging-capability-missing')) delete capabilities.logging
  if (on('resources-capability-missing')) delete capabilities.resources
  if (on('prompts-capability-without-prompts')) capabilities.prompts = {}
  if (on('tools-capability-says-list-changed-false')) capabilities.tools = { listChanged: false }
  const serverInfo = { name: 'seedbank_mcp', version: '1.0.0' }
  if (on('server-name-with-version')) serverInfo.name = 'seedbank_mcp_v1'
  if (on('server-name-with-hyphen')) serverInfo.name = 'seedbank-mcp'
  if (on('server-name-in-capitals')) serverInfo.name = 'Seedbank_MCP'
  if (on('server-info-without-version')) delete serverInfo.version
  if (on('server-with-title') && session.version >= '2025-06-18') serverInfo.title = 'Seed bank'
  if (on('server-with-website') && session.version >= '2025-11-25')
    Object.assign(serverInfo, {
      description: 'A small seed bank.',
      websiteUrl: 'https://seedbank.example/',
    })
  const result = { protocolVersion: session.version, capabilities, serverInfo }
  if (on('instructions-given'))
    result.instructions = 'Search first, then get. Withdrawals ask the user.'
  if (on('result-meta-given')) result._meta = { 'seedbank.example/region': 'north' }
  return result
}
