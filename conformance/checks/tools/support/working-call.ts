import { NotCovered } from '../../../engine/index.ts'
import type { ToolsNeed } from '../target.ts'
import type { Session } from './client-session.ts'
import { namedCalls, type NamedCall } from './named-calls.ts'
import { fieldsOf } from './tool.ts'
import type { ToolsWorld } from './world.ts'

/**
 * Returns a call that should succeed: one that the target file names, or a call of a read-only tool
 * that requires no arguments. If there is neither, the check is not covered.
 */
export function findWorkingCall(
  { target }: Pick<ToolsWorld, 'target'>,
  { tools }: Session,
): NamedCall {
  const [named] = namedCalls(target)
  if (named !== undefined) return named
  const tool = tools.find(
    (one) => one.annotations['readOnlyHint'] === true && fieldsOf(one).required.length === 0,
  )
  if (tool === undefined)
    throw new NotCovered<ToolsNeed>('the suite is not allowed to call any tool', ['tools.calls'])
  return { tool: tool.name, arguments: {} }
}
