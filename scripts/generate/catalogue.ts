import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractNames } from '../contracts.ts'
import { literal, notice, quote } from './output.ts'
import { readYaml, root } from './source.ts'

export interface CatalogueEntry {
  id: string
  where: string
  statement: string
  level: 'must' | 'should' | 'may' | 'open'
  basis: 'stated' | 'derived' | 'standard'
  because?: string
  standard?: string
  conflict?: string
  role?: 'server' | 'sender' | 'receiver' | 'client'
  needs?: string[]
  unchecked?: string
  choices?: Record<string, string[]>
  unvaried?: string
  doors?: string[]
}
export interface Catalogue {
  contract: string
  title: string
  document: string
  topics: { topic: string; title: string; requirements: CatalogueEntry[] }[]
}

/** Reads all catalogues, in the order in which their schema lists the contracts. */
export function readCatalogues(folder = join(root, 'specs/requirements')): Catalogue[] {
  const order = contractNames()
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readYaml(readFileSync(join(folder, name), 'utf8')) as Catalogue)
    .sort((a, b) => order.indexOf(a.contract) - order.indexOf(b.contract))
}

/** Returns the requirements of a catalogue, in the order of the catalogue. */
export const listEntries = (catalogue: Catalogue): CatalogueEntry[] =>
  catalogue.topics.flatMap((topic) => topic.requirements)

/**
 * Removes the backticks from a sentence. Terminals, reports and titles would show them as they are.
 */
const withoutCodeFont = (text?: string): string | undefined => text?.replaceAll('`', '')

/**
 * Contracts whose servers also follow the Model Context Protocol or a standard that it builds on.
 */
const withProfiles = ['tools', 'auth']

/**
 * Returns the profile of a requirement: `mcp` if a standard requires it, `conventions` if only the
 * document does. Undefined for contracts without profiles.
 */
const profileOf = (contract: string, standard: string | undefined) =>
  withProfiles.includes(contract) ? (standard === undefined ? 'conventions' : 'mcp') : undefined

/** Returns generated/requirements/index.ts: the catalogue as data. The module imports nothing. */
export function requirementsModule(catalogues: Catalogue[]): string {
  const entries = catalogues.flatMap((catalogue) =>
    catalogue.topics.flatMap((topic) =>
      topic.requirements.map(
        ({
          id,
          where,
          statement,
          level,
          basis,
          because,
          standard,
          conflict,
          role = 'server',
          needs = [],
          unchecked,
          choices,
          unvaried,
          doors,
        }) =>
          `  ${quote(id)}: ${literal({ id, contract: catalogue.contract, topic: topic.topic, where, statement: withoutCodeFont(statement), level, basis, because: withoutCodeFont(because), standard: withoutCodeFont(standard), conflict: withoutCodeFont(conflict), profile: profileOf(catalogue.contract, standard), role, needs, unchecked: withoutCodeFont(unchecked), choices: plainChoices(choices), unvaried: withoutCodeFont(unvaried), doors })},`,
      ),
    ),
  )
  const topics = catalogues.flatMap((catalogue) =>
    catalogue.topics.map(
      (topic) =>
        `  ${literal({ contract: catalogue.contract, topic: topic.topic, title: topic.title })},`,
    ),
  )
  const all = catalogues.flatMap(listEntries)
  const union = (names: readonly string[]) => names.map((name) => `  | ${quote(name)}`).join('\n')
  return `// ${notice('specs/requirements/')}

export type Level = 'must' | 'should' | 'may' | 'open'
export type Basis = 'stated' | 'derived' | 'standard'
export type Role = 'server' | 'sender' | 'receiver' | 'client'
export type Profile = 'mcp' | 'conventions'
export type Contract = ${catalogues.map((catalogue) => quote(catalogue.contract)).join(' | ')}

/**
 * One testable sentence of a contract, with its level: what the contract requires, recommends,
 * allows or leaves open. Backticks are removed; generated/REQUIREMENTS.md has them.
 */
export interface Requirement {
  readonly id: RequirementId
  readonly contract: Contract
  readonly topic: string
  /** The heading of the document under which it is stated. */
  readonly where: string
  /** The requirement, in one sentence; if its level is "open", what is recorded. */
  readonly statement: string
  readonly level: Level
  readonly basis: Basis
  /** Why it follows from the document, if its basis is "derived". */
  readonly because?: string
  /** A standard that requires it. If its basis is not "standard", the document requires it too. */
  readonly standard?: string
  /** What a standard requires instead, if a server cannot meet both. */
  readonly conflict?: string
  /**
   * For tool servers, \`mcp\` if the Model Context Protocol or a standard that it builds on
   * requires it, otherwise \`conventions\`: only the document requires it.
   */
  readonly profile?: Profile
  readonly role: Role
  /** Keys of the target file that its checks need. */
  readonly needs: readonly Need[]
  /** Why it cannot be checked from outside, if it cannot. */
  readonly unchecked?: string
  /**
   * What the document leaves to implementations, if the level is "open": for each choice, the
   * values that a conforming server can have.
   */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  /** Why the proof tries no choices, if the level is "open" and there are none. */
  readonly unvaried?: string
  /**
   * The cases that are checked separately, such as operations, events or ways to upload, if there
   * are several. The proof has a fault for each case.
   */
  readonly doors?: readonly string[]
}

export interface Topic {
  readonly contract: Contract
  readonly topic: string
  readonly title: string
}

export type RequirementId =
${union(all.map(({ id }) => id))}

/** Every key of the target file that a requirement needs, as a path. */
export type Need =
${union([...new Set(all.flatMap(({ needs = [] }) => needs))].sort())}

export const contracts: readonly { readonly contract: Contract; readonly title: string; readonly document: string }[] = [
${catalogues.map(({ contract, title, document }) => `  ${literal({ contract, title, document })},`).join('\n')}
]

/** In the order of the documents. */
export const topics: readonly Topic[] = [
${topics.join('\n')}
]

/** In the order of the documents. */
export const requirements: { readonly [Id in RequirementId]: Requirement } = {
${entries.join('\n')}
}
`
}

