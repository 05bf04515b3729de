import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { copyButton } from '../../../conformance/report/html/copy-buttons.ts'
import { markup } from '../../../conformance/report/html/markup.ts'
import { packageRoot } from '../../package.ts'
import { readJson } from './catalogue.ts'
import type { Links } from './links.ts'
import {
  objectAt,
  ownRequirements,
  requirementsIn,
  sample,
  stringAt,
  type DocumentedDefinition,
  type SpecObject,
  type DefinitionGroup,
} from './definitions.ts'
import { nameOfRef, schemaEntry, schemaMarkup } from './schema.ts'

/** The anchor of an event. */
export const eventAnchor = (name: string): string => `event-${name}`

/** Returns the headers, the events and the schemas of the deliveries. */
export async function asyncApiParts(links: Links): Promise<DefinitionGroup[]> {
  const document = await readJson<SpecObject>('generated/asyncapi/events.json')
  const components = objectAt(document, 'components')
  const schemas = objectAt(components, 'schemas')
  // In the order of the channel, which is that of the document.
  const channel = objectAt(objectAt(document, 'channels'), 'deliveries')
  const messages = Object.keys(objectAt(channel, 'messages')).map(
    (name) => [name, objectAt(objectAt(components, 'messages'), name)] as [string, SpecObject],
  )
  const payloads = new Set(messages.map(([, message]) => payloadName(message)))
  const headers = schemas['DeliveryHeaders'] as SpecObject
  const binding = objectAt(
    objectAt(objectAt(objectAt(components, 'messageBindings'), 'delivery'), 'http'),
    'headers',
  )
  return [
    {
      id: 'deliveries',
      heading: 'Deliveries',
      introduction: markup`<p>${links.prose(stringAt(objectAt(document, 'info'), 'description'))}</p>
`,
      entries: [
        {
          id: 'headers',
          name: 'headers',
          summary: 'The headers of every delivery',
          requirements: requirementsIn([headers, binding, messages.map(([, one]) => one)]),
          content: schemaMarkup(withHeaders(headers, binding, messages), links),
        },
        ...(await Promise.all(
          messages.map(([name, message]) => eventEntry(name, message, schemas, links)),
        )),
      ],
    },
    {
      id: 'schemas',
      heading: 'Schemas',
      entries: Object.entries(schemas)
        .filter(([name]) => name !== 'DeliveryHeaders' && !payloads.has(name))
        .map(([name, schema]) => schemaEntry(name, schema as SpecObject, links)),
    },
  ]
}

const payloadName = (message: SpecObject): string =>
  nameOfRef(stringAt(objectAt(message, 'payload'), '$ref'))

/** The header of a message that names its event. */
const eventHeader = (message: SpecObject): SpecObject =>
  objectAt(objectAt(objectAt(message, 'headers'), 'properties'), 'X-Hook-Event')

/** The headers of all deliveries, with those that depend on the event or on the protocol. */
function withHeaders(
  headers: SpecObject,
  binding: SpecObject,
  messages: readonly [string, SpecObject][],
): SpecObject {
  const values = messages.map(([, message]) => eventHeader(message)['const'])
  return {
    ...headers,
    required: ['X-Hook-Event', ...(headers['required'] as string[])],
    properties: {
      'X-Hook-Event': {
        type: 'string',
        enum: values,
        description: 'The event of the delivery.',
        'x-requirement': eventHeader(messages[0]![1])['x-requirement-presence'],
      },
      ...objectAt(headers, 'properties'),
      ...objectAt(binding, 'properties'),
    },
  }
}

async function eventEntry(
  name: string,
  message: SpecObject,
  schemas: SpecObject,
  links: Links,
): Promise<DocumentedDefinition> {
  const payload = schemas[payloadName(message)] as SpecObject
  const folder = `specs/examples/events/${name}`
  const files = (await readdir(join(packageRoot(), folder))).sort()
  const samples = await Promise.all(
    files.map(async (file) => [file, await readJson<SpecObject>(`${folder}/${file}`)] as const),
  )
  const header = `X-Hook-Event: ${String(eventHeader(message)['const'])}`
  const emit = `npx touchstone emit ${name} --to http://127.0.0.1:4040/hook`
  return {
    id: eventAnchor(name),
    name,
    summary: stringAt(message, 'summary'),
    request: header,
    requirements: [...requirementsIn(message), ...requirementsIn(payload)],
    content: markup`<p class="soft">Requirements of the header: ${ownRequirements(eventHeader(message), links)}</p>
<p>A hook receives it if <code>${stringAt(message, 'x-flag')}</code> is <code>true</code>.</p>
${schemaMarkup(payload['description'] === message['summary'] ? { ...payload, description: '' } : payload, links)}<div class="command"><span class="name">send one</span> <code>${emit}</code> ${copyButton(`the command for ${name}`)}</div>
${samples.map(([file, value]) => sample(`Example: ${file.replace('.json', '')}`, value))}${sample(`JSON Schema of ${payloadName(message)}`, payload)}`,
  }
}
