// Checks the catalogue of requirements: its shape, its ids, its sentences.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../../conformance/target.ts'
import { readCatalogues, type Catalogue } from '../generate/catalogue.ts'
import { root } from '../generate/house.ts'
import { newAjv } from '../generate/validators.ts'
import { whenStarted } from './report.ts'
import { checkYaml } from './yaml.ts'

/** The first part of an id, by which it shows its contract. */
const areaOf = (id: string): string => id.split('-')[0]!

const phrases = /\b(should be|should have|test that|check that|verify)\b/i

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
            `${place(catalogue, error.instancePath)}: ${error.message} ${JSON.stringify(error.params)}`,
        ),
      )
      continue
    }
    once('contract', catalogue.contract, catalogue.title)
    const area = areaOf(catalogue.topics[0]!.rows[0]!.id)
    once('area', area, catalogue.contract)
    for (const { topic, rows } of catalogue.topics) {
      once('topic', `${catalogue.contract} ${topic}`, `${catalogue.contract}, ${topic}`)
      rows.forEach((row, index) => {
        const { id, says, needs = [], level, unchecked } = row
        once('id', id, id)
        once('sentence', says, id)
        if (areaOf(id) !== area)
          problems.push(`${id}: the id does not begin as those of ${catalogue.contract} do`)
        if (!says.endsWith('.')) problems.push(`${id}: the sentence does not end with a full stop`)
        if (phrases.test(says))
          problems.push(`${id}: "${phrases.exec(says)![0]}" is no way to state a fact`)
        const before = rows[index - 1]
        if (before && before.id.slice(0, -2) === id.slice(0, -2) && before.id >= id)
          problems.push(`${id}: stands after ${before.id}`)
        for (const need of needs)
          if (!paths.includes(need)) problems.push(`${id}: the target file has no ${need}`)
        if (unchecked && needs.length > 0)
          problems.push(`${id}: is unchecked and needs ${needs.join(', ')} all the same`)
        if (row.basis !== 'stated' && level === 'open')
          problems.push(`${id}: is open, which cannot be ${row.basis}`)
      })
    }
  }
  return problems
}

/** Names a row where a pointer leads into one. */
function place(catalogue: Catalogue, pointer: string): string {
  const [, , topic, , row] = pointer.split('/')
  const id = catalogue.topics?.[Number(topic)]?.rows?.[Number(row)]?.id
  return id ? `${id}, ${pointer}` : `${catalogue.contract}, ${pointer || 'the whole file'}`
}

await whenStarted(import.meta.url, 'catalogue', () => [
  ...checkYaml(),
  ...checkCatalogues(readCatalogues()),
])
