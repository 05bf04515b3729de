import type { NamedCall } from './named-calls.ts'
import type { ReadingCall } from './plain-calls.ts'
import { commonNames } from './query-field.ts'
import { fieldsOf, jsonArgument } from './tool.ts'

/** A call of a tool that only reads, with arguments of another call. */
interface AdoptedCall {
  /** The call, in JSON if possible. */
  readonly call: NamedCall
  /** The fields whose values come from the other call. */
  readonly fields: readonly string[]
}

/**
 * Returns a call that may show the effects of another call: with those arguments of the other call
 * that its tool has as well, except for the common ones.
 */
export function adopt(
  { call, tool }: Pick<ReadingCall, 'call' | 'tool'>,
  args: NamedCall['arguments'],
): AdoptedCall {
  const names = Object.keys(fieldsOf(tool).properties)
  const shared = Object.entries(args).filter(
    ([name]) => names.includes(name) && !commonNames.includes(name),
  )
  return {
    call: {
      tool: call.tool,
      arguments: { ...call.arguments, ...Object.fromEntries(shared), ...jsonArgument(tool) },
    },
    fields: shared.map(([name]) => name),
  }
}
