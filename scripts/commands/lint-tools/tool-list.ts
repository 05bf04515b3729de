/** Tool definitions from a file or a server. */
export interface ToolList {
  readonly tools: readonly unknown[]
  /** Their JSON path. */
  readonly at: string
  /** The name that the server reports; undefined for a file. */
  readonly serverName?: string | undefined
  /** Whether there is another page, which was not read. */
  readonly more: boolean
}
