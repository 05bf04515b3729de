import { markup, type Child, type Markup } from '../../../conformance/report/html/markup.ts'
import { copyButton } from '../../../conformance/report/html/copy-buttons.ts'
import { table } from '../../../conformance/report/html/table.ts'
import type { Links } from './links.ts'

/** A group of definitions on the page of a contract, such as its operations. */
export interface DefinitionGroup {
  id: string
  heading: string
  introduction?: Child
  entries: readonly DocumentedDefinition[]
}

/** A definition: an operation, a message, a schema or a response. */
export interface DocumentedDefinition {
  /** The anchor. It differs from every id of a requirement. */
  id: string
  /** The name as requirements use it: `listImages`. */
  name: string
  /** What it is, on one line: "List images". */
  summary: string
  /** The method and path of an operation. */
  request?: string
  content: Markup
  /** The requirements that it names. */
  requirements: readonly string[]
}

/** An object in a specification, such as an OpenAPI document or a JSON Schema. */
export type SpecObject = { readonly [key: string]: unknown }

/** Whether a value is an object, not an array. */
export const isObject = (value: unknown): value is SpecObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a member that is an object, otherwise an empty object. */
export const objectAt = (value: unknown, key: string): SpecObject => {
  const member = isObject(value) ? value[key] : undefined
  return isObject(member) ? member : {}
}

/** Returns a member that is a string, otherwise an empty string. */
export const stringAt = (value: unknown, key: string): string => {
  const member = isObject(value) ? value[key] : undefined
  return typeof member === 'string' ? member : ''
}

/**
 * Returns the requirements that a part of a document names, without those of the parts to which it
 * refers.
 */
export function requirementsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const found = Object.entries(value).flatMap(([key, member]) =>
    key.startsWith('x-requirement') && typeof member === 'string'
      ? [member]
      : requirementsIn(member),
  )
  return [...new Set(found)]
}

/** Links to the requirements that an object itself names. */
export function ownRequirements(value: SpecObject, links: Links): Child[] {
  const own = Object.entries(value).flatMap(([key, member]) =>
    key.startsWith('x-requirement') && typeof member === 'string' ? [member] : [],
  )
  return [...new Set(own)].map((id) => markup`${links.requirement(id)} `)
}

/** An example with its name and a copy button. */
export function sample(name: string, value: unknown): Markup {
  return markup`<details class="sample"><summary>${name}</summary>
<div class="copyable"><pre>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>${copyButton(name)}</div></details>
`
}

/** A table of fields, parameters or responses, unless there are none. */
export const tableOf = (
  caption: string,
  columns: readonly string[],
  lines: readonly (readonly Child[])[],
): Markup => (lines.length === 0 ? markup`` : table(caption, columns, lines))

/** Joins values: "a, b or c". */
export const listOf = (items: readonly Child[], word = 'or'): Child =>
  items.map((item, index) =>
    index === 0 ? item : [index === items.length - 1 ? ` ${word} ` : ', ', item],
  )
