import { copyButton } from '../../../conformance/report/html/copy-buttons.ts'
import { markup, type Child, type Markup } from '../../../conformance/report/html/markup.ts'
import type { ContractCatalogue } from './catalogue.ts'
import { descriptions } from './contracts.ts'
import { countByLevel, levels } from './levels.ts'
import { indexFile, type Links } from './links.ts'
import { pageOf, searchForm } from './page.ts'
import { listOf, tableOf, type DocumentedDefinition, type DefinitionGroup } from './definitions.ts'
import { requirementMarkup } from './requirement.ts'

/** The anchor of a topic. */
export const topicAnchor = (topic: string): string => `topic-${topic}`

/** The page of a contract: its requirements by topic, and its definitions. */
export function contractPage(
  catalogue: ContractCatalogue,
  parts: readonly DefinitionGroup[],
  links: Links,
): string {
  const { contract, title, document, topics } = catalogue
  const { lead, format, commands } = descriptions[contract]
  const all = topics.flatMap(({ requirements }) => requirements)
  const entries = parts.flatMap((part) => part.entries)
  const present = levels.filter((level) => all.some((one) => one.level === level))
  return pageOf({
    title,
    header: markup`<p class="soft"><a href="${indexFile}">All contracts</a></p>
<h1>${title}</h1>
<p class="lead">${lead}</p>
<ul class="tiles">${countByLevel(all).map(([level, count]) => markup`<li><b>${count}</b> ${level}</li>`)}</ul>
<p class="soft">The requirements are from ${document}, which is not part of this package. The machine-readable contract is in the format ${format}.</p>`,
    contents: contentsOf(catalogue, parts),
    search: searchForm(title, present),
    main: [
      markup`<section data-other aria-labelledby="commands"><h2 id="commands">Commands</h2>
${commands.map(([label, line]) => markup`<div class="command"><span class="name">${label}</span> <code>${line}</code> ${copyButton(`the ${label} command`)}</div>\n`)}<p class="soft">To check a single requirement, add <code>--only</code> and its id to <code>touchstone test</code>.</p>
</section>
`,
      overview(parts),
      markup`<section data-group aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
${topics.map(
  (
    topic,
  ) => markup`<section data-group aria-labelledby="${topicAnchor(topic.topic)}"><h3 id="${topicAnchor(topic.topic)}">${topic.title}</h3>
${relatedTo(topic, entries)}${topic.requirements.map((requirement) => requirementMarkup(requirement, { links, document, entries }))}</section>
`,
)}</section>
`,
      parts.map(partMarkup),
    ],
  })
}

/** Links to the operations, methods and events that a requirement of the topic is about. */
function relatedTo(
  { requirements }: ContractCatalogue['topics'][number],
  entries: readonly DocumentedDefinition[],
): Child {
  const related = entries.filter(
    ({ request, requirements: [main] }) =>
      request !== undefined && requirements.some(({ id }) => id === main),
  )
  if (related.length === 0) return ''
  return markup`<p class="soft">See ${listOf(
    related.map(({ id, name }) => markup`<a href="#${id}">${name}</a>`),
    'and',
  )} for the messages and examples.</p>\n`
}

function contentsOf({ topics }: ContractCatalogue, parts: readonly DefinitionGroup[]): Markup {
  const list = (id: string, heading: string, items: readonly (readonly [string, Child])[]) =>
    markup`<li><a href="#${id}">${heading}</a><ul>${items.map(([anchor, name]) => markup`<li><a href="#${anchor}">${name}</a></li>`)}</ul></li>\n`
  return markup`<ul><li><a href="#commands">Commands</a></li>
${list(
  'requirements',
  'Requirements',
  topics.map(({ topic, title }) => [topicAnchor(topic), title]),
)}${parts.map(({ id, heading, entries }) =>
    list(
      id,
      heading,
      entries.map((entry) => [entry.id, entry.name]),
    ),
  )}</ul>
`
}

/** The operations, methods or events on one screen. */
function overview(parts: readonly DefinitionGroup[]): Child {
  const entries = parts
    .flatMap((part) => part.entries)
    .filter(({ request }) => request !== undefined)
  if (entries.length === 0) return ''
  return markup`<section class="overview" data-other aria-labelledby="overview"><h2 id="overview">Overview</h2>
${tableOf(
  'What clients and servers exchange',
  ['name', 'request', 'meaning'],
  entries.map(({ id, name, request, summary }) => [
    markup`<a href="#${id}">${name}</a>`,
    markup`<code>${request}</code>`,
    summary,
  ]),
)}</section>
`
}

function partMarkup({ id, heading, introduction, entries }: DefinitionGroup): Markup {
  return markup`<section data-group aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${introduction}${entries.map(entryMarkup)}</section>
`
}

function entryMarkup({ id, name, summary, request, content }: DocumentedDefinition): Markup {
  const hasTitle = request !== undefined && summary !== ''
  return markup`<article class="entry" id="${id}" data-item>
<h3><a href="#${id}">${name}</a>${hasTitle ? `: ${summary}` : ''}</h3>
${request === undefined ? '' : markup`<code class="request">${request}</code>\n`}${content}</article>
`
}
