import { markup, type Markup } from '../../../conformance/report/html/markup.ts'
import type { ContractCatalogue } from './catalogue.ts'
import { topicAnchor } from './contract-page.ts'
import { descriptions } from './contracts.ts'
import { countByLevel, levels, meaningOfLevel } from './levels.ts'
import { fileOf, type Links } from './links.ts'
import { pageOf, searchForm } from './page.ts'
import { tableOf, type DocumentedDefinition, type DefinitionGroup } from './definitions.ts'
import { levelMarkup } from './requirement.ts'

/** A contract with its definitions. */
export interface IndexedContract {
  catalogue: ContractCatalogue
  parts: readonly DefinitionGroup[]
}

/** The first page: what each contract is, and a search in all requirements and definitions. */
export function indexPage(
  contracts: readonly IndexedContract[],
  version: string,
  links: Links,
): string {
  const all = contracts.flatMap(({ catalogue }) => requirementsOf(catalogue))
  return pageOf({
    title: 'Contracts',
    header: markup`<p class="soft">Touchstone ${version}</p>
<h1>${contracts.length === 1 ? 'A contract' : 'Contracts'} and ${all.length} requirements</h1>
<p class="lead">A contract specifies the behaviour of one kind of server, or one aspect of this behaviour. Touchstone tests whether a server meets it. These pages list every requirement, with its source, its checks and the faults that the checks find.</p>`,
    contents: markup`<ul><li><a href="#contracts">Contracts</a></li>
<li><a href="#reading">How to read a requirement</a></li>
<li><a href="#all">All requirements</a><ul>${contracts.map(({ catalogue: { contract, title } }) => markup`<li><a href="#all-${contract}">${title}</a></li>`)}</ul></li></ul>
`,
    search: searchForm('Requirements and definitions', levels),
    main: [
      cards(contracts),
      reading(all),
      markup`<section data-group aria-labelledby="all"><h2 id="all">All requirements</h2>
${contracts.map((one) => listOfContract(one, links))}</section>
`,
    ],
  })
}

const requirementsOf = ({ topics }: ContractCatalogue) =>
  topics.flatMap(({ requirements }) => requirements)

function cards(contracts: readonly IndexedContract[]): Markup {
  return markup`<section data-other aria-labelledby="contracts"><h2 id="contracts">Contracts</h2>
<ul class="cards">${contracts.map(({ catalogue }) => {
    const { contract, title } = catalogue
    const { lead, format } = descriptions[contract]
    const counts = countByLevel(requirementsOf(catalogue))
    return markup`<li><h3><a href="${fileOf(contract)}">${title}</a></h3>
<p>${lead}</p>
<p class="soft">${counts.map(([level, count]) => `${count} ${level}`).join(', ')}. ${format}.</p></li>
`
  })}</ul></section>
`
}

function reading(all: Parameters<typeof countByLevel>[0]): Markup {
  return markup`<section data-other aria-labelledby="reading"><h2 id="reading">How to read a requirement</h2>
${tableOf(
  'Levels',
  ['level', 'requirements', 'meaning'],
  countByLevel(all).map(([level, count]) => [levelMarkup(level), count, meaningOfLevel[level]]),
)}<p>Each requirement has an address with its id, such as <code>images.html#IMG-LIST-06</code>. It names:</p>
<ul>
<li>its <b>source</b>: the document and the headings under which it is. An item is a numbered entry of a table or list.</li>
<li>its <b>basis</b>: the document states it, it is derived from what the document states (with the reason), or a standard requires it (with the section).</li>
<li>its <b>checks</b>, by their titles in reports, or why there are none.</li>
<li>its <b>cases</b>, if it is checked separately for several operations, events or kinds of input.</li>
<li>its <b>choices</b>, if the document leaves them to servers: a name, and values that conforming servers can have. Touchstone is tested with a server for each value.</li>
<li>what it <b>needs</b>: the keys of the target file without which it is not checked.</li>
<li>the <b>faults</b> that the proof finds with its checks: what broken servers do. Some are written by hand, others are generated from the contract.</li>
</ul></section>
`
}

/** All requirements and definitions of a contract, each on one line. */
function listOfContract({ catalogue, parts }: IndexedContract, links: Links): Markup {
  const { contract, title, topics } = catalogue
  const file = fileOf(contract)
  const group = (anchor: string, heading: string, lines: readonly Markup[]) =>
    markup`<details class="topic" data-group><summary><h4>${heading}</h4> <span class="soft">${lines.length}</span></summary>
<ul class="list">${lines}</ul>
<p class="soft"><a href="${file}#${anchor}">${heading}, in full</a></p></details>
`
  return markup`<section data-group aria-labelledby="all-${contract}"><h3 id="all-${contract}">${title}</h3>
${topics.map(({ topic, title, requirements }) =>
  group(
    topicAnchor(topic),
    title,
    requirements.map(
      ({ id, level, statement, checks }) =>
        markup`<li data-item data-level="${level}" data-text="${title} ${checks.map((check) => check.title).join(' ')}"><span>${links.requirement(id)}</span> <span>${levelMarkup(level)}</span> <span>${links.prose(statement)}</span></li>\n`,
    ),
  ),
)}${parts.map(({ id, heading, entries }) =>
    group(
      id,
      heading,
      entries.map((entry) => entryLine(entry, file)),
    ),
  )}</section>
`
}

const entryLine = ({ id, name, request, summary }: DocumentedDefinition, file: string): Markup =>
  markup`<li data-item><span><a href="${file}#${id}">${name}</a></span> <span></span> <span>${request === undefined ? '' : markup`<code>${request}</code> `}${summary}</span></li>\n`
