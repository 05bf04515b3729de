import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf } from './fields.ts'
import { jsonWithNotice, literal, notice, quote } from './output.ts'
import { root } from './source.ts'
import { indexModule, typesModule } from './modules.ts'
import { readContract, resolve, type AnyJson, type Schema } from './openapi.ts'
import type { SchemaValue } from './schema-examples.ts'
import { folderOf, upOf, type Strictness } from './strictness.ts'
import { schemaFile, validatorsModule } from './validators.ts'

const from = 'specs/asyncapi/'
const examples = 'specs/examples/events/'

interface Message {
  name: string
  title: string
  flag: string
  requirement: string
  payload: string
  headers: Schema
}

/**
 * Returns the files generated from the AsyncAPI document of the deliveries and their sample
 * payloads.
 */
export async function generateEvents(): Promise<[file: string, text: string][]> {
  const document = readContract('events')
  return [
    ['asyncapi/events.json', jsonWithNotice('x-generated', `${from}events.yaml`, document)],
    ['events/names.ts', namesModule(messagesOf(document))],
    ['events/examples.ts', examplesModule()],
    ...(await modulesAt('stated')),
    ...(await modulesAt('documented')),
  ]
}

async function modulesAt(strictness: Strictness): Promise<[file: string, text: string][]> {
  const document = readContract('events', strictness)
  const folder = folderOf('events', strictness)
  const messages = messagesOf(document)
  const schemas = document.components.schemas as AnyJson
  return [
    [`${folder}/types.ts`, await typesModule('Deliveries', from, [{ components: { schemas } }])],
    [
      `${folder}/index.ts`,
      indexModule(from, schemas, samplePayloads(messages), {
        strictness,
        more: payloadTypes(messages) + deliveryHeaders(document, messages),
      }),
    ],
    [`${folder}/validators.ts`, validatorsModule(folder, from, schemas)],
    [`${folder}/contract.ts`, contractModule(document, messages, strictness)],
    ...Object.keys(schemas).map((name): [string, string] => [
      `${folder}/schemas/${name}.json`,
      schemaFile(folder, `${from}components/schemas/`, name, schemas),
    ]),
  ]
}

/** Returns the types that combine the payloads of all events. */
const payloadTypes = (messages: readonly Message[]) => `
/**
 * The payload of each event, by the name of the event.
 *
 * @example
 * const branchOf = ({ ref }: PayloadByEvent['push']) => ref.replace('refs/heads/', '')
 */
export interface PayloadByEvent {
${messages.map(({ name, payload }) => `  ${name}: ${payload}`).join('\n')}
}

/**
 * The name of an event.
 *
 * @example
 * const ignored: readonly EventName[] = ['wiki_page', 'release']
 */
export type EventName = keyof PayloadByEvent

/**
 * The payload of any event. Its member \`object_kind\` determines its type. The kind of a job is
 * \`build\`.
 *
 * @example
 * function summary(payload: WebhookPayload): string {
 *   if (payload.object_kind === 'push') return payload.ref
 *   return payload.object_kind
 * }
 */
export type WebhookPayload = PayloadByEvent[EventName]
`

/** Returns the types of the headers of deliveries, their names, and the values of X-Hook-Event. */
function deliveryHeaders(document: AnyJson, messages: readonly Message[]): string {
  const headers = messages.map((message) => ({
    name: message.name,
    value: quote(eventHeaderOf(document, message)),
  }))
  return `
/**
 * The headers of a delivery of each event, by the name of the event. A delivery can have others.
 *
 * @example
 * const headers: HeadersByEvent['push'] = {
 *   'X-Hook-Event': 'Push Hook',
 *   'X-Hook-Token': 'delivery-secret',
 *   'User-Agent': 'Repository/4.2',
 * }
 */
export interface HeadersByEvent {
${headers.map(({ name, value }) => `  ${name}: DeliveryHeaders & { 'X-Hook-Event': ${value} }`).join('\n')}
}

/**
 * The names of the headers of a delivery. HTTP header names are case-insensitive.
 *
 * @example
 * const tokenOf = (headers: Headers) => headers.get(deliveryHeaderNames.token)
 */
export const deliveryHeaderNames = {
  /** Names the event: \`eventHeaders\` contains its values. */
  event: 'X-Hook-Event',
  /** The token of the hook. Absent if the hook has none. */
  token: 'X-Hook-Token',
  /** The product that sends the delivery, and its version. */
  userAgent: 'User-Agent',
} as const satisfies { readonly [header: string]: keyof HeadersByEvent[EventName] }

/**
 * The value of X-Hook-Event for each event. That of confidential issues is not specified.
 *
 * @example
 * const headers = { [deliveryHeaderNames.event]: eventHeaders.push }
 */
export const eventHeaders = {
${headers.map(({ name, value }) => `  ${name}: ${value},`).join('\n')}
} as const satisfies { readonly [Name in EventName]: HeadersByEvent[Name]['X-Hook-Event'] }
`
}

