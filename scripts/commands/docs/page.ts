import { htmlDocument } from '../../../conformance/report/html/document.ts'
import { markup, type Child, type Markup } from '../../../conformance/report/html/markup.ts'
import { script } from './script.ts'
import { style } from './style.ts'

const writer = 'Written by touchstone docs. Do not edit: run it again.'

/** Whether this command wrote a page. */
export const isWritten = (text: string): boolean =>
  text.slice(0, 300).includes(`<!-- ${writer} -->`)

/** The frame of every page: header, contents, search, and the main part. */
export function pageOf({
  title,
  header,
  contents,
  search,
  main,
}: {
  title: string
  header: Markup
  contents: Child
  search: Markup
  main: Child
}): string {
  return htmlDocument({
    title: `${title}: Touchstone`,
    style,
    script,
    skip: 'Skip to the content',
    writer,
    body: markup`<header>${header}</header>
<div class="columns">
<nav class="contents" aria-label="Contents"><details><summary>Contents</summary>
${contents}</details></nav>
<main id="main" tabindex="-1">
${search}
${main}
</main>
</div>`,
  })
}

/** The search. It is hidden until the script, which it needs, shows it. */
export const searchForm = (label: string, levels: readonly string[]): Markup =>
  markup`<form id="filter" role="search" aria-label="${label}" hidden>
<div class="fields"><label>Search <input type="search" name="q" autocomplete="off" spellcheck="false"></label>
<label>Level <select name="level"><option value="">all</option>${levels.map((level) => markup`<option>${level}</option>`)}</select></label></div>
<p class="result"><span role="status" id="shown"></span> <button type="reset">Show all</button></p>
</form>`
