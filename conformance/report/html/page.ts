import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contracts } from '../../../generated/requirements/index.ts'
import { outcomes, totalsOf, type Outcome } from '../../engine/index.ts'
import { unusedAbsentWarning } from '../absences.ts'
import { count, topicTitlesFor, words } from '../explanation.ts'
import { byTopic, meaningOf, proposalsHeading, toneOf } from '../groups.ts'
import { profilesOf } from '../profiles.ts'
import { writeReportFile } from '../report-file.ts'
import type { Reporter, Result } from '../result.ts'
import { htmlDocument } from './document.ts'
import { filterForm } from './filter-form.ts'
import { markup, type Child, type Markup } from './markup.ts'
import {
  byRequirement,
  classOf,
  docsFolder,
  linkTo,
  requirementMarkup,
  symbolOf,
  topicKey,
  type RequirementGroup,
} from './requirement.ts'
import { script } from './script.ts'
import { style } from './style.ts'
import {
  blockedSection,
  expectedFailures,
  inapplicableSection,
  observedSection,
  section,
  uncoveredSection,
} from './tables.ts'
import { timelineSection } from './timeline.ts'

/**
 * Writes `report.html`: a single file that loads nothing, and is readable without its script. If
 * `touchstone docs` has written pages into the folder `docs` of the report, it links to them.
 */
export function htmlReporter(folder: string): Reporter {
  return {
    end(result) {
      const pages = contracts
        .map(({ contract }) => contract)
        .filter((contract) => existsSync(join(folder, docsFolder, `${contract}.html`)))
      return [writeReportFile(join(folder, 'report.html'), htmlOf(result, pages))]
    },
  }
}

/** The outcomes with a section, and the id and heading of that section. */
const prominent: readonly (readonly [Outcome, string, string])[] = [
  ['fail', 'failures', 'Failures'],
  ['error', 'errors', 'Errors of the suite itself'],
  ['warn', 'warnings', 'Warnings'],
]

/**
 * The report as a page. Each requirement occurs once, so that links to it are unambiguous: in the
 * section of its worst outcome, or in its topic if there is no such section. `pages` are the
 * contracts with a page in the folder `docs` of the report.
 */
export function htmlOf(result: Result, pages: readonly string[] = []): string {
  const groups = byRequirement(result.verdicts)
  const isProminent = ({ worst }: RequirementGroup) =>
    prominent.some(([outcome]) => outcome === worst)
  const sections: (readonly [id: string, heading: string, content: Markup | undefined])[] = [
    ...prominent.map(([outcome, id, heading]) => {
      const own = groups.filter(({ worst }) => worst === outcome)
      const content =
        own.length === 0
          ? undefined
          : section(
              id,
              heading,
              own.map((group) =>
                requirementMarkup(group, result, { isOpen: true, level: 3, pages }),
              ),
            )
      return [id, heading, content] as const
    }),
    ['known', 'Known failures', asOne(expectedFailures(result))],
    ['blocked', 'Blocked', blockedSection(result)],
    ['not-covered', 'Not covered', uncoveredSection(result)],
    ['not-applicable', 'Not applicable', inapplicableSection(result)],
    ['requirements', 'Requirements', requirementsSection(result, groups, isProminent, pages)],
    ['observed', 'Observed', observedSection(result)],
    ['timeline', 'Timeline', timelineSection(result)],
  ]
  const present = sections.filter(([, , content]) => content !== undefined)
  return htmlDocument({
    title: `${result.suite.name}: ${result.targetName}`,
    style,
    script,
    skip: 'Skip to the results',
    body: markup`${header(result)}
<nav aria-label="Sections"><ul>${present.map(([id, heading]) => markup`<li><a href="#${id}">${heading}</a></li>`)}</ul></nav>
<main id="main" tabindex="-1">
${filterForm(result.verdicts)}
${notes(result)}
${present.map(([, , content]) => content)}
</main>`,
  })
}

const asOne = (all: readonly Markup[]): Markup | undefined =>
  all.length === 0 ? undefined : markup`${all}`

function header(result: Result): Markup {
  const { suite, targetName, startedAt, durationMs, totals, seed, exit } = result
  const tiles = outcomes
    .filter((outcome) => totals[outcome] > 0)
    .map(
      (outcome) =>
        markup`<li>${symbolOf(outcome)} <b>${totals[outcome]}</b> ${words[outcome]}</li>`,
    )
  return markup`<header>
<p class="soft">${suite.name} ${suite.version} tested</p>
<h1>${targetName}</h1>
<p class="meaning ${toneOf(result)}">${meaningOf(result)}</p>
${profilesOf(result).map(({ title, meaning }) => markup`<p class="profile"><b>${title}</b>: ${meaning}</p>\n`)}<ul class="tiles">${tiles}</ul>
<p class="soft"><time datetime="${startedAt}">${startedAt.slice(0, 16).replace('T', ' ')} UTC</time>, ${(durationMs / 1000).toFixed(1)} s, exit ${exit}, seed ${seed}</p>
</header>`
}

/** The parts about the whole run. */
function notes(result: Result): Child {
  const { proposals, left, crashes, skipped = [] } = result
  const unused = unusedAbsentWarning(result)
  return [
    crashes.length === 0
      ? ''
      : section(
          'crashes',
          'Errors outside of the checks',
          crashes.map((crash) => markup`<pre>${crash}</pre>`),
        ),
    proposals.length === 0
      ? ''
      : markup`<p>${proposalsHeading}</p><pre>${proposals.join('\n')}</pre>\n`,
    left.length === 0
      ? ''
      : section(
          'left',
          'Left on the server',
          markup`<ul>${left.map((name) => markup`<li>${name}</li>`)}</ul>`,
        ),
    unused === undefined ? '' : markup`<p>${symbolOf('warn')} ${unused}</p>\n`,
    skipped.length === 0 ? '' : markup`<p>Skipped, because of --skip: ${skipped.join(', ')}</p>\n`,
  ]
}

/** All requirements by topic. For those in other sections, contains only links. */
function requirementsSection(
  result: Result,
  groups: readonly RequirementGroup[],
  isProminent: (group: RequirementGroup) => boolean,
  pages: readonly string[],
): Markup {
  const { verdicts, keepsAllExchanges = false } = result
  const titleOf = topicTitlesFor(verdicts)
  const groupOf = new Map<string, RequirementGroup>(groups.map((group) => [group.id, group]))
  const topics = byTopic(verdicts).map(({ contract, topic, verdicts: own }) => {
    const totals = totalsOf(own)
    const counts = outcomes.filter((outcome) => totals[outcome] > 0)
    const members = [...new Set(own.map(({ requirement }) => groupOf.get(requirement)!))]
    const above = members.filter(isProminent)
    return markup`<details class="topic" data-topic="${topicKey({ contract, topic })}"><summary><h3>${titleOf(contract, topic)}</h3> <span class="counts">${counts.map((outcome) => markup`<span class="${classOf(outcome)}">${totals[outcome]} ${words[outcome]}</span> `)}</span></summary>
${above.length === 0 ? '' : markup`<p class="above">See above: ${above.map(({ id }) => markup`${linkTo(id)} `)}</p>\n`}${members.filter((group) => !isProminent(group)).map((group) => requirementMarkup(group, result, { pages }))}</details>
`
  })
  return section(
    'requirements',
    'Requirements',
    markup`<p class="soft">${count(groups.length, 'requirement')}, ${count(verdicts.length, 'check')}. ${keepsAllExchanges ? 'Passed checks contain their exchanges, too.' : 'Passed checks contain their exchanges if the run has the option --exchanges all.'}</p>\n`,
    topics,
  )
}
