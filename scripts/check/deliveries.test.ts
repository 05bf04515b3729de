import { expect, it } from 'vitest'
import { readCatalogues, listEntries } from '../generate/catalogue.ts'
import { readContract, type AnyJson } from '../generate/openapi.ts'
import { checkDeliveries, checkGolden, checkWithParser, readGolden } from './deliveries.ts'
import { checkFiles } from './schemas.ts'

const rows = new Set(
  readCatalogues()
    .flatMap(listEntries)
    .map((row) => row.id),
)
const hooks = readContract('hooks')
const events = () => readContract('events', 'asyncapi')
const push = (document: AnyJson) => document.components.messages.push as AnyJson
const schema = (document: AnyJson, name: string) => document.components.schemas[name] as AnyJson

it('finds nothing wrong with the document as it is', async () => {
  expect(checkDeliveries(events(), hooks, rows)).toEqual([])
  expect(checkFiles('specs/asyncapi', [events()], rows)).toEqual([])
  expect(await checkWithParser()).toEqual([])
})

it.each<[string, (document: AnyJson) => void, RegExp]>([
  [
    'a name that is not the key',
    (document) => {
      push(document).name = 'pushed'
    },
    /push: is not named by its key/,
  ],
  [
    'a flag that no hook has',
    (document) => {
      push(document)['x-flag'] = 'pushes'
    },
    /push: a hook has no flag pushes/,
  ],
  [
    'a message without a row',
    (document) => {
      delete push(document)['x-requirement']
    },
    /push: names no row/,
  ],
  [
    'two messages of one header',
    (document) => {
      push(document).headers.properties['X-Hook-Event'].const = 'Job Hook'
    },
    /job: has the X-Hook-Event of push/,
  ],
  [
    'a payload without object_kind',
    (document) => {
      delete schema(document, 'PushPayload').properties.object_kind.const
    },
    /push: has no value of object_kind/,
  ],
  [
    'a keyword whose places cannot be listed',
    (document) => {
      schema(document, 'Label').anyOf = []
    },
    /issue, payload: anyOf at/,
  ],
  [
    'a row that is none, under the name of value',
    (document) => {
      schema(document, 'PipelineVariable').properties.value['x-requirement'] = 'EVT-PIPELINE-99'
    },
    /names EVT-PIPELINE-99/,
  ],
  [
    'a schema of another title',
    (document) => {
      schema(document, 'Label').title = 'Mark'
    },
    /schema Label: is not titled/,
  ],
  [
    'a closed schema',
    (document) => {
      schema(document, 'Label').additionalProperties = false
    },
    /schema Label: forbids further members/,
  ],
  [
    'a message that nobody sends',
    (document) => {
      delete document.operations.sendPush
    },
    /push: no operation is there to send it/,
  ],
])('names %s', (_, change, expected) => {
  const document = events()
  change(document)
  expect(checkDeliveries(document, hooks, rows).join('\n')).toMatch(expected)
})

it('names a component that no document takes', () => {
  const document = events()
  delete document.components.schemas.Label
  expect(checkFiles('specs/asyncapi', [document], rows)).toEqual([
    'specs/asyncapi/components/schemas/objects.yaml, Label: no document takes it',
  ])
})

it('finds every golden payload valid', () => {
  expect(checkGolden(readGolden())).toEqual([])
})

it('names golden payloads that are wrong, strange or missing', () => {
  const golden = readGolden()
  const [job] = golden.filter(({ event }) => event === 'job')
  const wrong = { ...job!, payload: { ...(job!.payload as object), build_status: 'skipped' } }
  const strange = { event: 'fork', file: 'fork/one.json', payload: {} }
  const found = checkGolden([
    ...golden.filter(({ event }) => event !== 'job' && event !== 'push'),
    wrong,
    strange,
  ]).join('\n')
  expect(found).toMatch(/job\/.*\.json: \/build_status must be equal to one of the allowed values/)
  expect(found).toMatch(/fork\/one\.json: there is no event fork/)
  expect(found).toMatch(/push: has no golden payload/)
})
