import { isObject, type Json } from '../../../engine/index.ts'
import { readInput } from '../../../definitions/input.ts'
import type { ToolsTarget } from '../target.ts'
import { commonNames, isStringField } from './query-field.ts'
import { fieldsOf, resolveReference, type Tool } from './tool.ts'

/** The largest number of tools that are proposed for `tools.calls`. */
const maxCalls = 3

/** The placeholder for a value that the definition of a tool does not contain. */
const unknownValue = '…'

/** Names of tools that return a part of a collection. */
const searching = /search|list|find|query/i
/** Names of tools that possibly change something. */
const changing =
  /delete|remove|drop|destroy|create|update|write|send|set[_-]|add|insert|edit|move|run|exec|post|put/i
/** Names of tools that return one item. */
const reading = /get|read|fetch|show|describe/i

/**
 * Returns lines of YAML for keys of the target file that are not set: calls that the tool
 * definitions suggest, and the first listed resource. Proposes only tools with readOnlyHint, or
 * without this hint if their names suggest that they only read; and for `tools.get` only tools with
 * openWorldHint, because others may send no request to an upstream. Unknown values are `…`.
 */
export function proposeKeys(
  target: ToolsTarget,
  { tools, resource }: { tools: readonly Tool[]; resource?: string | undefined },
): string[] {
  const { search, get, calls, resource: named } = target
  const free = tools.filter(
    ({ name, annotations }) =>
      (annotations['readOnlyHint'] === true ||
        (annotations['readOnlyHint'] === undefined &&
          (searching.test(name) || reading.test(name)))) &&
      // A tool that contradicts this hint is possibly not harmless.
      annotations['destructiveHint'] !== true &&
      !changing.test(name) &&
      ![search?.tool, get?.tool, target.long?.tool, target.elicit?.tool].includes(name),
  )
  // A tool that searches is proposed rather than one that only lists.
  const paginated = search === undefined ? free.filter(isPaginated) : []
  const paging =
    best(paginated.filter(hasQuery), ({ name }) => searching.test(name)) ??
    best(paginated, ({ name }) => searching.test(name))
  const single =
    get === undefined
      ? best(
          free.filter(
            (tool) =>
              tool !== paging &&
              tool.annotations['openWorldHint'] === true &&
              fieldsOf(tool).required.length > 0,
          ),
          ({ name }) => reading.test(name),
        )
      : undefined
  const others = free
    .filter((tool) => tool !== paging && tool !== single && fieldsOf(tool).required.length > 0)
    .slice(0, maxCalls)
  const lines = [
    ...(paging === undefined
      ? []
      : [
          `  search: ${callOf(paging, `${hasQuery(paging) ? '' : ', query: false'}${membersOf(paging)}`)}${warningFor(paging)}`,
        ]),
    ...(single === undefined ? [] : [`  get: ${callOf(single)}${warningFor(single)}`]),
    ...(calls === undefined && others.length > 0
      ? [
          '  calls:',
          ...others.map(
            (tool) => `    ${JSON.stringify(tool.name)}: ${argumentsOf(tool)}${warningFor(tool)}`,
          ),
        ]
      : []),
    ...(named === undefined && resource !== undefined
      ? [`  resource: ${JSON.stringify(resource)}`]
      : []),
  ]
  return lines.length === 0 ? [] : ['tools:', ...lines]
}

/** A comment for tools that do not state that they change nothing. */
const warningFor = ({ annotations }: Tool): string =>
  annotations['readOnlyHint'] === true
    ? ''
    : ' # only if it changes nothing: it has no readOnlyHint'

/** Returns the first candidate that fits, or the first candidate if none fits. */
const best = <T>(candidates: readonly T[], fits: (candidate: T) => boolean): T | undefined =>
  candidates.find(fits) ?? candidates[0]

const isPaginated = (tool: Tool): boolean =>
  ['limit', 'offset'].every((name) => name in fieldsOf(tool).properties)

/** Whether a tool has a field for a query, so that it is a search tool. */
function hasQuery({ schema }: Tool): boolean {
  const root = { schema, path: '$' }
  return readInput(root).fields.some(
    (field) =>
      (field.name === 'query' || (field.required && !commonNames.includes(field.name))) &&
      isStringField(field, root),
  )
}

/** The members of an item that identify and name it, as far as the output schema shows them. */
function membersOf({ name, definition }: Tool): string {
  const names = namesOfItems(definition['outputSchema'])
  const ofTool = name.toLowerCase()
  const id =
    names.find((one) => /^id$/i.test(one)) ??
    // A loan can have both loan_id and book_id.
    best(
      names.filter((one) => /(_id|Id)$/.test(one)),
      (one) => ofTool.includes(one.replace(/_?id$/i, '').toLowerCase()),
    )
  const title = ['title', 'name', 'label'].find((one) => names.includes(one))
  return `, id: ${show(id)}, title: ${show(title)}`
}

/** The names of the members of the items in a page, of which the schema is given. */
function namesOfItems(schema: unknown): string[] {
  if (!isObject(schema)) return []
  const membersOfSchema = (one: unknown): Json => {
    const { properties } = readSchema(one, schema)
    return isObject(properties) ? properties : {}
  }
  return Object.values(membersOfSchema(schema)).flatMap((member) =>
    Object.keys(membersOfSchema(readSchema(member, schema)['items'])),
  )
}

const readSchema = (schema: unknown, root: Json): Json => {
  const resolved = resolveReference(schema, root)
  return isObject(resolved) ? resolved : {}
}

const show = (value: string | undefined): string =>
  value === undefined ? unknownValue : JSON.stringify(value)

const callOf = (tool: Tool, further = ''): string =>
  `{ tool: ${JSON.stringify(tool.name)}, arguments: ${argumentsOf(tool)}${further} }`

/** The required fields of a tool, as JSON, which is also YAML. */
function argumentsOf(tool: Tool): string {
  const { properties, required, root } = fieldsOf(tool)
  const members = required.map(
    (name) => `${JSON.stringify(name)}: ${valueOf(properties[name], root)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Returns a value from the schema of a field, such as the default or an example, as JSON. */
function valueOf(schema: unknown, root: Json): string {
  const resolved = resolveReference(schema, root)
  if (!isObject(resolved)) return unknownValue
  const { const: only, default: standard, examples, enum: values, minimum } = resolved
  const known = [
    only,
    standard,
    Array.isArray(examples) ? examples[0] : undefined,
    Array.isArray(values) ? values[0] : undefined,
    minimum,
  ].find((value) => value !== undefined && value !== null)
  return known === undefined ? unknownValue : JSON.stringify(known)
}
