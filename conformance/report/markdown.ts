import { join } from 'node:path'
import { outcomes, type Outcome, type Verdict, showHidden } from '../engine/index.ts'
import { inapplicableByReason, unusedAbsentWarning } from './absences.ts'
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
} from './groups.ts'
import { profilesOf } from './profiles.ts'
import { writeReportFile } from './report-file.ts'
import type { Reporter, Result } from './result.ts'
import {
  count,
  describeExpected,
  explanationOf,
  symbols,
  topicTitlesFor,
  words,
} from './explanation.ts'

/** Writes `report.md`, which is short enough for a comment on a pull request. */
export function markdownReporter(folder: string): Reporter {
  return { end: (result) => [writeReportFile(join(folder, 'report.md'), markdownOf(result))] }
}

export function markdownOf(result: Result): string {
  const { suite, targetName, startedAt, durationMs, totals, verdicts, proposals } = result
  const present = outcomes.filter((outcome) => totals[outcome] > 0)
  const profiles = profilesOf(result)
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const lines = [
    `# ${capital(meaningOf(result))}`,
    '',
    `${suite.name} ${suite.version} tested ${safe(targetName)} on ${startedAt.slice(0, 10)}: ${present.map((outcome) => `${totals[outcome]} ${words[outcome]}`).join(', ')}, in ${(durationMs / 1000).toFixed(1)} s.`,
    '',
    ...profiles.map(({ title, meaning }) => `- **${title}**: ${meaning}`),
    ...(profiles.length > 0 ? [''] : []),
    row(['topic', ...present.map((outcome) => `${symbols[outcome]} ${words[outcome]}`)]),
    row(['---', ...present.map(() => '---:')]),
    ...byTopic(verdicts).map(({ contract, topic, verdicts: own }) =>
      row([
        topicTitlesFor(verdicts)(contract, topic),
        ...present.map((outcome) => own.filter(({ verdict }) => verdict === outcome).length || ''),
      ]),
    ),
  ]
  for (const [outcome, heading] of [
    ['fail', 'Failures'],
    ['error', 'Errors of the suite itself'],
    ['warn', 'Warnings'],
  ] as const) {
    lines.push(...explanations(verdicts, outcome, heading, result))
  }
  for (const { outcome, heading, groups } of byExpectedFailure(result)) {
    lines.push('', `## ${heading}`, '')
    for (const { entry, verdicts: own } of groups)
      lines.push(
        `- ${safe(entry.id)}: ${count(own.length, 'check')}, ${safe(describeExpected('known', entry))}`,
      )
    if (outcome === 'stale') lines.push('', safe(staleAdvice(result)))
  }
  for (const [heading, groups] of [
    ['Blocked', blocked(result)],
    ['Not covered', uncovered(result)],
  ] as const) {
    if (groups.length === 0) continue
    lines.push('', `## ${heading}`, '')
    for (const group of groups) {
      const hints = hintsOf(group)
      const hint = hints.length === 0 ? '' : ` (${safe(hints.join('; '))})`
      lines.push(
        `- ${safe(group.title)}${hint}: ${count(group.verdicts.length, 'check')}, ${idsOf(group)}`,
      )
    }
  }
  const inapplicable = inapplicableByReason(result)
  if (inapplicable.length > 0) lines.push('', '## Not applicable', '')
  for (const { reason, verdicts: own } of inapplicable)
    lines.push(`- ${safe(reason)}: ${count(own.length, 'check')}, ${idsOf({ verdicts: own })}`)
  const unused = unusedAbsentWarning(result)
  if (unused !== undefined) lines.push('', `${symbols.warn} ${safe(unused)}`)
  if (proposals.length > 0)
    lines.push('', proposalsHeading, '', '```yaml', ...proposals.map(showHidden), '```')
  const { skipped = [] } = result
  if (skipped.length > 0) lines.push('', `Skipped, because of --skip: ${safe(skipped.join(', '))}`)
  if (result.left.length > 0)
    lines.push('', '## Left on the server', '', ...result.left.map((name) => `- ${safe(name)}`))
  return `${lines.join('\n')}\n`
}

function explanations(
  verdicts: readonly Verdict[],
  outcome: Outcome,
  heading: string,
  { repeat, exchangesFolder }: Result,
): string[] {
  const own = verdicts.filter(({ verdict }) => verdict === outcome)
  if (own.length === 0) return []
  return [
    '',
    `## ${heading}`,
    ...own.flatMap((verdict) => {
      const explanation = showHidden(
        explanationOf(verdict, repeat, exchangesFolder)
          .map(([label, text]) => `${label.padEnd(9)} ${text}`)
          .join('\n'),
      )
      const fence = '`'.repeat(
        Math.max(3, ...[...explanation.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)),
      )
      return [
        '',
        `### ${symbols[outcome]} ${verdict.requirement} ${safe(verdict.title)}`,
        '',
        `${fence}text`,
        explanation,
        fence,
      ]
    }),
  ]
}

function capital(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`
}

/** Escapes a string for Markdown and HTML, and puts it on one line. */
function safe(text: string): string {
  return showHidden(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_|[\]<>]/g, '\\$&')
}