/** Returns the constant value of X-Hook-Event in the headers of a message. */
function eventHeaderOf(document: AnyJson, { name, requirement, headers }: Message): string {
  const fields = fieldsOf(document, { 'x-requirement': requirement, ...headers })
  const header = fields.find(({ path }) => path === '/X-Hook-Event')?.schema.const
  if (typeof header !== 'string') throw new Error(`${name}: X-Hook-Event has no const string`)
  return header
}

/** Returns the sample payloads, each with the schema of its event. */
function samplePayloads(messages: readonly Message[]): SchemaValue[] {
  return messages.flatMap(({ name, payload }) =>
    readdirSync(join(root, examples, name)).map((file) => ({
      schema: { $ref: `#/components/schemas/${payload}` },
      value: JSON.parse(readFileSync(join(root, examples, name, file), 'utf8')) as unknown,
    })),
  )
}

/** Returns the messages of a document, in the order of their channels. */
function messagesOf(document: AnyJson): Message[] {
  const references = Object.values(document.channels as AnyJson).flatMap((channel) =>
    Object.values(channel.messages as AnyJson),
  )
  return references.map((reference) => {
    const message = resolve<AnyJson>(document, reference)
    return {
      name: message.name as string,
      title: message.title as string,
      flag: message['x-flag'] as string,
      requirement: message['x-requirement'] as string,
      payload: (message.payload.$ref as string).split('/').at(-1)!,
      headers: message.headers as Schema,
    }
  })
}

function contractModule(
  contract: AnyJson,
  messages: readonly Message[],
  strictness: Strictness,
): string {
  const document = withoutMaps(contract)
  const up = upOf(strictness)
  const names = strictness === 'stated' ? './names.ts' : '../names.ts'
  const shapes = messages.map(({ payload }) => {
    const fields = fieldsOf(
      document,
      resolve<Schema>(document, { $ref: `#/components/schemas/${payload}` }),
    )
    return `  ${payload}: [\n${fields.map((field) => `    ${literal(field)},\n`).join('')}  ],`
  })
  const entries = messages.map((message) => {
    const { name, title, flag, requirement, payload } = message
    const header = eventHeaderOf(document, message)
    const kind = fieldsOf(document, { $ref: `#/components/schemas/${payload}` }).find(
      ({ path }) => path === '/object_kind',
    )?.schema.const
    if (typeof kind !== 'string') throw new Error(`${name}: object_kind has no const string`)
    return `  ${name}: event({ name: ${quote(name)}, title: ${quote(title)}, header: ${quote(header)}, kind: ${quote(kind)}, flag: ${quote(flag)}, requirement: ${quote(requirement)} }, ${quote(payload)}),`
  })
  return `// ${notice(from)}
import { message, type Field, type MessageContract, type Validator } from '${up}contract.ts'
import type { RequirementId } from '${up}requirements/index.ts'
import type { EventName } from '${names}'
import * as validators from './validators.ts'

export type { Field, Violation } from '${up}contract.ts'
${strictness === 'stated' ? "export { eventNames, type EventName } from './names.ts'" : "export type { EventName } from '../names.ts'"}

/** The fields that the contract defines for each payload. */
const fields = {
${shapes.join('\n')}
} as const satisfies { [shape: string]: readonly Field[] }

type Shape = keyof typeof fields

const validator: { readonly [S in Shape]: unknown } = {
${messages.map(({ payload }) => `  ${payload}: validators.validate${payload},`).join('\n')}
}

/** An event, with the headers and the payload of its delivery. */
export interface Event {
  readonly name: EventName
  readonly title: string
  /** The value of X-Hook-Event. */
  readonly header: string
  /** The value of object_kind. */
  readonly kind: string
  /** The field of the hook configuration that enables the event. */
  readonly flag: string
  /** The requirement that defines the header's value. */
  readonly requirement: RequirementId
  readonly payload: MessageContract
  /** Whether a payload conforms. Faster than payload.validate, which collects violations. */
  fits(payload: unknown): boolean
}

function event(facts: Omit<Event, 'payload' | 'fits'>, shape: Shape): Event {
  const fits = validator[shape] as Validator<unknown>
  return { ...facts, payload: message(facts.name, 'success', fits, fields[shape]), fits }
}

export const events: { readonly [Name in EventName]: Event } = {
${entries.join('\n')}
}
`
}

