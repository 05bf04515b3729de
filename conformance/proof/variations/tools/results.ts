import type { ToolsMiddleware } from '../../../../mocks/stateful/tools/call.ts'
import type { Definition } from '../../../../mocks/stateful/tools/protocol.ts'
import { tools } from '../../../../mocks/stateful/tools/tools/index.ts'
import type { ToolsFactor } from './variation.ts'

const onAnnotations =
  (change: (annotations: Record<string, unknown>) => Record<string, unknown>) =>
  (definition: Definition): Definition => ({
    ...definition,
    annotations: change(definition.annotations ?? {}),
  })

/** MCP defines destructiveHint and idempotentHint only for tools that are not read-only. */
function withMeaningfulHints({
  destructiveHint,
  idempotentHint,
  ...annotations
}: Record<string, unknown>): Record<string, unknown> {
  return annotations['readOnlyHint'] === true
    ? annotations
    : { ...annotations, destructiveHint, idempotentHint }
}

let count = 0
/** Makes every result of a search unique. */
const uniqueResults: ToolsMiddleware = async (call, next) => {
  const result = await next()
  const [part] = result.content
  if (
    !call.tool.name.endsWith('search_books') ||
    part?.text === undefined ||
    part.text.startsWith('Error:')
  )
    return result
  count += 1
  const text = part.text.startsWith('{')
    ? part.text.replace('{', `{ "took_ms": ${count},`)
    : `${part.text}\n\nThis took ${count} ms.`
  return { ...result, content: [{ ...part, text }] }
}

/** Sends a POST to the upstream first, as APIs with large queries require. */
const postFirst: ToolsMiddleware = async (call, next) => {
  if (/(get_book|update_reader)$/.test(call.tool.name))
    await call.server.upstream
      .request('POST', '/books/search', { body: { id: call.args['id'] } })
      .catch(() => {})
  return next()
}

/** Adds a word to titles in searches over standard output, as if that process had other data. */
const otherDataOverStdio: ToolsMiddleware = async (call, next) => {
  const result = await next()
  if (!call.tool.name.endsWith('search_books') || call.session.transport !== 'stdio') return result
  return {
    ...result,
    content: result.content.map((part) =>
      part.text === undefined
        ? part
        : { ...part, text: part.text.replaceAll('The ', 'Revised: The ') },
    ),
  }
}

/** Describes every tool of the mock. */
const descriptionOfAll = tools.map(({ name, description }) => `${name}: ${description}`).join('\n')

/** Choices that the document leaves for definitions and results. */
export const results: readonly ToolsFactor[] = [
  {
    requirement: 'TOOL-CALL-03',
    name: 'structured content',
    values: [
      { name: 'none', description: 'Returns text only.' },
      {
        name: 'the data',
        description: 'Returns the data as structured content too.',
        choices: { structured: 'data' },
      },
      {
        name: 'the text of the result',
        description: 'Returns the text as structured content too.',
        choices: { structured: 'wrapped' },
      },
      {
        name: 'the data, with an output schema',
        notCombined: true,
        description: 'Returns the data as structured content and declares its schema.',
        choices: { structured: 'data', outputSchema: true },
      },
      {
        name: 'the text of the result, with an output schema',
        description: 'Returns the text as structured content and declares its schema.',
        choices: { structured: 'wrapped', outputSchema: true },
      },
    ],
  },
  {
    requirement: 'TOOL-HINT-01',
    name: 'titles of tools',
    values: [
      { name: 'in annotations', description: 'Declares the titles of tools in their annotations.' },
      {
        name: 'in annotations and outside of them',
        description: 'Declares the titles of tools outside of their annotations as well.',
        choices: { toolTitles: true },
      },
    ],
  },
  {
    requirement: 'TOOL-DESCRIPTION-02',
    name: 'descriptions of tools',
    values: [
      { name: 'different', description: 'Has a separate description for each tool.' },
      {
        name: 'one for all tools',
        notCombined: true,
        description: 'Has one description for all tools, which describes each tool by its name.',
        deviation: {
          definition: (definition) => ({ ...definition, description: descriptionOfAll }),
        },
      },
    ],
  },
  {
    requirement: 'TOOL-HINT-11',
    name: 'words of titles',
    values: [
      { name: 'several', description: 'Declares titles of several words.' },
      {
        name: 'one',
        notCombined: true,
        description: 'Declares titles of one word, in lowercase.',
        deviation: {
          definition: onAnnotations(({ title, ...annotations }) => ({
            ...annotations,
            title: String(title).split(' ')[0]!.toLowerCase(),
          })),
        },
      },
    ],
  },
  {
    requirement: 'TOOL-HINT-03',
    name: 'hints of read-only tools',
    values: [
      { name: 'all four', description: 'Declares all hints for every tool.' },
      {
        name: 'only those that mean something',
        description: 'Omits destructiveHint and idempotentHint from read-only tools.',
        deviation: { definition: onAnnotations(withMeaningfulHints) },
      },
    ],
  },
  {
    requirement: 'TOOL-HINT-10',
    name: 'tools whose openWorldHint is true',
    values: [
      {
        name: 'those that send requests to the upstream API',
        description: 'Declares openWorldHint for tools that use the upstream.',
      },
      {
        name: 'all tools',
        notCombined: true,
        description: 'Declares openWorldHint for all tools.',
        deviation: {
          definition: onAnnotations((annotations) => ({ ...annotations, openWorldHint: true })),
        },
      },
      {
        name: 'no tool',
        notCombined: true,
        description: 'Declares openWorldHint for no tool.',
        deviation: {
          definition: onAnnotations((annotations) => ({ ...annotations, openWorldHint: false })),
        },
        unmet: ['TOOL-HINT-14'],
      },
    ],
  },
  {
    requirement: 'TOOL-HINT-07',
    name: 'HTTP methods of tools that only read',
    values: [
      { name: 'GET', description: 'Reads with GET.' },
      {
        name: 'GET and POST',
        notCombined: true,
        description: 'Also sends a POST that creates nothing, to which its upstream returns 201.',
        deviation: { around: postFirst },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'repeated results',
    values: [
      { name: 'the same', description: 'Returns the same result for the same search.' },
      {
        name: 'different',
        notCombined: true,
        description: 'Returns a different duration with each search.',
        deviation: { around: uniqueResults },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'data of the transports',
    values: [
      { name: 'the same', description: 'Has the same data on every transport.' },
      {
        name: 'different',
        notCombined: true,
        description: 'Has other data over standard output, where a separate process runs.',
        choices: { transports: ['http', 'stdio'] },
        deviation: { around: otherDataOverStdio },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'order of tools',
    values: [
      { name: 'natural', description: 'Lists tools in the order of their registration.' },
      {
        name: 'reversed',
        notCombined: true,
        description: 'Lists tools in reverse order.',
        choices: { toolOrder: 'reversed' },
      },
    ],
  },
]
