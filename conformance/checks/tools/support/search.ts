import { Blocked, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import { fieldsOf, jsonArgument } from './tool.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** The search of the target file on one session. */
interface Search {
  /** Calls the search with changed arguments. The value undefined removes an argument. */
  call(changes: Readonly<Record<string, unknown>>): Promise<McpExchange>
  /** Like `call`, but blocks the check if the call fails. */
  callOrBlock(changes: Readonly<Record<string, unknown>>): Promise<McpExchange>
  /** The argument for a JSON result, if the search has response_format. */
  jsonFormat: Readonly<Record<string, unknown>>
  /** The member that identifies an item. */
  id: string | undefined
}

/** Returns the configured search. Throws `NotApplicable` if its tool does not have `field`. */
export function openSearch(
  { target, callOrBlock }: ToolsWorld,
  session: Session,
  field?: string,
): Search {
  const { search } = target
  if (search === undefined)
    throw new NotCovered<ToolsNeed>('no search is configured', ['tools.search'])
  const tool = session.tools.find(({ name }) => name === search.tool)
  if (tool === undefined) throw new Blocked('TOOL-CALL-01', `the tool ${search.tool} is not listed`)
  const fields = fieldsOf(tool).properties
  if (field !== undefined && !Object.hasOwn(fields, field))
    throw new NotApplicable(`the search has no field ${field}`)
  const changed = (changes: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries({ ...search.arguments, ...changes }).filter(
        ([, value]) => value !== undefined,
      ),
    )
  return {
    call: (changes) => session.call(search.tool, changed(changes)),
    callOrBlock: (changes) =>
      callOrBlock(session, { tool: search.tool, arguments: changed(changes) }),
    jsonFormat: jsonArgument(tool),
    id: search.id,
  }
}