/**
 * Removes `additionalProperties`, which is a list of fields without names. The fields of the
 * documented schemas include such maps.
 */
function withoutMaps(node: any): any {
  if (Array.isArray(node)) return node.map(withoutMaps)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== 'additionalProperties')
      .map(([key, member]) => [key, withoutMaps(member)]),
  )
}

/**
 * Returns generated/events/names.ts. It is a small module, because the commands import it at
 * startup.
 */
function namesModule(messages: Message[]): string {
  return `// ${notice(from)}

/** The event names, in the order of the document. */
export const eventNames = [${messages.map(({ name }) => quote(name)).join(', ')}] as const

export type EventName = (typeof eventNames)[number]

/** For each event, the field of the hook configuration that enables it. */
export const flags = {
${messages.map(({ name, flag }) => `  ${name}: ${quote(flag)},`).join('\n')}
} as const satisfies { readonly [Name in EventName]: string }
`
}

/**
 * Returns generated/events/examples.ts: the sample payloads as JSON strings, which are parsed on
 * access.
 */
function examplesModule(): string {
  const folder = join(root, examples)
  const readJson = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as AnyJson
  const eventEntries = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name: event }) => {
      const members = readdirSync(join(folder, event))
        .filter((file) => file.endsWith('.json'))
        .sort()
        .map(
          (file) =>
            `    ${quote(file.slice(0, -5))}: ${quote(JSON.stringify(readJson(`${event}/${file}`)))},`,
        )
      return { event, text: `  ${event}: {\n${members.join('\n')}\n  },` }
    })
    .sort((a, b) => (a.event < b.event ? -1 : 1))
  const { title, deliveries } = readJson('../story.json') as {
    title: string
    deliveries: AnyJson[]
  }
  return `// ${notice(examples)}
import type { EventName } from './names.ts'

const json: { readonly [Name in EventName]: { readonly [name: string]: string } } = {
${eventEntries.map(({ text }) => text).join('\n')}
}

/** A sample payload: an example of a delivery of the event. */
export interface Example {
  readonly event: EventName
  /** An action, a state or a situation. Unique within the event. */
  readonly name: string
  /** The payload as JSON. */
  readonly text: string
  /** The parsed payload: a new copy on each access. */
  readonly payload: { [member: string]: unknown }
}

export const examples: readonly Example[] = (Object.keys(json) as EventName[]).flatMap(event =>
  Object.entries(json[event]).map(([name, text]) => ({ event, name, text, get payload() { return JSON.parse(text) as { [member: string]: unknown } } })))

/** Returns the named sample payload of an event, or its first one if name is omitted. */
export function exampleOf(event: EventName, name?: string): Example | undefined {
  return examples.find(example => example.event === event && (name === undefined || example.name === name))
}

/** A sequence of related deliveries, in chronological order. */
export const story: { readonly title: string; readonly deliveries: readonly { readonly event: EventName; readonly example: string; readonly at: string; readonly summary: string }[] } = {
  title: ${quote(title)},
  deliveries: [
${deliveries.map(({ event, example, at, summary }) => `    ${literal({ event, example, at, summary })},`).join('\n')}
  ],
}
`
}
