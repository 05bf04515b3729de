import type { z } from 'zod'

/** A tool without its handler. */
export interface ToolDescription {
  /** With the prefix: shelf_get_book. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: Readonly<
    Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>
  >
  /** The input schema that clients see: JSON Schemas of the fields, derived from `input`. */
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required: readonly string[]
  /** Validates the input. */
  readonly input: z.ZodObject
}
