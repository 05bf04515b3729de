import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RecordedFaults } from '../../../conformance/recorded-faults.ts'
import { plan, type Planned } from '../../../conformance/suite.ts'
import {
  contracts,
  requirements,
  type Contract,
  type Requirement,
} from '../../../generated/requirements/index.ts'
import { contractNames } from '../../contracts.ts'
import { packageRoot } from '../../package.ts'
import { attribute, textIn, type Element } from '../../../conformance/wire/oauth/tree.ts'
import { elementsIn, hasClass } from './html.testing.ts'
import { messageExamples } from './proto.ts'
import { groupNames } from './requirement.ts'
import { sitePages } from './site.ts'

const names = contractNames() as Contract[]
const all = Object.values<Requirement>(requirements)
let pages: ReadonlyMap<string, string>
const elements = new Map<string, readonly Element[]>()
let checks: readonly Planned[]
/** The articles of requirements, by id. */
const articles = new Map<string, readonly Element[]>()

beforeAll(async () => {
  pages = await sitePages(names)
  checks = await plan()
  for (const [name, page] of pages) elements.set(name, elementsIn(page))
  for (const one of [...elements.values()].flat())
    if (hasClass(one, 'requirement')) articles.set(attribute(one, 'id')!, elementsIn(one))
})

const idsOf = (page: string) =>
  elements.get(page)!.flatMap((element) => attribute(element, 'id') ?? [])
const source = (path: string) => readFileSync(join(packageRoot(), path), 'utf8')
/** Returns the content of a fact, such as "basis". */
function fact(id: string, label: string): Element | undefined {
  const inside = articles.get(id)!
  const at = inside.findIndex((one) => one.tagName === 'dt' && textIn(one) === label)
  return at === -1 ? undefined : inside.slice(at).find((one) => one.tagName === 'dd')
}

describe('anchors and links', () => {
  test('each requirement is one anchor, on the page of its contract', () => {
    for (const { contract } of contracts) {
      const ids = idsOf(`${contract}.html`).filter((id) => Object.hasOwn(requirements, id))
      expect(ids).toEqual(all.filter((one) => one.contract === contract).map(({ id }) => id))
    }
    expect(idsOf('index.html').filter((id) => Object.hasOwn(requirements, id))).toEqual([])
  })

  test('no page has an id twice', () => {
    for (const name of pages.keys()) expect(idsOf(name)).toEqual([...new Set(idsOf(name))])
  })

  test('every link leads to an anchor of these pages', () => {
    const anchors = new Map([...pages.keys()].map((name) => [name, new Set(idsOf(name))]))
    const broken = [...elements].flatMap(([name, own]) =>
      own
        .flatMap((element) => attribute(element, 'href') ?? [])
        .filter((href) => {
          const [file, anchor] = href.split('#')
          const anchorsOfPage = anchors.get(file === '' ? name : file!)
          return anchorsOfPage === undefined || (anchor !== undefined && !anchorsOfPage.has(anchor))
        })
        .map((href) => `${name}: ${href}`),
    )
    expect(broken).toEqual([])
  })

  test('no element loads anything', () => {
    const loading = ['img', 'link', 'iframe', 'object', 'base']
    const found = [...elements.values()]
      .flat()
      .filter((one) => loading.includes(one.tagName) || attribute(one, 'src') !== undefined)
    expect(found.map(({ tagName }) => tagName)).toEqual([])
  })
})

describe('a requirement', () => {
  test('has the statement and the level of the catalogue', () => {
    for (const { id, statement, level } of all) {
      const inside = articles.get(id)!
      expect(textIn(inside.find((one) => hasClass(one, 'statement'))!)).toBe(statement)
      expect(textIn(inside.find((one) => hasClass(one, 'level'))!)).toBe(level)
    }
  })

  test('has the source and the basis of the catalogue', () => {
    for (const { id, where, basis, because, standard, contract } of all) {
      const { document } = contracts.find((one) => one.contract === contract)!
      expect(textIn(fact(id, 'source')!)).toBe(`${document}: ${where}`)
      const reason = basis === 'derived' ? because : standard
      expect(textIn(fact(id, 'basis')!)).toBe(
        basis === 'stated' ? 'stated in the document' : `${basis}: ${reason}`,
      )
      if (basis !== 'standard' && standard !== undefined)
        expect(textIn(fact(id, 'also in')!)).toBe(standard)
    }
  })

  test('has the titles of its checks, or says why there are none', () => {
    for (const { id, level, unchecked, unvaried } of all) {
      const titles = checks.filter(({ requirement }) => requirement === id)
      const content = fact(id, titles.length === 1 ? 'check' : 'checks')!
      expect(
        elementsIn(content)
          .filter((one) => hasClass(one, 'title'))
          .map(textIn),
      ).toEqual(titles.map(({ title }) => title.replaceAll(/\s+/g, ' ')))
      if (titles.length > 0) continue
      const reason = unchecked ?? unvaried
      if (reason !== undefined) expect(textIn(content)).toBe(`none: ${reason}`)
      else
        expect(textIn(content)).toBe(
          level === 'may'
            ? 'none: it is allowed, not required'
            : 'none: the document leaves a choice',
        )
      expect(['may', 'open']).toContain(reason === undefined ? level : 'open')
    }
  })

  test('has its cases, choices and keys', () => {
    for (const { id, doors, choices, needs } of all) {
      expect(doors && textIn(fact(id, 'cases')!)).toEqual(doors?.join('; '))
      expect(needs.length === 0 ? '' : textIn(fact(id, 'needs')!)).toBe(needs.join('; '))
      expect(
        choices &&
          elementsIn(fact(id, 'choices')!)
            .filter((one) => one.tagName === 'li')
            .map(textIn),
      ).toEqual(
        choices && Object.entries(choices).map(([name, values]) => `${name}: ${values.join('; ')}`),
      )
    }
  })

  test('lists the faults that its checks find', () => {
    const faults = JSON.parse(source('conformance/recorded-faults.json')) as RecordedFaults
    for (const { id } of all) {
      const { written = {}, generated = [] } = faults[id] ?? {}
      const list = articles.get(id)!.find((one) => hasClass(one, 'faults'))
      const lines = (list === undefined ? [] : elementsIn(list))
        .filter((one) => one.tagName === 'li')
        .map(textIn)
      const groups = groupNames(generated)
      expect(lines).toEqual(
        [
          ...Object.entries(written).map(([name, description]) => `${description} ${name}`),
          ...groups.map(([place, changes]) => `${place} ${changes.join(', ')}`),
        ].map((line) => line.replaceAll(/\s+/g, ' ')),
      )
      expect(groups.flatMap(([, changes]) => changes)).toHaveLength(generated.length)
    }
  })
})

