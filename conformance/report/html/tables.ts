import { absenceLines, absencesHeading, inapplicableByReason } from '../absences.ts'
import { blocked, byExpectedFailure, hintsOf, staleAdvice, uncovered } from '../groups.ts'
import type { VerdictGroup } from '../groups.ts'
import { describeExpected } from '../explanation.ts'
import type { Result } from '../result.ts'
import { markup, type Child, type Markup } from './markup.ts'
import { linkTo, statementOf, symbolOf } from './requirement.ts'
import { table } from './table.ts'

/** A section with a heading. Links in the page refer to `id`. */
export const section = (id: string, heading: string, ...content: readonly Child[]): Markup =>
  markup`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>
${content}</section>
`

/** At most this many ids of a group are shown. */
const maxIds = 30

function idLinks({ verdicts }: Pick<VerdictGroup, 'verdicts'>): Child {
  const ids = [...new Set(verdicts.map(({ requirement }) => requirement))]
  const links = ids.slice(0, maxIds).map((id) => markup`${linkTo(id)} `)
  return [links, ids.length > maxIds ? `and ${ids.length - maxIds} more` : '']
}

/** A table of the known failures, and one of the stale entries. */
export function expectedFailures(result: Result): Markup[] {
  return byExpectedFailure(result).map(({ outcome, heading, groups }) =>
    section(
      outcome,
      heading,
      table(
        'Entries of the list of known failures',
        ['Entry', 'Checks', 'Reason', 'Requirements'],
        groups.map(({ entry, verdicts }) => [
          markup`${symbolOf(outcome)} <code>${entry.id}</code>`,
          verdicts.length,
          describeExpected('known', entry),
          idLinks({ verdicts }),
        ]),
      ),
      outcome === 'stale' ? markup`<p>${staleAdvice(result)}</p>` : '',
    ),
  )
}

/** The blocked checks, by the requirement that blocks them. */
export function blockedSection(result: Result): Markup | undefined {
  const groups = blocked(result)
  if (groups.length === 0) return undefined
  return section(
    'blocked',
    'Blocked',
    table(
      'Checks that could not run, because a prerequisite failed',
      ['Blocked by', 'Checks', 'Requirements'],
      groups.map((group) => [
        [
          group.verdicts[0]!.blockedBy === undefined ? group.title : linkTo(group.title),
          hints(group),
        ],
        group.verdicts.length,
        idLinks(group),
      ]),
    ),
  )
}

/** The checks that are not covered, by the missing keys or the reason. */
export function uncoveredSection(result: Result): Markup | undefined {
  const groups = uncovered(result)
  const lines = absenceLines(result)
  if (groups.length === 0) return undefined
  return section(
    'not-covered',
    'Not covered',
    table(
      'Checks that could not run, by the missing keys of the target file or by the reason',
      ['Missing', 'Checks', 'Requirements'],
      groups.map((group) => [[group.title, hints(group)], group.verdicts.length, idLinks(group)]),
    ),
    lines.length === 0 ? '' : markup`<p>${absencesHeading}</p><pre>${lines.join('\n')}</pre>\n`,
  )
}

/** The checks that are not applicable, by the reason. */
export function inapplicableSection(result: Result): Markup | undefined {
  const groups = inapplicableByReason(result)
  if (groups.length === 0) return undefined
  return section(
    'not-applicable',
    'Not applicable',
    table(
      'Checks of what the server does not have',
      ['Reason', 'Checks', 'Requirements'],
      groups.map((group) => [group.reason, group.verdicts.length, idLinks(group)]),
    ),
  )
}

const hints = (group: VerdictGroup): Markup[] =>
  hintsOf(group).map((line) => markup`<br><small>${line}</small>`)

/** What the server does where its contract leaves a choice. */
export function observedSection({ verdicts }: Result): Markup | undefined {
  const observed = verdicts.filter(({ verdict }) => verdict === 'observed')
  if (observed.length === 0) return undefined
  return section(
    'observed',
    'Observed',
    table(
      'What the server does where its contract leaves a choice',
      ['Requirement', 'The contract leaves open', 'The server'],
      observed.map(({ requirement, observations = [] }) => [
        linkTo(requirement),
        statementOf(requirement),
        observations.map((observation) => markup`<p>${observation}</p>`),
      ]),
    ),
  )
}
