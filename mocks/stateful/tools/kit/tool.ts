import type { z } from 'zod'
import type { RunnableTool, ToolCall } from '../call.ts'
import type { ToolResult } from '../protocol.ts'

/** A tool whose handler knows the types of its arguments. `name` comes without the prefix. */
export interface Written<Input extends z.ZodObject> extends Omit<RunnableTool, 'input' | 'run'> {
  readonly input: Input
  run(call: ToolCall<z.output<Input>>): Promise<ToolResult> | ToolResult
}

export function tool<Input extends z.ZodObject>({
  name,
  run,
  ...rest
}: Written<Input>): RunnableTool {
  return { name: `shelf_${name}`, ...rest, run: (call) => run(call as ToolCall<z.output<Input>>) }
}

/** Hints by what a tool does. All of them say whether they reach beyond this server. */
export const reads = (beyond: boolean): RunnableTool['annotations'] => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: beyond,
})
export const writes = (hints: {
  destructive: boolean
  idempotent: boolean
}): RunnableTool['annotations'] => ({
  readOnlyHint: false,
  destructiveHint: hints.destructive,
  idempotentHint: hints.idempotent,
  openWorldHint: true,
})
