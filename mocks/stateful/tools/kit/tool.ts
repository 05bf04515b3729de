import { z } from 'zod'
import type { RunnableTool, ToolCall } from '../call.ts'
import type { ToolResult } from '../protocol.ts'

/**
 * A tool. `name` is without the prefix. Its input schema, the validation of its arguments and their
 * TypeScript type come from `input`.
 */
export interface ToolSource<Input extends z.ZodObject> extends Omit<
  RunnableTool,
  'input' | 'properties' | 'required' | 'run'
> {
  readonly input: Input
  run(call: ToolCall<z.output<Input>>): Promise<ToolResult> | ToolResult
}

export function defineTool<Input extends z.ZodObject>({
  name,
  input,
  run,
  ...rest
}: ToolSource<Input>): RunnableTool {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  return {
    name: `shelf_${name}`,
    ...rest,
    input,
    properties: properties as RunnableTool['properties'],
    required,
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
