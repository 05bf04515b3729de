import { markup, type Child, type Markup } from './markup.ts'

/**
 * A table. The first cell of each row is its heading. On a phone, the style stacks the cells; the
 * roles make screen readers still treat them as a table.
 */
export function table(
  caption: Child,
  columns: readonly string[],
  rows: readonly (readonly Child[])[],
): Markup {
  const head = columns.map((column) => markup`<th scope="col">${column}</th>`)
  const body = rows.map(
    ([first, ...cells]) =>
      markup`<tr role="row"><th scope="row" role="rowheader">${first}</th>${cells.map((cell, index) => markup`<td role="cell" data-label="${columns[index + 1] ?? ''}">${cell}</td>`)}</tr>
`,
  )
  return markup`<table role="table"><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody role="rowgroup">${body}</tbody></table>
`
}
