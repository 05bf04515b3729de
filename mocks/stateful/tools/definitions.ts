import type { ToolsContext, RunnableTool } from './call.ts'
import { applyForm } from './kit/results.ts'
import type { ToolsChoices } from './choices.ts'
import { invalidParams, JsonRpcError, type Definition } from './protocol.ts'

/** The result of `tools/list`. If the list has pages, the result is the page at `cursor`. */
export function listTools(
  { tools, choices, deviations }: ToolsContext,
  cursor: unknown,
): Record<string, unknown> {
  const { toolPage, toolOrder } = choices
  const ordered = toolOrder === 'natural' ? tools : [...tools].reverse()
  const from = cursor === undefined ? 0 : offsetIn(cursor, ordered.length)
  const end = toolPage === 0 ? ordered.length : from + toolPage
  return {
    tools: ordered.slice(from, end).map((tool) => {
      const definition = definitionOf(tool, choices)
      return deviations.definition === undefined ? definition : deviations.definition(definition)
    }),
    ...(end < ordered.length ? { nextCursor: Buffer.from(`after ${end}`).toString('base64') } : {}),
  }
}

function offsetIn(cursor: unknown, count: number): number {
  const offset = Number(
    /^after (\d+)$/.exec(
      typeof cursor === 'string' ? Buffer.from(cursor, 'base64').toString() : '',
    )?.[1] ?? Number.NaN,
  )
  if (!(offset < count)) throw new JsonRpcError(invalidParams, 'Invalid cursor')
  return offset
}

function definitionOf(tool: RunnableTool, choices: ToolsChoices): Definition {
  const { name, title, description, annotations, properties, required, definitions } = tool
  const { nestedParams, dialect, extraInput, toolTitles, outputSchema } = choices
  const fields = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(extraInput === 'allowed' ? {} : { additionalProperties: false }),
  }
  return applyForm(
    {
      name,
      ...(toolTitles ? { title } : {}),
      description,
      inputSchema: {
        ...(dialect === 'none' ? {} : { $schema: dialects[dialect] }),
        ...nestFields(fields, nestedParams),
        ...(definitions === undefined ? {} : { $defs: definitions }),
      },
      ...(outputSchema && choices.structured !== 'none' && tool.isUnstructured !== true
        ? { outputSchema: outputs[choices.structured] }
        : {}),
      annotations: { title, ...annotations },
    },
    choices,
  ) as Definition
}

const dialects = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
}

const outputs = {
  data: { type: 'object' },
  wrapped: { type: 'object', properties: { result: { type: 'string' } }, required: ['result'] },
}

function nestFields(
  fields: object,
  nesting: ToolsChoices['nestedParams'],
): Record<string, unknown> {
  const description = 'The arguments of the tool.'
  switch (nesting) {
    case 'no':
      return { ...fields }
    case 'inline':
      return {
        type: 'object',
        properties: { params: { description, ...fields } },
        required: ['params'],
      }
    case 'by reference':
      return {
        type: 'object',
        properties: { params: { $ref: '#/$defs/Arguments' } },
        required: ['params'],
        $defs: { Arguments: { description, ...fields } },
      }
  }
}
