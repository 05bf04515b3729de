import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractNames } from '../contracts.ts'
import { literal, notice, quote, readYaml, root } from './house.ts'

export interface CatalogueEntry {
  id: string
  where: string
  says: string
  level: 'must' | 'should' | 'may' | 'open'
  basis: 'stated' | 'derived' | 'standard'
  because?: string
  standard?: string
  role?: 'server' | 'sender' | 'receiver' | 'client'
  needs?: string[]
  unchecked?: string
}
export interface Catalogue {
  contract: string
  title: string
  document: string
  topics: { topic: string; title: string; rows: CatalogueEntry[] }[]
}

/** All the catalogues, in the order in which their schema lists the contracts. */
export function readCatalogues(folder = join(root, 'specs/requirements')): Catalogue[] {
  const order = contractNames()
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readYaml(readFileSync(join(folder, name), 'utf8')) as Catalogue)
    .sort((a, b) => order.indexOf(a.contract) - order.indexOf(b.contract))
}

export const rowsOf = (catalogue: Catalogue): CatalogueEntry[] =>
  catalogue.topics.flatMap((topic) => topic.rows)

/** generated/requirements/index.ts: the catalogue as data, without anything to load. */
export function requirementsModule(catalogues: Catalogue[]): string {
  const rows = catalogues.flatMap((catalogue) =>
    catalogue.topics.flatMap((topic) =>
      topic.rows.map(
        ({
          id,
          where,
          says,
          level,
          basis,
          because,
          standard,
          role = 'server',
          needs = [],
          unchecked,
        }) =>
          `  ${quote(id)}: ${literal({ id, contract: catalogue.contract, topic: topic.topic, where, says, level, basis, because, standard, role, needs, unchecked })},`,
      ),
    ),
  )
  const topics = catalogues.flatMap((catalogue) =>
    catalogue.topics.map(
      (topic) =>
        `  ${literal({ contract: catalogue.contract, topic: topic.topic, title: topic.title })},`,
    ),
  )
  const all = catalogues.flatMap(rowsOf)
  const union = (words: readonly string[]) => words.map((word) => `  | ${quote(word)}`).join('\n')
  return `// ${notice('specs/requirements/')}

export type Level = 'must' | 'should' | 'may' | 'open'
export type Basis = 'stated' | 'derived' | 'standard'
export type Role = 'server' | 'sender' | 'receiver' | 'client'
export type Contract = ${catalogues.map((catalogue) => quote(catalogue.contract)).join(' | ')}

/** A sentence that an implementation can keep or break, or a point that its document leaves open. */
export interface Requirement {
  readonly id: RequirementId
  readonly contract: Contract
  readonly topic: string
  /** Where the document says it. */
  readonly where: string
  readonly says: string
  readonly level: Level
  readonly basis: Basis
  /** From what it is derived, where it is. */
  readonly because?: string
  /** Which standard says it, where one does. */
  readonly standard?: string
  readonly role: Role
  /** What its checks need of the target file. */
  readonly needs: readonly Need[]
  /** Why no check from outside is possible, where none is. */
  readonly unchecked?: string
}

export interface Topic {
  readonly contract: Contract
  readonly topic: string
  readonly title: string
}

export type RequirementId =
${union(all.map(({ id }) => id))}

/** Every path of the target file that some requirement needs. */
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
${rows.join('\n')}
}
`
}

/** generated/REQUIREMENTS.md: the catalogue to be read. */
export function requirementsPage(catalogues: Catalogue[]): string {
  const all = catalogues.flatMap(rowsOf)
  const levels = {
    must: 'breaking it is a failure',
    should: 'breaking it is a warning',
    may: 'allowed, and only noted',
    open: 'the document is silent; what a target does is recorded and never failed',
  }
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const counts = (rows: CatalogueEntry[]) =>
    (Object.keys(levels) as CatalogueEntry['level'][])
      .map((level) => [level, rows.filter((row) => row.level === level).length] as const)
      .filter(([, count]) => count > 0)
      .map(([level, count]) => `${count} ${level}`)
      .join(', ')
  const grounds = (row: CatalogueEntry) =>
    [
      row.basis === 'derived'
        ? `Derived: ${row.because}.`
        : row.basis === 'standard'
          ? `Standard: ${row.standard}.`
          : '',
      row.role && row.role !== 'server' ? `Binds the ${row.role}.` : '',
      row.needs?.length ? `Needs ${row.needs.map((need) => `\`${need}\``).join(', ')}.` : '',
      row.unchecked ? `Not checked: ${row.unchecked}.` : '',
    ]
      .filter(Boolean)
      .join(' ')
  const parts = [
    `<!-- ${notice('specs/requirements/')} -->`,
    '# Requirements',
    `What the documents demand, recommend and leave open, sentence by sentence: ${all.length} rows. Each row stands on what its document states, unless its last column names something else.`,
    [
      '| level | rows | what it means |',
      '|---|---:|---|',
      ...Object.entries(levels)
        .filter(([level]) => all.some((row) => row.level === level))
        .map(
          ([level, meaning]) =>
            `| **${level}** | ${all.filter((row) => row.level === level).length} | ${meaning} |`,
        ),
    ].join('\n'),
    `“Needs” names the keys of the target file without which a row is *not covered*. ${all.filter((row) => row.unchecked).length} rows cannot be checked from outside and say why.`,
  ]
  for (const catalogue of catalogues) {
    parts.push(`## ${catalogue.title}`, `From ${catalogue.document}: ${counts(rowsOf(catalogue))}.`)
    for (const topic of catalogue.topics) {
      parts.push(
        `### ${topic.title}`,
        [
          '| id | sentence | level | where | basis and needs |',
          '|---|---|---|---|---|',
          ...topic.rows.map(
            (row) =>
              `| <a id="${row.id.toLowerCase()}"></a>${row.id} | ${cell(row.says)} | ${row.level === 'must' ? '**must**' : row.level} | ${cell(row.where)} | ${cell(grounds(row))} |`,
          ),
        ].join('\n'),
      )
    }
  }
  return parts.join('\n\n') + '\n'
}
