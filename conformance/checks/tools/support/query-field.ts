import { Blocked, NotApplicable, NotCovered } from '../../../engine/index.ts'
import { branchesOf, isNull, typesOf, type LocatedSchema } from '../../../definitions/branches.ts'
import { readInput, type ToolInputField } from '../../../definitions/input.ts'
import type { ToolsNeed } from '../target.ts'
import type { Session } from './client-session.ts'
import type { ToolsWorld } from './world.ts'

/** The common fields of tools, which are not queries. */
export const commonNames: readonly string[] = ['response_format', 'limit', 'offset']

/** Returns the input fields of the search tool, and the schema that contains them. */
export function searchFields(
  { target: { search } }: ToolsWorld,
  { tools }: Session,
): { root: LocatedSchema; fields: readonly ToolInputField[] } {
  if (search === undefined)
    throw new NotCovered<ToolsNeed>('no search is configured', ['tools.search'])
  const tool = tools.find(({ name }) => name === search.tool)
  if (tool === undefined) throw new Blocked('TOOL-CALL-01', `the tool ${search.tool} is not listed`)
  const root = { schema: tool.schema, path: '$' }
  return { root, fields: readInput(root).fields }
}

/** Whether a field accepts only strings, or only strings and null. */
export const isStringField = ({ located }: ToolInputField, root: LocatedSchema): boolean => {
  const branches = branchesOf(located, root).filter((branch) => !isNull(branch))
  return (
    branches.length > 0 &&
    branches.every(
      (branch) =>
        branch.opaque ||
        (typesOf(branch)?.every((type) => type === 'string' || type === 'null') ?? false),
    )
  )
}

/**
 * The fields that may contain the query: string fields that are named query or have a value in the
 * target file.
 */
export function possibleQueries(world: ToolsWorld, session: Session): readonly string[] {
  const { root, fields } = searchFields(world, session)
  return fields
    .filter(
      (field) =>
        (field.name === 'query' ||
          (field.name in world.target.search!.arguments && !commonNames.includes(field.name))) &&
        isStringField(field, root),
    )
    .map(({ name }) => name)
}

/** Throws `NotApplicable` if the configured tool only lists. */
export function requireQuery({ target: { search } }: ToolsWorld): void {
  if (search?.query === false) throw new NotApplicable(`${search.tool} does not search`)
}

/**
 * The field that contains the query: the one named query, or the only possible one. Blocks the
 * check if there is none. Throws `NotCovered` if there are several, and `NotApplicable` if the tool
 * only lists.
 */
export function queryField(world: ToolsWorld, session: Session): string {
  requireQuery(world)
  const names = possibleQueries(world, session)
  if (names.includes('query')) return 'query'
  const { tool } = world.target.search!
  if (names.length === 0) throw new Blocked('TOOL-QUERY-01', `the input of ${tool} has no query`)
  if (names.length > 1)
    throw new NotCovered<ToolsNeed>(
      `the query of ${tool} may be any of these arguments: ${names.join(', ')}`,
      ['tools.search'],
    )
  return names[0]!
}

/** The optional fields of the search tool that are lists of strings, such as tags. */
export function listsOfStrings(world: ToolsWorld, session: Session): readonly string[] {
  const { root, fields } = searchFields(world, session)
  return fields
    .filter(({ name, required, located }) => {
      if (required || name in world.target.search!.arguments) return false
      const branches = branchesOf(located, root).filter((branch) => !isNull(branch))
      return (
        branches.length === 1 &&
        branches.every((branch) => typesOf(branch)?.join() === 'array' && !branch.opaque)
      )
    })
    .map(({ name }) => name)
}