test('names of generated faults are grouped by the place that they change', () => {
  expect(
    groupNames([
      'getImage success: /result/id null',
      'getImage success: /result/id of a wrong type',
      'getImage success: the body null',
      'GreetingResponse.message: with another number',
      'refusal of pattern 2: WWW-Authenticate missing',
    ]),
  ).toEqual([
    ['getImage success: /result/id', ['null', 'of a wrong type']],
    ['getImage success: the body', ['null']],
    ['GreetingResponse.message', ['with another number']],
    ['refusal of pattern 2: WWW-Authenticate', ['missing']],
  ])
})

describe('definitions', () => {
  const entries = (contract: string, prefix: string) =>
    idsOf(`${contract}.html`)
      .filter((id) => id.startsWith(prefix))
      .map((id) => id.slice(prefix.length))

  test.each([
    ['images', ['images-account', 'images-batch', 'images-upload']],
    ['hooks', ['hooks']],
    ['auth', ['auth']],
  ])('%s has every operation, schema and response of its documents', (contract, documents) => {
    const parsed = documents.map(
      (name) =>
        JSON.parse(source(`generated/openapi/${name}.json`)) as {
          paths: Record<string, Record<string, { operationId?: string; responses?: object }>>
          components: { schemas: object; examples: Record<string, { value: unknown }> }
        },
    )
    const operations = parsed
      .flatMap(({ paths }) => Object.values(paths).flatMap((path) => Object.values(path)))
      .filter(({ operationId }) => operationId !== undefined)
    expect(operations.length).toBeGreaterThan(1)
    expect(entries(contract, 'operation-')).toEqual(operations.map((one) => one.operationId))
    const schemas = parsed.flatMap(({ components }) => Object.keys(components.schemas))
    expect(entries(contract, 'schema-').sort()).toEqual([...new Set(schemas)].sort())
    const samples = elements
      .get(`${contract}.html`)!
      .filter((one) => one.tagName === 'pre')
      .map(textIn)
    for (const { value } of parsed.flatMap(({ components }) => Object.values(components.examples)))
      expect(samples).toContain(
        (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).replaceAll(
          /\s+/g,
          ' ',
        ),
      )
  })

  test.each(['events', 'tools'])('%s has every example', (contract) => {
    const samples = elements
      .get(`${contract}.html`)!
      .filter((one) => one.tagName === 'pre')
      .map(textIn)
    const folder = `specs/examples/${contract}`
    const files = readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    const examples = files.filter((file) => file.endsWith('.json'))
    expect(examples.length).toBeGreaterThan(10)
    for (const file of examples) {
      const value = JSON.parse(source(`${folder}/${file}`)) as unknown
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
      expect(samples, file).toContain(text.replaceAll(/\s+/g, ' ').trim())
    }
  })

  test('greeting has examples with exactly the fields of its messages', () => {
    const { root } = protobuf.parse(source('specs/proto/examples/greeting.proto'), {
      keepCase: true,
    })
    expect(entries('greeting', 'message-')).toEqual(Object.keys(messageExamples))
    for (const [name, example] of Object.entries(messageExamples)) {
      const type = root.lookupType(name)
      expect(type.verify(example)).toBeNull()
      expect(Object.keys(example)).toEqual(type.fieldsArray.map((field) => field.name))
    }
  })

  test('fields link to their requirements, and requirements to their definitions', () => {
    const image = elements
      .get('images.html')!
      .find((one) => attribute(one, 'id') === 'schema-Image')!
    const lines = elementsIn(image).filter((one) => one.tagName === 'tr')
    expect(lines.map(textIn)).toContain(
      'filename requiredstringThe filename of the image.IMG-IMAGE-04',
    )
    const links = elementsIn(fact('IMG-IMAGE-04', 'see')!)
    expect(links.map((link) => attribute(link, 'href'))).toEqual(['#schema-Image'])
  })
})

describe('the pages of some contracts', () => {
  test('have no links to other contracts', async () => {
    const some = await sitePages(['events'])
    expect([...some.keys()]).toEqual(['index.html', 'events.html'])
    const files = [...some.values()].flatMap((page) =>
      elementsIn(page).flatMap((one) => attribute(one, 'href')?.split('#')[0] ?? []),
    )
    expect([...new Set(files)].filter((file) => file !== '').sort()).toEqual([
      'events.html',
      'index.html',
    ])
  })
})

test('all pages together are at most 3.2 MB, and the first page at most 600 kB', () => {
  const sizes = [...pages.values()].map((page) => Buffer.byteLength(page))
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(3_200_000)
  expect(Buffer.byteLength(pages.get('index.html')!)).toBeLessThan(600_000)
})
