import { outcomes, totalsOf, type Outcome, type Verdict } from '../engine/index.ts'
import { briefOf, count, symbols, words } from '../report/explanation.ts'
import { toneOf } from '../report/groups.ts'
import { escaped } from '../report/html/markup.ts'
import { matrixStyle } from './matrix-style.ts'
import {
  describeResult,
  describeSelections,
  type Matrix,
  type MatrixCell,
  type MatrixRow,
  type MatrixTopic,
} from './matrix.ts'
import type { SavedRun } from './saved-run.ts'

/**
 * Formats a matrix as one HTML page without scripts or other files: a summary, the requirements,
 * and what each implementation does where a document leaves a choice.
 */
export function matrixPage(matrix: Matrix): string {
  const { runs, required, open } = matrix
  const names = runs.map(({ name }) => name)
  const versions = [
    ...new Set(
      runs.flatMap(({ suite, problem }) =>
        problem === undefined ? `${suite.name} ${suite.version}` : [],
      ),
    ),
  ]
  const rows = [...required, ...open].flatMap((topic) => topic.rows)
  const different = rows.filter(({ differs }) => differs).length
  const title = `${count(runs.length, 'implementation')} compared`
  const selections = describeSelections(runs)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(`${title}: ${names.join(', ')}`)}</title>
<style>${matrixStyle}</style>
</head>
<body>
<header>
<p class="soft">${escaped(versions.join(', '))}</p>
<h1>${title}</h1>
</header>
<main>
${summaryTable(runs)}
${selections === undefined ? '' : `<p>${escaped(selections)}</p>\n`}<p class="legend">${legend()}</p>
<label class="filter"><input type="checkbox" id="differ"> Show only the ${different} of ${count(rows.length, 'requirement')} for which the results differ</label>
${topicsTable('required', required, names)}${topicsTable('open', open, names)}</main>
</body>
</html>
`
}

/** One line for each implementation: its result and the number of checks with each outcome. */
function summaryTable(runs: readonly SavedRun[]): string {
  const rows = runs.map((run) => {
    const totals = totalsOf(run.verdicts)
    const counts = outcomes
      .filter((outcome) => totals[outcome] > 0)
      .map((outcome) => marked(outcome, `${totals[outcome]} ${words[outcome]}`))
    const moment =
      run.problem === undefined ? `${run.startedAt.slice(0, 16).replace('T', ' ')} UTC` : ''
    return `<tr><th scope="row"><b>${escaped(run.name)}</b></th><td><span class="${toneOf(run)}">${escaped(describeResult(run))}</span></td><td>${counts.join(', ')}</td><td class="soft">${escaped(moment)}</td></tr>`
  })
  return `<table class="summary"><caption>Results</caption><thead><tr><th scope="col">implementation</th><th scope="col">result</th><th scope="col">checks</th><th scope="col">tested</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`
}

const legend = (): string =>
  outcomes.map((outcome) => marked(outcome, `${symbols[outcome]} ${nameOf(outcome)}`)).join(' ')

/** The outcome of one requirement in words. */
const nameOf = (outcome: Outcome): string =>
  ({
    warn: 'warning',
    known: 'known failure',
    error: 'error of the suite',
    stale: 'stale known failure',
  })[outcome as string] ?? words[outcome]

type Kind = 'required' | 'open'

const headings: Readonly<Record<Kind, string>> = {
  required: 'Requirements',
  open: 'Where the contract leaves a choice',
}

const captions: Readonly<Record<Kind, string>> = {
  required: 'Select a result that is not “passed” to see why.',
  open: 'What each implementation does.',
}

function topicsTable(kind: Kind, topics: readonly MatrixTopic[], names: readonly string[]): string {
  if (topics.length === 0) return ''
  const heading = names.map((name) => `<th scope="col">${escaped(name)}</th>`).join('')
  const bodies = topics.map(
    ({ title, rows }) =>
      `<tbody><tr class="${rows.some(({ differs }) => differs) ? 'topic' : 'topic same'}"><th scope="rowgroup" colspan="${names.length + 1}"><span>${escaped(title)}</span></th></tr>\n${rows.map((row) => rowOf(row, kind)).join('\n')}\n</tbody>`,
  )
  return `<h2 id="${kind}">${headings[kind]}</h2>
<div class="frame ${kind}" tabindex="0" role="region" aria-labelledby="${kind}">
<table><caption>${captions[kind]}</caption><thead><tr><th scope="col">requirement</th>${heading}</tr></thead>
${bodies.join('\n')}
</table>
</div>
`
}

function rowOf({ requirement, statement, level, cells, differs }: MatrixRow, kind: Kind): string {
  const described = kind === 'open' ? requirement : `${requirement}</code> ${level}<code>`
  const format = kind === 'open' ? openCell : requiredCell
  return `<tr id="${escaped(requirement)}" class="${differs ? 'differs' : 'same'}"><th scope="row"><code>${described}</code><small>${escaped(statement)}</small></th>${cells.map((cell) => `<td>${format(cell)}</td>`).join('')}</tr>`
}

/** An outcome, with the details of failures, warnings and missing results. */
function requiredCell({ outcome, verdicts }: MatrixCell): string {
  if (outcome === undefined) return notInRun
  const own = verdicts.filter(({ verdict }) => verdict === outcome)
  const part = own.length === verdicts.length ? '' : ` ${own.length} of ${verdicts.length}`
  const text = marked(outcome, `${symbols[outcome]} ${nameOf(outcome)}${part}`)
  const details = [...new Set(own.map((verdict) => detailOf(verdict)))].filter((one) => one !== '')
  return details.length === 0
    ? text
    : `<details><summary>${text}</summary>${details.map((one) => `<p>${escaped(one)}</p>`).join('')}</details>`
}

const detailOf = (verdict: Verdict): string =>
  ['pass', 'observed'].includes(verdict.verdict)
    ? ''
    : [verdict.title, briefOf(verdict)].filter((text) => text !== '').join(': ')

/** What the implementation does, or the outcome if nothing was observed. */
function openCell(cell: MatrixCell): string {
  const observations = cell.verdicts.flatMap(({ observations: own = [] }) => own)
  if (observations.length === 0) return requiredCell(cell)
  const problem = cell.outcome === 'observed' ? '' : requiredCell(cell)
  return `${problem}<ul>${observations.map((one) => `<li>${escaped(one)}</li>`).join('')}</ul>`
}

const notInRun = '<span class="none">not in this run</span>'

const marked = (outcome: Outcome, text: string): string =>
  `<span class="${outcome.replace(' ', '-')}">${escaped(text)}</span>`
