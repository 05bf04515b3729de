import type { z } from 'zod'

/** A tool without its handler. */
export interface ToolDescription {
  /**
   * The name of the tool. Names of library tools have the prefix `shelf_`, as in `shelf_get_book`.
   */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: Readonly<
    Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>
  >
  /** The input schema that clients see: JSON Schemas of the fields, derived from `input`. */
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required: readonly string[]
  /** The `$defs` to which the schemas of the fields refer. */
  readonly definitions?: Readonly<Record<string, unknown>>
  /**
   * Whether the results of this tool never have structured content, even if the server's choices
   * require it for other tools.
   */
  readonly isUnstructured?: boolean
  /** Validates the input. */
  readonly input: z.ZodObject
}
