// The list of tools as clients see it, and the way from a call to its result.
import { on } from './switches.mjs'
import { published, check } from './schema.mjs'
import { ToolFailure, unexpected, failureText } from './failure.mjs'
import { json, CHARACTER_LIMIT, size } from './render.mjs'
import { readTools } from './tools-read.mjs'
import { writeTools } from './tools-write.mjs'
import { RpcError, INVALID_PARAMS } from './errors.mjs'

const tools = [...readTools, ...writeTools]
const byKind = (kind) => tools.find((t) => t.kind === kind)
if (on('tool-without-service-prefix')) byKind('delete').name = 'delete_accession'
if (on('tool-name-in-camel-case')) byKind('update').name = 'seedbank_updateAccession'
if (on('tool-name-with-hyphens')) byKind('audit').name = 'seedbank-audit-collection'
if (on('tool-name-without-action')) byKind('climate').name = 'seedbank_climate'
if (on('tool-description-blank')) byKind('delete').description = ''
if (on('tool-description-only-name')) byKind('audit').description = 'Audit the collection.'
if (on('tool-description-without-when-not'))
  byKind('list').description = byKind('list').description.replace(/ Do not use.*$/, '')
if (on('writes-answer-with-sentence'))
  for (const t of tools)
    if (['create', 'update', 'delete'].includes(t.kind))
      t.description = t.description.replace(
        /Returns [^.]*\./,
        'Returns a sentence that names the accession.',
      )
if (on('tool-descriptions-as-paragraphs'))
  for (const t of tools) t.description = t.description.replace(/\. (?=[A-Z])/g, '.\n\n')
const hint = (kind, changes) => {
  const t = byKind(kind)
  t.hints = { ...t.hints, ...changes }
}
if (on('deletion-hinted-not-destructive')) hint('delete', { destructiveHint: false })
if (on('update-hinted-read-only')) hint('update', { readOnlyHint: true, destructiveHint: false })
if (on('creation-hinted-idempotent')) hint('create', { idempotentHint: true })
if (on('withdrawal-hinted-idempotent')) hint('withdraw', { idempotentHint: true })
if (on('climate-hinted-closed-world')) hint('climate', { openWorldHint: false })
if (on('search-hinted-not-read-only'))
  hint('search', { readOnlyHint: false, destructiveHint: true })
if (on('hint-as-text')) hint('create', { destructiveHint: 'false' })
if (on('creation-hinted-destructive')) hint('create', { destructiveHint: true })

export const names = Object.fromEntries(tools.map((t) => [t.kind, t.name]))
export const isTool = (name) => tools.some((t) => t.name === name)

export function described(version) {
  const shown = tools.map((t) => {
    const d = {
      name: t.name,
      description: t.description,
      inputSchema: published(t),
      annotations: { title: t.title, ...t.hints },
    }
    if (on('tool-title-missing') && t.kind === 'list') delete d.annotations.title
    if (on('input-schema-without-type') && t.kind === 'audit') delete d.inputSchema.type
    if (version >= '2025-06-18') {
      if (!on('tools-without-top-title')) d.title = t.title
      if (t.output) d.outputSchema = t.output
    }
    if (version >= '2025-11-25' && on('tools-with-icons'))
      d.icons = [
        {
          src: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
          mimeType: 'image/svg+xml',
          sizes: ['any'],
        },
      ]
    if (version >= '2025-11-25' && on('tools-say-task-support'))
      d.execution = { taskSupport: 'forbidden' }
    return d
  })
  if (on('tools-in-other-order')) shown.reverse()
  return shown
}

const textResult = (text) => ({ content: [{ type: 'text', text }] })

function failed(message, args, version) {
  const text = failureText(message)
  const result = { ...textResult(text), isError: true }
  if (on('failure-as-json-in-json-format') && args?.response_format === 'json')
    result.content[0].text = JSON.stringify({ error: message })
  if (on('failure-not-marked')) delete result.isError
  if (on('failure-mark-as-text')) result.isError = 'true'
  return result
}

export function lookUp(params) {
  if (typeof params.name !== 'string')
    throw new RpcError(INVALID_PARAMS, 'The tool name must be a string.')
  if (
    params.arguments !== undefined &&
    (params.arguments === null ||
      typeof params.arguments !== 'object' ||
      Array.isArray(params.arguments))
  ) {
    throw new RpcError(INVALID_PARAMS, 'The arguments must be an object.')
  }
  const wanted = params.name
  const tool =
    tools.find((t) => t.name === wanted) ??
    (on('tool-names-in-any-case')
      ? tools.find((t) => t.name.toLowerCase() === wanted.toLowerCase())
      : undefined) ??
    (on('tool-names-by-prefix') && wanted
      ? tools.find((t) => t.name.startsWith(wanted) || wanted.startsWith(t.name))
      : undefined)
  return tool
}

