import type { z } from 'zod'

/** What there is to know of a tool without its handler. */
export interface ToolDescription {
  /** With the prefix: shelf_get_book. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: Readonly<
    Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>
  >
  /** The input as it is told to clients: JSON Schemas of the fields, written by hand. */
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required: readonly string[]
  /** The input as it is validated: independent of what is told. */
  readonly input: z.ZodObject
}
