import { z } from 'zod'
import type { RunnableTool, ToolCall } from '../call.ts'
import type { ToolResult } from '../protocol.ts'

/**
 * A tool. Its input schema, the validation of its arguments and their TypeScript type come from
 * `input`.
 */
export interface ToolSource<Input extends z.ZodObject> extends Omit<
  RunnableTool,
  'input' | 'properties' | 'required' | 'definitions' | 'run'
> {
  readonly input: Input
  run(call: ToolCall<z.output<Input>>): Promise<ToolResult> | ToolResult
}

/** Declares a tool of the library. `name` does not contain the prefix `shelf_`. */
export const defineTool = <Input extends z.ZodObject>({
  name,
  ...rest
}: ToolSource<Input>): RunnableTool => newTool({ name: `shelf_${name}`, ...rest })

export function newTool<Input extends z.ZodObject>({
  input,
  run,
  ...rest
}: ToolSource<Input>): RunnableTool {
  const { properties = {}, required = [], $defs } = z.toJSONSchema(input, { io: 'input' })
  return {
    ...rest,
    input,
    properties: properties as RunnableTool['properties'],
    required,
    ...($defs === undefined ? {} : { definitions: $defs }),
    run: (call) => run(call as ToolCall<z.output<Input>>),
  }
}

/** Annotations of a tool that only reads, from the upstream or from the server's own data. */
export const readHints = (usesUpstream: boolean): RunnableTool['annotations'] => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: usesUpstream,
})
export const writeHints = (hints: {
  destructive: boolean
  idempotent: boolean
}): RunnableTool['annotations'] => ({
  readOnlyHint: false,
  destructiveHint: hints.destructive,
  idempotentHint: hints.idempotent,
  openWorldHint: true,
})
