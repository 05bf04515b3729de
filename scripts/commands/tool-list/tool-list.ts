/** Tool definitions from a file or a server. */
export interface ToolList {
  readonly tools: readonly unknown[]
  /** The JSON path of the list, with which the paths of findings begin. */
  readonly basePath: string
  /** The name that the server reports; undefined for a file. */
  readonly serverName?: string | undefined
  /** Whether there are further pages, which were not read. */
  readonly more: boolean
}
