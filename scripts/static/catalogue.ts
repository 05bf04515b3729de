// Checks the catalogues of requirements: their schema, ids, references and statements.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../../conformance/target.ts'
import { readCatalogues, type Catalogue } from '../generate/catalogue.ts'
import { root } from '../generate/source.ts'
import { newAjv } from '../generate/validators.ts'
import { runIfMain } from './report.ts'
import { checkYaml } from './yaml.ts'

/** Returns the first part of an id, which is the same for all requirements of its contract. */
const areaOf = (id: string): string => id.split('-')[0]!

const wishes = /\b(should be|should have|test that|check that|verify)\b/i

/** Names that look like identifiers but need no code font. */
const properNames = /\b(gRPC|JSON-RPC|JSON:API|OpenID|[KM]iB|[A-Z]+-[A-Z]+-\d\d)\b/g

/**
 * Matches text that must be in code font: names with an underscore or an inner capital, header
 * names, HTTP methods, paths, and the values true, false and null.
 */
const identifier =
  /\w*_\w*|\b\w*[a-z][A-Z]\w*|\b[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+|\b(?:GET|POST|PUT|PATCH|DELETE|true|false|null)\b|(?<=^|\s)\/\S+|\{\w+\}/

/** Describes what is wrong with the code font of a sentence. Returns undefined if nothing is. */
function findCodeFontProblem(text: string): string | undefined {
  if (text.split('`').length % 2 === 0) return 'a backtick has no partner'
  const bare = identifier.exec(text.replace(/`[^`]+`/g, '').replace(properNames, ''))
  return bare === null ? undefined : `"${bare[0]}" is not between backticks`
}

export function checkCatalogues(catalogues: Catalogue[]): string[] {
  const validate = newAjv().compile(
    JSON.parse(readFileSync(join(root, 'specs/requirements/schema.json'), 'utf8')),
  )
  const problems: string[] = []
  const seen = new Map<string, string>()
  const once = (kind: string, value: string, where: string) => {
    if (seen.has(`${kind} ${value}`))
      problems.push(`${where}: ${seen.get(`${kind} ${value}`)} has the same ${kind}`)
    else seen.set(`${kind} ${value}`, where)
  }
  for (const catalogue of catalogues) {
    if (!validate(catalogue)) {
      problems.push(
        ...validate.errors!.map(
          (error) =>
            `${describePosition(catalogue, error.instancePath)}: ${error.message} ${JSON.stringify(error.params)}`,
        ),
      )
      continue
    }
    once('contract', catalogue.contract, catalogue.title)
    const area = areaOf(catalogue.topics[0]!.requirements[0]!.id)
    once('area', area, catalogue.contract)
    for (const { topic, requirements: entries } of catalogue.topics) {
      once('topic', `${catalogue.contract} ${topic}`, `${catalogue.contract}, ${topic}`)
      entries.forEach((entry, index) => {
        const { id, statement, because, conflict, needs = [], level, unchecked } = entry
        once('id', id, id)
        once('statement', statement, id)
        if (areaOf(id) !== area)
          problems.push(
            `${id}: the id does not start with ${area}, like the other ids of ${catalogue.contract}`,
          )
        if (!statement.endsWith('.'))
          problems.push(`${id}: the statement does not end with a full stop`)
        if (wishes.test(statement))
          problems.push(`${id}: "${wishes.exec(statement)![0]}" expresses a wish; state a fact`)
        const choices = Object.entries(entry.choices ?? {}).flat(2)
        for (const text of [statement, because, conflict, unchecked, ...choices]) {
          const problem = text === undefined ? undefined : findCodeFontProblem(text)
          if (problem !== undefined) problems.push(`${id}: ${problem}: ${text}`)
        }
        const before = entries[index - 1]
        if (before && before.id.slice(0, -2) === id.slice(0, -2) && before.id >= id)
          problems.push(`${id}: must come before ${before.id}`)
        for (const need of needs)
          if (!paths.includes(need)) problems.push(`${id}: the target file has no ${need}`)
        if (unchecked && needs.length > 0)
          problems.push(`${id}: has no check, but needs ${needs.join(', ')}`)
        if (entry.basis !== 'stated' && level === 'open')
          problems.push(`${id}: is open, so its basis cannot be ${entry.basis}`)
      })
    }
  }
  return problems
}

/**
 * Describes the position to which a JSON Pointer leads in a catalogue: the id of the requirement
 * that contains the position, if there is one, and the pointer.
 */
function describePosition(catalogue: Catalogue, pointer: string): string {
  const [, , topic, , index] = pointer.split('/')
  const id = catalogue.topics?.[Number(topic)]?.requirements?.[Number(index)]?.id
  return id ? `${id}, ${pointer}` : `${catalogue.contract}, ${pointer || 'the whole file'}`
}

await runIfMain(import.meta.url, 'catalogue', () => [
  ...checkYaml(),
  ...checkCatalogues(readCatalogues()),
])
