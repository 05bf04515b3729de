import { join } from 'node:path'
import { outcomes, type Outcome, type Verdict } from '../engine/index.ts'
import {
  blocked,
  byExpectedFailure,
  byTopic,
  hintsOf,
  idsOf,
  meaningOf,
  proposalsHeading,
  staleAdvice,
  uncovered,
  type VerdictGroup,
} from './groups.ts'
import { style } from './html-style.ts'
import { profilesOf } from './profiles.ts'
import { put } from './put.ts'
import type { Reporter, Result } from './result.ts'
import {
  count,
  describeExpected,
  plain,
  statusText,
  explanationOf,
  symbols,
  topicTitleAmong,
  words,
} from './explanation.ts'

/** Writes `report.html`: a single file without dependencies or scripts. */
export function htmlReporter(folder: string): Reporter {
  return { end: (result) => [put(join(folder, 'report.html'), htmlOf(result))] }
}

export function htmlOf(result: Result): string {
  const { suite, targetName, startedAt, durationMs, totals, verdicts, left, proposals } = result
  const { skipped = [] } = result
  const tiles = outcomes
    .filter((outcome) => totals[outcome] > 0)
    .map(
      (outcome) =>
        `<li class="${classOf(outcome)}"><b>${totals[outcome]}</b> ${words[outcome]}</li>`,
    )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(suite.name)}: ${escaped(targetName)}</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="who">${escaped(suite.name)} ${escaped(suite.version)} tested</p>
<h1>${escaped(targetName)}</h1>
<p class="${result.exit === 0 ? 'good' : 'bad'} meaning">${escaped(meaningOf(result))}</p>
${profilesOf(result)
  .map(
    ({ title, meaning }) =>
      `<p class="profile"><b>${escaped(title)}</b>: ${escaped(meaning)}</p>\n`,
  )
  .join('')}<ul class="tiles">${tiles.join('')}</ul>
<p class="when"><time datetime="${escaped(startedAt)}">${escaped(startedAt.slice(0, 16).replace('T', ' '))} UTC</time>, ${(durationMs / 1000).toFixed(1)} s, exit ${result.exit}</p>
</header>
<main>
${(['fail', 'error', 'warn'] as const).map((outcome) => explanations(result, outcome)).join('')}${expectedFailures(result)}${causes('Blocked', blocked(result))}${causes('Not covered', uncovered(result))}${proposals.length === 0 ? '' : `<p>${proposalsHeading}</p><pre>${escaped(proposals.join('\n'))}</pre>`}${left.length === 0 ? '' : `<section><h2>Left behind</h2><ul>${left.map((name) => `<li>${escaped(name)}</li>`).join('')}</ul></section>`}${skipped.length === 0 ? '' : `<p>Skipped, because of --skip: ${escaped(skipped.join(', '))}</p>`}
<section><h2>All checks</h2>
${byTopic(verdicts)
  .map(({ contract, topic, verdicts: own }) =>
    topicOf(topicTitleAmong(verdicts)(contract, topic), own),
  )
  .join('')}</section>
