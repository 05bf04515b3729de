import { Blocked, isObject, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpReceived } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import { listTemplates } from './list-pages.ts'
import { listUris } from './listed-resources.ts'
import { maxDelay } from './plain-calls.ts'
import { paramsOf } from './progress-messages.ts'
import { templateOf } from './resources.ts'
import { isSuccess } from './results.ts'
import { parameterOf } from './template-resources.ts'
import { parametersOf, sameUri } from './uris.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** What clients received about a resource that calls changed. The keys are cases (`doors`). */
export interface ResourceUpdates {
  /** Notifications about the resource that a client received without a subscription to it. */
  readonly unwanted: Readonly<Record<string, readonly McpReceived[]>>
  /** Whether a client with a subscription was notified of a change. */
  readonly notified: Readonly<Record<string, boolean>>
  /** All notifications about changed resources. */
  readonly notifications: readonly McpReceived[]
  /**
   * What a client with two event streams received about one change. Undefined if the server opens
   * only one stream, or sends more than one notification about a change on it.
   */
  readonly onTwoStreams: readonly McpReceived[] | undefined
}

/** How many resources the suite subscribes to, to find one that the call changes. */
const maxCandidates = 10

const isUpdate = ({ json }: McpReceived): boolean =>
  json['method'] === 'notifications/resources/updated'
const uriOf = (message: McpReceived): unknown => paramsOf(message)['uri']

/** Whether clients can subscribe to resources, according to the handshake. */
export const declaresSubscriptions = ({ handshake }: Session): boolean => {
  const capabilities = handshake.result?.['capabilities']
  const resources = isObject(capabilities) ? capabilities['resources'] : undefined
  return isObject(resources) && resources['subscribe'] === true
}

/** A client that accepts what the server elicits. Notifications can arrive on its event stream. */
async function openClient(world: ToolsWorld, transport: 'http' | 'sse'): Promise<Session> {
  const session = await world.openSession(transport, {
    onRequest: ({ method }) =>
      method === 'elicitation/create'
        ? { result: { action: 'accept', content: world.target.elicit!.content } }
        : undefined,
    capabilities: { elicitation: {} },
  })
  if (transport === 'http') await world.runThroughGate(() => session.connection.listen())
  // When the ping has its response, the server has opened the stream.
  await session.request('ping')
  return session
}

/** Resources that the call may change: those of its arguments, and that of the target file. */
async function candidatesOf(world: ToolsWorld, session: Session): Promise<readonly string[]> {
  const { elicit, resource } = world.target
  const values = Object.values(elicit!.arguments).filter((value) => typeof value === 'string')
  const { entries } = await listTemplates(session)
  const expanded: string[] = []
  for (const template of entries.map(templateOf)) {
    if (template === undefined || parametersOf(template)?.length !== 1) continue
    for (const value of values)
      expanded.push(template.replace(`{${parameterOf(template)}}`, encodeURIComponent(value)))
  }
  return [...new Set([...expanded, ...(resource === undefined ? [] : [resource])])]
    .filter((uri) => !uri.includes('{'))
    .slice(0, maxCandidates)
}

/** The listed resource whose URI is most like another one, without containing it. */
async function findSimilar(session: Session, uri: string): Promise<string | undefined> {
  const likeness = (other: string) => {
    let at = 0
    while (at < uri.length && other[at] === uri[at]) at += 1
    return at
  }
  return (await listUris(session))
    .filter((other) => !sameUri(other, uri) && !uri.startsWith(other))
    .toSorted((one, other) => likeness(other) - likeness(one))[0]
}

/**
 * Changes a resource by the call that elicits input, with different subscriptions of two clients.
 * Ends the check if no subscribed client is notified of the first change.
 */
