import type { z } from 'zod'
import type { RunnableTool, ToolCall } from '../call.ts'
import { newTool, readHints, type ToolSource } from '../kit/tool.ts'
import type { ToolResult } from '../protocol.ts'

/**
 * Declares a tool whose name and results are prescribed by the conformance tool of the MCP project.
 * The name has no prefix, and the results have no structured content.
 */
export const defineFixture = <Input extends z.ZodObject>(
  source: Omit<ToolSource<Input>, 'annotations' | 'isUnstructured'>,
): RunnableTool => newTool({ ...source, annotations: readHints(false), isUnstructured: true })

export const newTextResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

export const newErrorResult = (text: string): ToolResult => ({
  ...newTextResult(text),
  isError: true,
})

/** Resolves after this many milliseconds of the server's clock. */
export const pause = ({ server: { clock } }: ToolCall<object>, milliseconds: number) =>
  new Promise<void>((resolve) => void clock.after(milliseconds, resolve))