</main>
</body>
</html>
`
}

const headings: Partial<Record<Outcome, string>> = {
  fail: 'Failures',
  error: 'Errors of the suite itself',
  warn: 'Warnings',
}

function explanations({ verdicts, repeat }: Result, outcome: Outcome): string {
  const own = verdicts.filter(({ verdict }) => verdict === outcome)
  if (own.length === 0) return ''
  const articles = own.map((verdict) => {
    const lines = explanationOf(verdict, repeat).map(([label, text]) => {
      const command = label === 'repeat' || label === 'or'
      const tag = command || label === 'received' ? 'code' : 'span'
      return `<dt>${label}</dt><dd><${tag}>${escaped(text)}</${tag}></dd>`
    })
    return `<article class="${classOf(outcome)}" id="${escaped(verdict.requirement)}"><h3><i>${symbols[outcome]}</i> <code>${escaped(verdict.requirement)}</code> ${escaped(verdict.title)}</h3><dl>${lines.join('')}</dl>${exchanges(verdict)}</article>\n`
  })
  return `<section><h2>${headings[outcome] ?? outcome}</h2>\n${articles.join('')}</section>\n`
}

/** A table of the known failures, and one of the entries that are out of date. */
function expectedFailures(result: Result): string {
  return byExpectedFailure(result)
    .map(({ outcome, heading, groups }) => {
      const rows = groups.map(
        ({ entry, verdicts }) =>
          `<tr class="${classOf(outcome)}"><td><i>${symbols[outcome]}</i> <code>${escaped(entry.id)}</code></td><td class="number">${verdicts.length}</td><td>${escaped(describeExpected('known', entry))}</td></tr>`,
      )
      const advice = outcome === 'stale' ? `<p>${escaped(staleAdvice(result))}</p>` : ''
      return `<section><h2>${heading}</h2><table><thead><tr><th>requirement</th><th class="number">checks</th><th>reason</th></tr></thead><tbody>${rows.join('')}</tbody></table>${advice}</section>\n`
    })
    .join('')
}

function exchanges({ exchanges: all }: Verdict): string {
  if (all.length === 0) return ''
  const shown = all.map(({ number, operation, request, response, failure, milliseconds }) => {
    const lines = [
      `${request.method} ${request.url}`,
      ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ]
    if (request.body !== null) lines.push('', request.body)
    lines.push('')
    if (response !== undefined)
      lines.push(
        `→ ${statusText(response)}`,
        ...response.headers.map(([name, value]) => `${name}: ${value}`),
        '',
        response.body,
      )
    if (failure !== undefined) lines.push(`→ ${failure}`)
    return `<h4>${number}: ${escaped(operation)}, ${milliseconds} ms</h4><pre>${escaped(lines.join('\n'))}</pre>`
  })
  return `<details><summary>${count(all.length, 'exchange')}</summary>${shown.join('')}</details>`
}

function causes(heading: string, groups: readonly VerdictGroup[]): string {
  if (groups.length === 0) return ''
  const rows = groups.map((group) => {
    const hint = hintsOf(group)
      .map((line) => `<br><small>${escaped(line)}</small>`)
      .join('')
    return `<tr><td>${escaped(group.title)}${hint}</td><td class="number">${group.verdicts.length}</td><td><small>${idsOf(group, 12).replace(/\S+-\S+/g, '<span class="id">$&</span>')}</small></td></tr>`
  })
  return `<section><h2>${heading}</h2><table><thead><tr><th>${heading === 'Blocked' ? 'blocked by' : 'missing'}</th><th class="number">checks</th><th>requirements</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>\n`
}

function topicOf(title: string, verdicts: readonly Verdict[]): string {
  const present = outcomes.filter((outcome) => verdicts.some(({ verdict }) => verdict === outcome))
  const counts = present.map(
    (outcome) =>
      `<span class="${classOf(outcome)}">${verdicts.filter(({ verdict }) => verdict === outcome).length} ${words[outcome]}</span>`,
  )
  const rows = verdicts.map((verdict) => {
    const { verdict: outcome, requirement, level, title: fact, reason, observations = [] } = verdict
    const notes = [...observations, ...(reason === undefined ? [] : [reason.split('\n')[0]!])]
    return `<tr class="${classOf(outcome)}"><td><i>${symbols[outcome]}</i> ${outcome}</td><td><code>${escaped(requirement)}</code></td><td>${level}</td><td>${escaped(fact)}${notes.map((note) => `<br><small>${escaped(note)}</small>`).join('')}</td></tr>`
  })
  return `<details><summary><b>${escaped(title)}</b> ${counts.join(', ')}</summary><table><tbody>${rows.join('')}</tbody></table></details>\n`
}

function classOf(outcome: Outcome): string {
  return outcome.replace(' ', '-')
}

/** Escapes a string for an element or a quoted attribute of HTML. */
function escaped(text: string): string {
  return plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
