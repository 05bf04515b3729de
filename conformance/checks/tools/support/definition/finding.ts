/** The conventions for definitions, each by a short key. */
export type DefinitionRule =
  | 'server-name'
  | 'server-version'
  | 'list'
  | 'definition'
  | 'name'
  | 'prefix'
  | 'service'
  | 'duplicate'
  | 'description'
  | 'input-schema'
  | 'field-type'
  | 'field-description'
  | 'field-constraint'
  | 'title'
  | Hint
  | 'contradiction'
  | CommonName
  | `${CommonName}-default`

export type Hint = 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'

/** The input fields with the same meaning in every tool. */
export type CommonName = 'response_format' | 'limit' | 'offset'

/** A difference between a definition and the conventions, or something misleading. */
export interface DefinitionFinding {
  readonly rule: DefinitionRule
  /**
   * The name of the tool, if it has one; missing if the finding is about the server or all tools.
   */
  readonly tool?: string
  /**
   * A JSON path such as `$.tools[3].inputSchema.properties.limit.default`; `server name` for the
   * server's name.
   */
  readonly path: string
  /** An error breaks a convention; a warning may keep it, but can mislead callers. */
  readonly severity: 'error' | 'warning'
  /** What is wrong, as a sentence without its subject: "has no description". */
  readonly problem: string
  /** How to fix it, as an imperative: "add a description". */
  readonly fix: string
}

/** Reports a finding about what is being judged. */
export type ReportFinding = (
  rule: DefinitionRule,
  path: string,
  problem: string,
  fix: string,
  severity?: DefinitionFinding['severity'],
) => void

/** Whether a value is a string with more than whitespace. */
export const isNotBlank = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== ''

/** The JSON path of a member: appends `.limit`, `[3]` or `['a b']`. */
export function childPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key)
    ? `${path}.${key}`
    : `${path}['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`
}

/** A value as JSON, at most 80 characters of it. */
export function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
