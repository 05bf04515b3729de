import type { z } from 'zod'

/** A tool without its handler. */
export interface ToolDescription {
  /** Of a tool of the shelf with the prefix: shelf_get_book. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: Readonly<
    Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>
  >
  /** The input schema that clients see: JSON Schemas of the fields, derived from `input`. */
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required: readonly string[]
  /** The schemas to which those of the fields refer, as `$defs`. */
  readonly definitions?: Readonly<Record<string, unknown>>
  /** Whether its results have no structured content, whatever the choices of the server. */
  readonly isUnstructured?: boolean
  /** Validates the input. */
  readonly input: z.ZodObject
}
