// The methods that a session serves after initialize.
import { on } from './switches.mjs'
import { store } from './store.mjs'
import { RpcError, INVALID_PARAMS, RESOURCE_NOT_FOUND } from './errors.mjs'
import { described, call } from './tools.mjs'
import * as resources from './resources.mjs'
import { LEVELS } from './context.mjs'
import { sessions } from './session.mjs'

function listTools({ cursor }, { session }) {
  const tools = described(session.version)
  if (on('tools-in-pages-of-four')) {
    const from = cursor === undefined ? 0 : Number(/^t(\d+)$/.exec(cursor)?.[1] ?? NaN)
    if (Number.isNaN(from)) throw new RpcError(INVALID_PARAMS, 'The cursor is not valid.')
    const page = { tools: tools.slice(from, from + 4) }
    if (from + 4 < tools.length) page.nextCursor = `t${from + 4}`
    return page
  }
  if (cursor !== undefined && !on('bad-tool-cursor-taken-as-start'))
    throw new RpcError(INVALID_PARAMS, 'The cursor is not valid.')
  if (on('tool-listed-twice')) tools.push({ ...tools[0] })
  if (on('tool-list-empty-second-time')) {
    if (session.listedTools) return { tools: [] }
    session.listedTools = true
  }
  return on('tools-cursor-null') ? { tools, nextCursor: null } : { tools }
}

// The bound is far above what a person's work needs; it only stops a runaway client.
function withinRate(session) {
  const now = Date.now()
  session.tokens = Math.min(500, session.tokens + (now - session.filledAt) * 0.5)
  session.filledAt = now
  session.tokens -= 1
  return session.tokens >= 0
}

async function callTool(params, ctx) {
  if (!withinRate(ctx.session))
    return {
      content: [{ type: 'text', text: 'Error: Too many calls at once. Wait before retrying.' }],
      isError: true,
    }
  if (on('task-augmented-calls-refused') && params.task)
    throw new RpcError(INVALID_PARAMS, 'Tasks are not supported.')
  if (on('pings-before-each-call')) ctx.ping()
  return call(params, ctx)
}

function setLevel({ level }, { session }) {
  if (!LEVELS.includes(level)) {
    if (on('unknown-log-level-taken')) return {}
    throw new RpcError(INVALID_PARAMS, `Unknown level: ${level}`)
  }
  if (on('log-level-ignored')) return {}
  if (on('log-level-set-only-once') && session.levelSet) return {}
  session.levelSet = true
  for (const s of on('log-level-shared') ? sessions : [session]) s.level = level
  return {}
}

function known(uri) {
  const id = resources.idOf(uri)
  if (id === null || !store.get(id))
    throw new RpcError(RESOURCE_NOT_FOUND, 'Resource not found', { uri })
}

const canonical = (uri) => resources.uriOf(resources.idOf(uri))

export const methods = {
  'tools/list': listTools,
  'tools/call': callTool,
  'logging/setLevel': setLevel,
  'resources/list': ({ cursor }, { session }) => resources.list(cursor, session.version),
  'resources/templates/list': ({ cursor }, { session }) => {
    if (cursor !== undefined) throw new RpcError(INVALID_PARAMS, 'The cursor is not valid.')
    return resources.templates(session.version)
  },
  'resources/read': ({ uri }) => resources.read(uri),
}

if (!on('subscriptions-not-offered')) {
  methods['resources/subscribe'] = ({ uri }, { session }) => {
    known(uri)
    session.subscriptions.add(canonical(uri))
    return {}
  }
  methods['resources/unsubscribe'] = ({ uri }, { session }) => {
    if (on('unsubscribing-ignored')) return {}
    for (const s of on('unsubscribing-reaches-other-sessions') ? sessions : [session])
      s.subscriptions.delete(resources.idOf(uri) === null ? uri : canonical(uri))
    if (on('unsubscribing-one-drops-all')) session.subscriptions.clear()
    return {}
  }
}

if (on('completions-offered')) {
  methods['completion/complete'] = ({ ref, argument }) => {
    if (
      ref?.type !== 'ref/resource' ||
      ref.uri !== resources.TEMPLATE ||
      argument?.name !== 'accession_id'
    )
      throw new RpcError(INVALID_PARAMS, 'Nothing to complete here.')
    const all = [...store.accessions.keys()].filter((id) =>
      id.startsWith(String(argument.value ?? '')),
    )
    return {
      completion: { values: all.slice(0, 100), total: all.length, hasMore: all.length > 100 },
    }
  }
}
