import type { z } from 'zod'
import type { RunnableTool, ToolCall } from '../call.ts'
import type { ToolResult } from '../protocol.ts'

/** A tool with typed arguments. `name` is without the prefix. */
export interface ToolSource<Input extends z.ZodObject> extends Omit<RunnableTool, 'input' | 'run'> {
  readonly input: Input
  run(call: ToolCall<z.output<Input>>): Promise<ToolResult> | ToolResult
}

export function defineTool<Input extends z.ZodObject>({
  name,
  run,
  ...rest
}: ToolSource<Input>): RunnableTool {
  return { name: `shelf_${name}`, ...rest, run: (call) => run(call as ToolCall<z.output<Input>>) }
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
