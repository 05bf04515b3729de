/** What a definition can break, by a short key. */
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

/** The input fields that mean the same in every tool. */
export type CommonName = 'response_format' | 'limit' | 'offset'

/** A place at which definitions differ from the conventions, or may mislead. */
export interface DefinitionFinding {
  readonly rule: DefinitionRule
  /** The name of the tool, as far as it has one; missing where it is about the server or all tools. */
  readonly tool?: string
  /** A JSON path such as $.tools[3].inputSchema.properties.limit.default; 'server name' for that of the server. */
  readonly path: string
  /** An error breaks a convention; a warning keeps it, or may keep it, in a way that callers stumble over. */
  readonly severity: 'error' | 'warning'
  /** What is wrong, as a sentence without its subject: «has no description». */
  readonly problem: string
  /** How to put it right, as an order: «give a description». */
  readonly fix: string
}

/** Notes a finding of what is being judged. */
export type ReportFinding = (
  rule: DefinitionRule,
  path: string,
  says: string,
  mend: string,
  severity?: DefinitionFinding['severity'],
) => void

/** Whether something is a text that holds more than spaces. */
export const isNotBlank = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== ''

/** A JSON path, one step further: `.limit`, `[3]` or `['a b']`. */
export function childPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key)
    ? `${path}.${key}`
    : `${path}['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`
}

/** A value in few characters. */
export function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