/** Returns choices without the backticks of their names and values. */
const plainChoices = (choices?: Readonly<Record<string, readonly string[]>>) =>
  choices &&
  Object.fromEntries(
    Object.entries(choices).map(([name, values]) => [
      withoutCodeFont(name)!,
      values.map((value) => withoutCodeFont(value)!),
    ]),
  )

/**
 * Formats a key that a requirement needs. In paths below `hooks.testEvents` and `receiver.events`,
 * the last part is a value of that list. For `hooks.trigger`, adds the key of a URL, which can
 * replace the programs.
 */
const nameNeed = (need: string) =>
  need
    .replace(/^(hooks\.testEvents|receiver\.events)\.(.*)$/, '$2` in `$1')
    .replace(/.*/, '`$&`')
    .replace(/^`hooks\.trigger\.\w+_events`$/, 'either `hooks.trigger.url` or $&')

/** Lists needed keys. An alternative ("either … or …") comes last, so that its end is clear. */
const describeNeeds = (needs: readonly string[]) => {
  const names = needs.map(nameNeed)
  const isAlternative = (name: string) => name.startsWith('either ')
  return [names.filter((name) => !isAlternative(name)).join(', '), ...names.filter(isAlternative)]
    .filter(Boolean)
    .join(', and ')
}

/** Joins the items of a list with commas, or with semicolons if an item contains a comma. */
const joinItems = (items: readonly string[]) =>
  items.join(items.some((item) => item.includes(',')) ? '; ' : ', ')

