/** Definitions, wherever they come from. */
export interface Listed {
  readonly tools: readonly unknown[]
  /** The JSON path at which they stand. */
  readonly at: string
  /** What the server calls itself, where it was asked. */
  readonly serverName?: string | undefined
  /** Whether others follow on a page that is not there. */
  readonly more: boolean
}
