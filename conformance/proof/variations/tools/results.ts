import type { ToolsMiddleware } from '../../../../mocks/stateful/tools/call.ts'
import type { Definition } from '../../../../mocks/stateful/tools/protocol.ts'
import type { ToolsFactor } from './variation.ts'

const hinted =
  (change: (annotations: Record<string, unknown>) => Record<string, unknown>) =>
  (definition: Definition): Definition => ({
    ...definition,
    annotations: change(definition.annotations ?? {}),
  })

let told = 0
/** No two results of a search are the same. */
const counted: ToolsMiddleware = async (call, next) => {
  const result = await next()
  const [part] = result.content
  if (
    !call.tool.name.endsWith('search_books') ||
    part?.text === undefined ||
    part.text.startsWith('Error:')
  )
    return result
  told += 1
  const text = part.text.startsWith('{')
    ? part.text.replace('{', `{ "took_ms": ${told},`)
    : `${part.text}\n\nThis took ${told} ms.`
  return { ...result, content: [{ ...part, text }] }
}

/** Asks the upstream by a POST first, as APIs with large questions want it. */
const posts: ToolsMiddleware = async (call, next) => {
  if (call.tool.name.endsWith('get_book'))
    await call.server.upstream
      .request('POST', '/books/search', { body: { id: call.args['id'] } })
      .catch(() => {})
  return next()
}

/** What is left open of definitions and of results. */
export const results: readonly ToolsFactor[] = [
  {
    row: 'TOOL-CALL-03',
    factor: 'structured content',
    levels: [
      { name: 'none', says: 'Gives text only.' },
      {
        name: 'data',
        says: 'Gives the data as structured content too.',
        choices: { structured: 'data' },
      },
      {
        name: 'wrapped',
        says: 'Gives the text as structured content too.',
        choices: { structured: 'wrapped' },
      },
      {
        name: 'data, declared',
        alone: true,
        says: 'Gives the data as structured content, and tells its schema.',
        choices: { structured: 'data', outputSchema: true },
      },
      {
        name: 'wrapped, declared',
        says: 'Gives the text as structured content, and tells its schema.',
        choices: { structured: 'wrapped', outputSchema: true },
      },
    ],
  },
  {
    row: 'TOOL-HINT-01',
    factor: 'titles of tools',
    levels: [
      { name: 'once', says: 'Tells the titles of tools in their annotations.' },
      {
        name: 'twice',
        says: 'Tells the titles of tools beside their annotations too.',
        choices: { toolTitles: true },
      },
    ],
  },
  {
    row: 'TOOL-HINT-05',
    factor: 'open worlds',
    levels: [
      {
        name: 'the upstream',
        says: 'Tells that tools reach beyond the server where they ask its upstream.',
      },
      {
        name: 'all',
        alone: true,
        says: 'Tells that all tools reach beyond the server.',
        deviation: { definition: hinted((given) => ({ ...given, openWorldHint: true })) },
      },
      {
        name: 'none',
        alone: true,
        says: 'Tells that no tool does.',
        deviation: { definition: hinted((given) => ({ ...given, openWorldHint: false })) },
      },
    ],
  },
  {
    row: 'TOOL-HINT-07',
    factor: 'how tools read',
    levels: [
      { name: 'by GET', says: 'Asks its upstream by GET where it reads.' },
      {
        name: 'by POST too',
        alone: true,
        says: 'Asks its upstream by POST too where it reads.',
        deviation: { around: posts },
      },
    ],
  },
  {
    row: 'form',
    factor: 'likeness of results',
    levels: [
      { name: 'the same', says: 'Gives the same result for the same search.' },
      {
        name: 'none',
        alone: true,
        says: 'Tells in each result of a search how long it took.',
        deviation: { around: counted },
      },
    ],
  },
  {
    row: 'form',
    factor: 'order of tools',
    levels: [
      { name: 'natural', says: 'Lists its tools in the order of their making.' },
      {
        name: 'reversed',
        alone: true,
        says: 'Lists its tools backwards.',
        choices: { toolOrder: 'reversed' },
      },
    ],
  },
]