/** Describes the choices of an open requirement: "*order of the list* (oldest first; by id)". */
const describeChoices = (choices: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(choices)
    .map(([name, values]) => `*${name}* (${values.join('; ')})`)
    .join(', ')

/** Names of parameters and fields that look like ordinary words. */
const wordLikeNames = ['code', 'prompt', 'resource', 'resources', 'scope', 'state']

/**
 * Describes the cases for which a requirement is checked. Formats the names of operations, events,
 * parameters and fields as code.
 */
const describeDoors = (contract: string, doors: readonly string[]) =>
  joinItems(
    doors.map((door) =>
      contract === 'events' ||
      wordLikeNames.includes(door) ||
      /^[a-z]+([A-Z][a-z]+|_[a-z]+)+$/.test(door)
        ? `\`${door}\``
        : door,
    ),
  )

/** Returns generated/REQUIREMENTS.md: the catalogue for readers. */
export function requirementsPage(catalogues: Catalogue[]): string {
  const all = catalogues.flatMap(listEntries)
  const levels = {
    must: 'a violation is a failure',
    should: 'a violation is a warning',
    may: 'allowed, not required; not checked',
    open: 'the document leaves a choice, so a server cannot fail this requirement; a check, if there is one, records what the server does',
  }
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const countByLevel = (entries: CatalogueEntry[]) =>
    (Object.keys(levels) as CatalogueEntry['level'][])
      .map((level) => [level, entries.filter((entry) => entry.level === level).length] as const)
      .filter(([, count]) => count > 0)
      .map(([level, count]) => `${count} ${level}`)
      .join(', ')
  const describeBasis = (contract: string, entry: CatalogueEntry) =>
    [
      entry.basis === 'derived' ? `Derived: ${entry.because}.` : '',
      entry.standard
        ? `${entry.basis === 'standard' ? 'Standard:' : 'Also required by'} ${entry.standard}.`
        : '',
      entry.conflict ? `Conflict: ${entry.conflict}.` : '',
      entry.role && entry.role !== 'server' ? `Applies to the ${entry.role}.` : '',
      entry.needs?.length ? `Needs ${describeNeeds(entry.needs)}.` : '',
      entry.unchecked ? `Not checked: ${entry.unchecked}.` : '',
      entry.choices ? `Choices: ${describeChoices(entry.choices)}.` : '',
      entry.doors ? `Cases: ${describeDoors(contract, entry.doors)}.` : '',
    ]
      .filter(Boolean)
      .join(' ')
  const parts = [
    `<!-- ${notice('specs/requirements/')} -->`,
    '# Requirements',
    `The ${all.length} requirements of six contracts. A contract specifies the behaviour of one kind of server, or one aspect of this behaviour, such as authentication. Each section below is one contract, and its first line names the document that contains it. These documents are not part of this package. A requirement is stated in its document, unless its notes contain "Derived" or "Standard". The column "section" names the headings in the document under which the requirement is stated; an item is a numbered entry of a table or list.`,
    [
      '| level | requirements | meaning |',
      '|---|---:|---|',
      ...Object.entries(levels)
        .filter(([level]) => all.some((entry) => entry.level === level))
        .map(
          ([level, meaning]) =>
            `| **${level}** | ${all.filter((entry) => entry.level === level).length} | ${meaning} |`,
        ),
    ].join('\n'),
    [
      'The column "notes" contains:',
      '',
      '- *Derived*: why the requirement follows from the document, although the document does not state it. For the level `should`, the note says why the requirement is not a `must`; it does not always say why the requirement follows from the document.',
      '- *Standard*: the standard that requires it. *Also required by*: a standard that requires it in addition to the document.',
      '- *Conflict*: what a standard requires instead. A server cannot meet both.',
      '- *Applies to the sender* (or *receiver*, or *client*): who has to meet the requirement, if it is not the server that the section describes.',
      '- *Needs*: the keys of the target file that every check of the requirement needs. If such a key is not set, the requirement is not checked, and its verdict is *not covered*.',
      '  - Some notes name a group of keys, such as `images.batch`, or a value of a list: "`push_events` in `hooks.testEvents`" means that the list in `hooks.testEvents` must contain `push_events`.',
      '  - A requirement that needs `images.state`, `images.bulk` or `hooks.state` is checked only if this key is `true`. By default, `images.state` and `hooks.state` are `true`.',
      '  - The groups `suite.pictures` and `suite.receiver` (including `suite.receiver.tlsUrl`) need not be set if the tested service runs on the same machine as the suite: their defaults work there.',
      '  - The group `suite.identity` need not be set if `tools.auth.upstream.control` is set: the suite then sends the address of its fake identity provider to the server.',
      '  - All requirements that apply to the sender also need `hooks.state` and `suite.receiver`, although their notes do not name these keys.',
      '  - Some checks need further keys, or one of several keys, such as `tools.get` or `tools.search`. `touchstone test --list` prints them.',
      `- *Not checked*: why the requirement cannot be checked from outside. This applies to ${all.filter((entry) => entry.unchecked).length} requirements.`,
      '- *Choices*: what the document leaves to implementations. Each choice has a name, in italics, and values, in parentheses. Touchstone is tested with a conforming server for each value. A server may also have a value that is not listed, and numbers in values are examples. No value makes a server fail, but Touchstone warns if a value violates a requirement of level `should`.',
      '- *Cases*: operations, events, transports, ways to upload an image, or kinds of input. The requirement is checked separately for each of them. "The search tool" is the tool in `tools.search`. A name in code font is one of these:',
      '  - an operation, such as `updateConfig`: the `operationId` in `specs/openapi/`',
      '  - an event, such as `tag_push`: the message in `specs/asyncapi/`',
      '  - an action or a status of an event, such as `close` or `running`, in the requirements for this event',
      '  - a parameter of a request, such as `redirect_uri`, in the requirements for authentication',
      '  - a field, such as `resourceTemplates`, in the requirements for tool servers',
    ].join('\n'),
    'Some requirements apply only to messages that some servers never send. They are *not covered* if the server sends no such message.',
  ]
  for (const catalogue of catalogues) {
    parts.push(
      `## ${catalogue.title}`,
      `From ${catalogue.document}: ${countByLevel(listEntries(catalogue))}.`,
    )
    for (const topic of catalogue.topics) {
      parts.push(
        `### ${topic.title}`,
        [
          '| id | requirement | level | section | notes |',
          '|---|---|---|---|---|',
          ...topic.requirements.map(
            (entry) =>
              `| <a id="${entry.id.toLowerCase()}"></a>${entry.id} | ${cell(entry.statement)} | ${entry.level === 'must' ? '**must**' : entry.level} | ${cell(entry.where)} | ${cell(describeBasis(catalogue.contract, entry))} |`,
          ),
        ].join('\n'),
      )
    }
  }
  return parts.join('\n\n') + '\n'
}
