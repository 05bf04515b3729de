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
    requirement: 'TOOL-CALL-03',
    name: 'structured content',
    levels: [
      { name: 'none', description: 'Gives text only.' },
      {
        name: 'data',
        description: 'Gives the data as structured content too.',
        choices: { structured: 'data' },
      },
      {
        name: 'wrapped',
        description: 'Gives the text as structured content too.',
        choices: { structured: 'wrapped' },
      },
      {
        name: 'data, declared',
        notCombined: true,
        description: 'Gives the data as structured content, and tells its schema.',
        choices: { structured: 'data', outputSchema: true },
      },
      {
        name: 'wrapped, declared',
        description: 'Gives the text as structured content, and tells its schema.',
        choices: { structured: 'wrapped', outputSchema: true },
      },
    ],
  },
  {
    requirement: 'TOOL-HINT-01',
    name: 'titles of tools',
    levels: [
      { name: 'once', description: 'Tells the titles of tools in their annotations.' },
      {
        name: 'twice',
        description: 'Tells the titles of tools beside their annotations too.',
        choices: { toolTitles: true },
      },
    ],
  },
  {
    requirement: 'TOOL-HINT-05',
    name: 'open worlds',
    levels: [
      {
        name: 'the upstream',
        description: 'Tells that tools reach beyond the server where they ask its upstream.',
      },
      {
        name: 'all',
        notCombined: true,
        description: 'Tells that all tools reach beyond the server.',
        deviation: { definition: hinted((given) => ({ ...given, openWorldHint: true })) },
      },
      {
        name: 'none',
        notCombined: true,
        description: 'Tells that no tool does.',
        deviation: { definition: hinted((given) => ({ ...given, openWorldHint: false })) },
      },
    ],
  },
  {
    requirement: 'TOOL-HINT-07',
    name: 'how tools read',
    levels: [
      { name: 'by GET', description: 'Asks its upstream by GET where it reads.' },
      {
        name: 'by POST too',
        notCombined: true,
        description: 'Asks its upstream by POST too where it reads.',
        deviation: { around: posts },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'likeness of results',
    levels: [
      { name: 'the same', description: 'Gives the same result for the same search.' },
      {
        name: 'none',
        notCombined: true,
        description: 'Tells in each result of a search how long it took.',
        deviation: { around: counted },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'order of tools',
    levels: [
      { name: 'natural', description: 'Lists its tools in the order of their making.' },
      {
        name: 'reversed',
        notCombined: true,
        description: 'Lists its tools backwards.',
        choices: { toolOrder: 'reversed' },
      },
    ],
  },
]
