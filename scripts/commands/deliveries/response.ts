import { showHidden } from '../../../conformance/engine/index.ts'
import { parseHtml, visibleLines } from '../../../conformance/wire/oauth/tree.ts'
import type { Screen } from '../../../conformance/report/screen.ts'

/** Limits of a response's body that is shown to people. */
const maxLines = 10
const maxCharacters = 1000

/**
 * Returns the body of a response as indented lines of plain text: at most 10 lines and 1000
 * characters. Of an HTML page, these are its title and its visible text. Control characters are
 * visible. Returns nothing for an empty body.
 */
export function bodyLines(body: string, { screen, indent }: { screen: Screen; indent: number }) {
  const text = (isPage(body) ? textOfPage(body) : body).replaceAll('\r\n', '\n').trim()
  if (text === '') return []
  const lines = text.slice(0, maxCharacters).split('\n')
  const isCut = text.length > maxCharacters || lines.length > maxLines
  const shown = lines.slice(0, maxLines).map((line) => showHidden(line).trimEnd())
  if (isCut) shown[shown.length - 1] += '…'
  const start = ' '.repeat(indent)
  return shown.map((line) => {
    const wrapped = screen.live ? screen.wrap(line, indent + 2) : line
    return `${start}${screen.color.dim('|')} ${wrapped}`
  })
}

const isPage = (body: string): boolean => /^\s*(<!doctype html|<html)\b/i.test(body)

/** The title and the visible text of a page; its source if it has none. */
function textOfPage(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim() ?? ''
  const lines = visibleLines(parseHtml(html)).filter((line) => line !== title)
  const text = [title, ...lines].filter((line) => line !== '')
  return text.length === 0 ? html : ['HTML page:', ...text].join('\n')
}