export const observeUpdates = (world: ToolsWorld): Promise<ResourceUpdates> =>
  world.shared('updates of a resource', async (common) => {
    const { elicit } = common.target
    const transport = common.transports.find((one) => one !== 'stdio')
    if (transport === undefined)
      throw new NotCovered<ToolsNeed>('two clients need a transport over HTTP', ['tools.http'])
    const client = await openClient(common, transport)
    if (!declaresSubscriptions(client))
      throw new NotApplicable('the server does not declare resources.subscribe')
    const other = await openClient(common, transport)
    const subscribe = async (session: Session, uri: string) =>
      (await session.request('resources/subscribe', { uri })).result !== undefined
    const unsubscribe = (session: Session, uri: string) =>
      session.request('resources/unsubscribe', { uri })

    /** Makes the call as `caller`, and returns what `listener` receives about the resource. */
    const change = async (caller: Session, listener: Session, uri: string | undefined) => {
      const from = listener.connection.received.length
      const find = () =>
        listener.connection.received
          .slice(from)
          .filter(
            (message) =>
              isUpdate(message) &&
              (uri === undefined ||
                uriOf(message) === undefined ||
                sameUri(String(uriOf(message)), uri)),
          )
      const called = await caller.call(elicit!.tool, elicit!.arguments)
      if (!isSuccess(called)) throw new Blocked('TOOL-CALL-01', called.summary)
      await listener.connection.until(() => find().length > 0, maxDelay)
      return find()
    }

    const subscribed: string[] = []
    for (const uri of await candidatesOf(common, client))
      if (await subscribe(client, uri)) subscribed.push(uri)
    const [first] = subscribed.length === 0 ? [] : await change(client, client, undefined)
    if (first === undefined)
      throw new NotApplicable(
        'the call that elicits input changes no resource of its arguments, so no client is notified',
      )
    const uri = subscribed.find((one) => sameUri(String(uriOf(first)), one)) ?? subscribed[0]!
    const similar = await findSimilar(client, uri)
    const countUpdates = () => client.connection.received.filter(isUpdate).length
    const notified: Record<string, boolean> = {}
    const unwanted: Record<string, readonly McpReceived[]> = {}
    // A server may wait with the next notification until the client has read the resource.
    const changeAndRead = async () => {
      await client.request('resources/read', { uri })
      return (await change(client, client, uri)).length > 0
    }
    const changeWithTwoStreams = async () => {
      const { connection } = client
      const stream =
        transport === 'http' ? await common.runThroughGate(() => connection.listen()) : undefined
      if (stream?.httpStatus !== 200) return undefined
      await client.request('ping')
      const from = connection.received.length
      await changeAndRead()
      await connection.until(() => false, maxDelay)
      return connection.received.slice(from).filter(isUpdate)
    }
    for (const one of subscribed) if (one !== uri) await unsubscribe(client, one)
    notified['a second change'] = await changeAndRead()
    unwanted['no subscription'] = await change(other, other, uri)
    if (similar !== undefined && (await subscribe(other, similar))) {
      unwanted['a subscription to another resource'] = await change(other, other, uri)
      await unsubscribe(other, similar)
    }
    await subscribe(other, uri)
    await unsubscribe(other, uri)
    await client.connection.until(() => false, maxDelay)
    const before = countUpdates()
    notified['the end of the subscription of another client'] = await changeAndRead()
    await client.connection.until(() => false, maxDelay)
    const isOneEach = countUpdates() === before + 1
    if (similar !== undefined && (await subscribe(client, similar))) {
      await unsubscribe(client, similar)
      notified['the end of another subscription'] = await changeAndRead()
    }
    const onTwoStreams = isOneEach ? await changeWithTwoStreams() : undefined
    await unsubscribe(client, uri)
    // A notification may still arrive if the server sent it before.
    await client.connection.until(() => false, maxDelay)
    unwanted['an ended subscription'] = await change(client, client, uri)
    return {
      onTwoStreams,
      unwanted,
      notified,
      notifications: [client, other].flatMap(({ connection }) =>
        connection.received.filter(isUpdate),
      ),
    }
  })