// Before a call counts as running: is there such a tool, and does the input fit its model?
export async function call(params, ctx) {
  const { session } = ctx
  const tool = lookUp(params)
  if (!tool) {
    if (on('unknown-tool-succeeds')) return { content: [] }
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${params.name}`)
  }
  let args = params.arguments ?? {}
  if (on('arguments-kept-from-last-call')) {
    args = { ...session.lastArguments?.[tool.name], ...args }
    ;(session.lastArguments ??= {})[tool.name] = args
  }
  const { value, errors } = check(tool, args)
  const letThrough =
    (on('input-problem-ignored-on-sse') && session.kind === 'sse') ||
    (on('input-checked-only-on-first-call') && session.checkedBefore)
  session.checkedBefore = true
  if (errors.length && !letThrough) {
    sideEffects(tool, args, value, ctx)
    const message = on('input-problem-one-at-a-time')
      ? `Invalid input: ${errors[0]}.`
      : `Invalid input: ${errors.join('; ')}.`
    // 2025-11-25 wants the model to see input problems; the older revisions call them protocol errors.
    const asProtocol = session.version < '2025-11-25' && !on('input-problem-always-tool-error')
    if (asProtocol) throw new RpcError(INVALID_PARAMS, message)
    return failed(message, args, session.version)
  }
  const parsed = errors.length ? { ...args, ...value } : value
  try {
    return shaped(tool, await tool.run(parsed, ctx), parsed, session.version)
  } catch (error) {
    if (ctx.signal.aborted) throw error
    if (error instanceof RpcError) throw error
    const known = error instanceof ToolFailure ? error : unexpected(error.name, error.message)
    if (on('failure-as-protocol-error')) throw new RpcError(-32603, failureText(known.message))
    return failed(known.message, parsed, session.version)
  }
}

// The bugs here are refusals that come too late: the refused call has left something behind.
function sideEffects(tool, args, value, ctx) {
  if (on('refused-creation-still-creates') && tool.kind === 'create' && value.name && value.species)
    tool.run({ origin: 'XX', quantity: 0, ...value }, ctx)
  if (
    on('refused-update-half-done') &&
    tool.kind === 'update' &&
    value.accession_id &&
    Object.keys(value).length > 1
  ) {
    try {
      tool.run(value, ctx)
    } catch {
      /* an unknown record has nothing to change */
    }
  }
  if (on('refused-deletion-still-deletes') && tool.kind === 'delete' && value.accession_id) {
    try {
      tool.run(value, ctx)
    } catch {
      /* nothing there */
    }
  }
  if (on('refused-input-still-asks-upstream') && tool.kind === 'climate' && value.station_id)
    Promise.resolve(tool.run(value, { ...ctx, log() {} })).catch(() => {})
}

function shaped(tool, outcome, args, version) {
  if (typeof outcome === 'string') {
    const result = textResult(outcome)
    if (on('result-says-not-an-error')) result.isError = false
    if (
      on('json-also-as-structure') &&
      args.response_format === 'json' &&
      outcome.startsWith('{') &&
      version >= '2025-06-18'
    )
      result.structuredContent = JSON.parse(outcome)
    if (on('empty-content-for-deletion') && tool.kind === 'delete') delete result.content
    if (on('content-is-bare-text') && tool.kind === 'create') result.content = outcome
    return result
  }
  let { structured } = outcome
  while (size(json(structured)) > CHARACTER_LIMIT)
    structured = { ...structured, low_accessions: structured.low_accessions.slice(0, -10) }
  if (on('structure-does-not-fit-schema'))
    structured = { ...structured, low_count: String(structured.low_count) }
  if (on('structure-with-extra-field')) structured = { ...structured, took_ms: 400 }
  if (on('structure-drops-empty-list') && !structured.low_accessions.length) {
    const { low_accessions, ...rest } = structured
    structured = rest
  }
  const result = textResult(
    on('structure-without-json-text')
      ? `${structured.checked} accessions checked.`
      : json(structured),
  )
  if (version >= '2025-06-18' && !on('structure-missing')) result.structuredContent = structured
  if (on('structure-as-text') && result.structuredContent)
    result.structuredContent = JSON.stringify(structured)
  return result
}
