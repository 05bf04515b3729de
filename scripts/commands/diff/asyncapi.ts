import { levelOf, type ChangeList, type Direction } from './change.ts'
import { objectAt, type DocumentJson, type Located } from './documents.ts'
import { asNode, compareNames, memberOf, membersOf, namedSchemas } from './openapi.ts'
import { SchemaComparison } from './schema/compare.ts'

/** A message of a channel, and whether the user of the types receives it. */
interface Message {
  readonly node: Located<DocumentJson>
  readonly direction: Direction
}

/** Compares two AsyncAPI documents, from the point of view of those who receive the messages. */
export function compareAsyncApi(older: Located, newer: Located, changes: ChangeList): void {
  const documents = [asNode(older), asNode(newer)] as const
  const schemas = new SchemaComparison(changes)
  const [before, after] = documents.map(messagesOf) as [Map<string, Message>, Map<string, Message>]
  for (const [place, message] of before) {
    const other = after.get(place)
    if (other === undefined)
      changes.add('breaking', 'message-removed', place, 'the message was removed')
    else compareMessages(message, other, { place, changes, schemas })
  }
  for (const place of after.keys())
    if (!before.has(place))
      changes.add('compatible', 'message-added', place, 'the message was added')
  compareChannels(documents, changes)

  const [names, others] = documents.map((document) =>
    namedSchemas({ ...document, value: objectAt(document.value, 'components') }, 'schemas'),
  ) as [Map<string, Located>, Map<string, Located>]
  compareNames(names, others, changes)
  for (const [name, schema] of names) {
    const other = others.get(name)
    if (other !== undefined && !schemas.hasCompared(name))
      schemas.compare(schema, other, `schema ${name}`, 'received')
  }
  for (const key of ['info', 'tags', 'externalDocs'])
    if (withoutVersion(documents[0].value[key]) !== withoutVersion(documents[1].value[key]))
      changes.add('documentation', `${key}-changed`, key, `${key} changed`)
}

interface Context {
  place: string
  changes: ChangeList
  schemas: SchemaComparison
}

function compareMessages(older: Message, newer: Message, { place, changes, schemas }: Context) {
  const direction = older.direction === newer.direction ? older.direction : 'both'
  const [before, after] = [older.node, newer.node]
  for (const key of ['contentType', 'name', 'correlationId'])
    if (JSON.stringify(before.value[key]) !== JSON.stringify(after.value[key]))
      changes.add(
        'breaking',
        `${key === 'contentType' ? 'content-type' : 'message'}-changed`,
        place,
        `${key} ${JSON.stringify(before.value[key])} became ${JSON.stringify(after.value[key])}`,
      )
  for (const key of ['title', 'summary', 'description', 'examples', 'x-requirement', 'x-flag'])
    if (JSON.stringify(before.value[key]) !== JSON.stringify(after.value[key]))
      changes.add('documentation', 'text-changed', place, `${key} changed`)
  for (const part of ['headers', 'payload'] as const) {
    const [old, current] = [schemaOf(before, part), schemaOf(after, part)]
    if (old === undefined && current === undefined) continue
    const below = `${place}, ${part}`
    if (old === undefined || current === undefined)
      changes.add(
        levelOf(old === undefined ? 'narrower' : 'wider', direction),
        `${part}-changed`,
        below,
        `the schema of the ${part} was ${old === undefined ? 'added' : 'removed'}`,
      )
    else schemas.compare(old, current, `${below}:`, direction)
  }
}

/** Returns the schema of a part of a message. AsyncAPI 3 may wrap it, with its format. */
function schemaOf(message: Located<DocumentJson>, part: string): Located | undefined {
  const node = memberOf(message, part)
  if (node === undefined) return undefined
  const isWrapped = 'schemaFormat' in node.value && 'schema' in node.value
  return isWrapped
    ? { value: node.value.schema, file: node.file }
    : { value: message.value[part], file: message.file }
}

function compareChannels(
  documents: readonly [Located<DocumentJson>, Located<DocumentJson>],
  changes: ChangeList,
) {
  const [before, after] = documents.map((document) => membersOf(document, 'channels')) as [
    Map<string, Located<DocumentJson>>,
    Map<string, Located<DocumentJson>>,
  ]
  for (const [name, channel] of before) {
    const place = `channel ${name}`
    const other = after.get(name)
    if (other === undefined)
      changes.add('breaking', 'channel-removed', place, 'the channel was removed')
    else if (channel.value.address !== other.value.address)
      changes.add('breaking', 'address-changed', place, 'the address changed')
  }
  for (const name of after.keys())
    if (!before.has(name))
      changes.add('compatible', 'channel-added', `channel ${name}`, 'the channel was added')
}

/** Returns the messages of all channels, by channel and name. */
function messagesOf(document: Located<DocumentJson>): Map<string, Message> {
  const isVersion2 = String(document.value.asyncapi).startsWith('2.')
  const found = new Map<string, Message>()
  for (const [channel, node] of membersOf(document, 'channels')) {
    if (isVersion2) {
      // In AsyncAPI 2, users can subscribe to what the server sends.
      for (const [action, direction] of [
        ['subscribe', 'received'],
        ['publish', 'sent'],
      ] as const)
        for (const [name, message] of messagesOfAction(node, action))
          found.set(`${channel} ${action}, message ${name}`, { node: message, direction })
      continue
    }
    for (const [name, message] of membersOf(node, 'messages'))
      found.set(`channel ${channel}, message ${name}`, {
        node: message,
        direction: directionOf(document, channel, name),
      })
  }
  return found
}

function messagesOfAction(
  channel: Located<DocumentJson>,
  action: string,
): [string, Located<DocumentJson>][] {
  const operation = memberOf(channel, action)
  const message = operation && memberOf(operation, 'message')
  if (message === undefined) return []
  const all = Array.isArray(message.value.oneOf)
    ? message.value.oneOf.map((value: unknown) => asNode({ value, file: message.file }))
    : [message]
  return all.map((each, index) => [
    String(each.value.messageId ?? each.value.name ?? index + 1),
    each,
  ])
}

/**
 * Returns who writes a message of AsyncAPI 3. A document describes one party, or both: if any
 * operation sends the message, the user receives it.
 */
function directionOf(document: Located<DocumentJson>, channel: string, name: string): Direction {
  const operations = [...membersOf(document, 'operations').values()].filter(({ value }) => {
    const messages = Array.isArray(value.messages) ? (value.messages as DocumentJson[]) : undefined
    const reference = `#/channels/${channel}/messages/${name}`
    return messages === undefined
      ? objectAt(value, 'channel').$ref === `#/channels/${channel}`
      : messages.some(({ $ref }) => $ref === reference)
  })
  const actions = operations.map(({ value }) => value.action)
  return actions.includes('receive') && !actions.includes('send') ? 'sent' : 'received'
}

function withoutVersion(value: unknown): string {
  const { version: _, ...others } = (value ?? {}) as DocumentJson
  return JSON.stringify(others)
}
