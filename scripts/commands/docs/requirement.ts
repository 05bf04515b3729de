import { markup, type Child, type Markup } from '../../../conformance/report/html/markup.ts'
import type { DocumentedRequirement } from './catalogue.ts'
import type { Links } from './links.ts'
import type { DocumentedDefinition } from './definitions.ts'

/** A level as a label. */
export const levelMarkup = (level: string): Markup =>
  markup`<span class="level ${level}">${level}</span>`

interface Context {
  links: Links
  /** The file name of the document that contains the contract. */
  document: string
  /** The definitions on the page, which a requirement can name. */
  entries: readonly DocumentedDefinition[]
}

/** A requirement with its source, checks and faults. Its id is the anchor. */
export function requirementMarkup(requirement: DocumentedRequirement, context: Context): Markup {
  const { id, level, role, statement } = requirement
  const facts = factsOf(requirement, context).filter(([, content]) => content !== undefined)
  return markup`<article class="requirement" id="${id}" data-item data-level="${level}">
<h4><a class="id" href="#${id}">${id}</a> ${levelMarkup(level)}${role === 'server' ? '' : markup` <span class="soft">applies to the ${role}</span>`}</h4>
<p class="statement">${context.links.prose(statement)}</p>
<dl class="facts">${facts.map(([label, content]) => markup`<dt>${label}</dt><dd>${content}</dd>`)}</dl>
${faultsMarkup(requirement)}</article>
`
}

function factsOf(
  requirement: DocumentedRequirement,
  { links, document, entries }: Context,
): (readonly [label: string, content: Child | undefined])[] {
  const { id, where, basis, because, standard, conflict, checks, needs, choices, doors, profile } =
    requirement
  const places = entries.filter(({ requirements }) => requirements.includes(id))
  return [
    ['source', markup`${document}: ${where}`],
    [
      'basis',
      basis === 'stated'
        ? 'stated in the document'
        : basis === 'derived'
          ? markup`derived: ${links.prose(because ?? '')}`
          : markup`standard: ${links.prose(standard ?? '')}`,
    ],
    ['also in', basis !== 'standard' && standard !== undefined ? links.prose(standard) : undefined],
    ['conflict', conflict === undefined ? undefined : links.prose(conflict)],
    [
      'profile',
      profile === undefined
        ? undefined
        : profile === 'mcp'
          ? 'mcp: a standard requires it'
          : 'conventions: only the document requires it',
    ],
    [checks.length === 1 ? 'check' : 'checks', checksMarkup(requirement, links)],
    [
      'cases',
      doors === undefined ? undefined : joined(doors.map((door) => caseMarkup(door, entries))),
    ],
    [
      'choices',
      choices === undefined
        ? undefined
        : markup`<ul>${Object.entries(choices).map(([name, values]) => markup`<li><i>${links.prose(name)}</i>: ${joined(values.map(links.prose))}</li>`)}</ul>`,
    ],
    [
      'needs',
      needs.length === 0 ? undefined : joined(needs.map((key) => markup`<code>${key}</code>`)),
    ],
    [
      'see',
      places.length === 0
        ? undefined
        : joined(places.map((place) => markup`<a href="#${place.id}">${place.name}</a>`)),
    ],
  ]
}

/** Separates items by semicolons, because some contain commas. */
const joined = (items: readonly Child[]): Child =>
  items.map((item, index) => (index === 0 ? item : ['; ', item]))

/** The titles of the checks, or why there are none. */
function checksMarkup(
  { checks, unchecked, level, unvaried }: DocumentedRequirement,
  links: Links,
): Child {
  if (checks.length === 1) return titleMarkup(checks[0]!.title)
  if (checks.length > 1)
    return markup`<ul>${checks.map(({ title }) => markup`<li>${titleMarkup(title)}</li>`)}</ul>`
  const reason = unchecked ?? unvaried
  if (reason !== undefined) return markup`none: ${links.prose(reason)}`
  return level === 'may'
    ? 'none: it is allowed, not required'
    : 'none: the document leaves a choice'
}

const titleMarkup = (title: string): Markup => markup`<span class="title">${title}</span>`

/** The case of a requirement: a link, if it is an operation or an event of the page. */
function caseMarkup(name: string, entries: readonly DocumentedDefinition[]): Child {
  const place = entries.find((entry) => entry.name === name && !entry.id.startsWith('schema-'))
  if (place !== undefined) return markup`<a href="#${place.id}"><code>${name}</code></a>`
  return /^[a-z]+([A-Z][a-z]+|_[a-z]+)+$/.test(name) ? markup`<code>${name}</code>` : name
}

/** The faults that the checks find: written by hand, or generated from the contract. */
function faultsMarkup({ checks, faults: { written, generated } }: DocumentedRequirement): Markup {
  const descriptions = Object.entries(written)
  const total = descriptions.length + generated.length
  if (total === 0) return markup``
  const groups = groupNames(generated)
  return markup`<details class="faults"><summary>${total === 1 ? '1 fault' : `${total} faults`} that the ${checks.length === 1 ? 'check finds' : 'checks find'}</summary>
${descriptions.length === 0 ? '' : markup`<ul>${descriptions.map(([name, description]) => markup`<li>${description} <code class="soft">${name}</code></li>`)}</ul>\n`}${
    groups.length === 0
      ? ''
      : markup`<p class="soft">Generated from the contract: ${generated.length}</p><ul>${groups.map(([place, changes]) => markup`<li><code>${place}</code> ${changes.join(', ')}</li>`)}</ul>\n`
  }</details>
`
}

/**
 * Groups the names of generated faults by the place that they change.
 *
 * @example
 *   groupNames(['getImage success: /id null', 'getImage success: /id missing'])
 *   // [['getImage success: /id', ['null', 'missing']]]
 */
export function groupNames(names: readonly string[]): [place: string, changes: string[]][] {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const [, place, change] = /^(.*?: (?:the body|\/\S*|[A-Z]\S+(?= (?:missing|of))))\s(.*)$/.exec(
      name,
    ) ??
      /^(.*?): (.*)$/.exec(name) ?? ['', name, '']
    groups.set(place!, [...(groups.get(place!) ?? []), change!])
  }
  return [...groups]
}
