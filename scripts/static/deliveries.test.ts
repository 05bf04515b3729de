import { expect, it } from 'vitest'
import { readCatalogues, listEntries } from '../generate/catalogue.ts'
import { readContract, type AnyJson } from '../generate/openapi.ts'
import { checkDeliveries, checkSamples, checkWithParser, readSamples } from './deliveries.ts'
import { checkFiles } from './schemas.ts'

const requirementIds = new Set(
  readCatalogues()
    .flatMap(listEntries)
    .map(({ id }) => id),
)
const hooks = readContract('hooks')
const events = () => readContract('events')
/** Some components are only in the documented schemas. */
const documentedEvents = () => readContract('events', 'documented')
const push = (document: AnyJson) => document.components.messages.push as AnyJson
const schema = (document: AnyJson, name: string) => document.components.schemas[name] as AnyJson

it('finds no problems in the contract', async () => {
  expect(checkDeliveries(events(), hooks, requirementIds)).toEqual([])
  expect(checkFiles('specs/asyncapi', [documentedEvents()], requirementIds)).toEqual([])
  expect(await checkWithParser()).toEqual([])
})

it.each<[string, (document: AnyJson) => void, RegExp]>([
  [
    'a name that differs from the key',
    (document) => {
      push(document).name = 'pushed'
    },
    /push: has a name that is not its key/,
  ],
  [
    'an unknown flag',
    (document) => {
      push(document)['x-flag'] = 'pushes'
    },
    /push: pushes is not a flag of a hook/,
  ],
  [
    'a message without a requirement',
    (document) => {
      delete push(document)['x-requirement']
    },
    /push: has no x-requirement/,
  ],
  [
    'two messages with the same header',
    (document) => {
      push(document).headers.properties['X-Hook-Event'].const = 'Job Hook'
    },
    /job: has the same X-Hook-Event as push/,
  ],
  [
    'a payload without object_kind',
    (document) => {
      delete schema(document, 'PushPayload').properties.object_kind.const
    },
    /push: has no constant value of object_kind/,
  ],
  [
    'a keyword whose fields cannot be listed',
    (document) => {
      schema(document, 'Label').anyOf = []
    },
    /issue, payload: anyOf at/,
  ],
  [
    'an unknown requirement id in a property called value',
    (document) => {
      schema(document, 'PipelineVariable').properties.value['x-requirement'] = 'EVT-PIPELINE-99'
    },
    /EVT-PIPELINE-99, which is not in the catalogue/,
  ],
  [
    'a schema whose title is not its name',
    (document) => {
      schema(document, 'Label').title = 'Mark'
    },
    /schema Label: has a title that is not its name/,
  ],
  [
    'a schema that forbids additional properties',
    (document) => {
      schema(document, 'Label').additionalProperties = false
    },
    /schema Label: forbids additional properties/,
  ],
  [
    'a message without a send operation',
    (document) => {
      delete document.operations.sendPush
    },
    /push: has no send operation/,
  ],
])('reports %s', (_, change, expected) => {
  const document = events()
  change(document)
  expect(checkDeliveries(document, hooks, requirementIds).join('\n')).toMatch(expected)
})

it('reports a component that no contract uses', () => {
  const document = documentedEvents()
  delete document.components.schemas.Label
  expect(checkFiles('specs/asyncapi', [document], requirementIds)).toEqual([
    'specs/asyncapi/components/schemas/objects.yaml, Label: no contract uses it',
  ])
})

it('finds no problems in the sample payloads', () => {
  expect(checkSamples(readSamples())).toEqual([])
})

it('reports sample payloads that are invalid, of an unknown event or missing', () => {
  const samples = readSamples()
  const [job] = samples.filter(({ event }) => event === 'job')
  const invalid = { ...job!, payload: { ...(job!.payload as object), build_status: 'skipped' } }
  const unknown = { event: 'fork', file: 'fork/one.json', payload: {} }
  const found = checkSamples([
    ...samples.filter(({ event }) => event !== 'job' && event !== 'push'),
    invalid,
    unknown,
  ]).join('\n')
  expect(found).toMatch(/job\/.*\.json: \/build_status must be equal to one of the allowed values/)
  expect(found).toMatch(/fork\/one\.json: the contract has no event fork/)
  expect(found).toMatch(/push: has no sample payload/)
})
