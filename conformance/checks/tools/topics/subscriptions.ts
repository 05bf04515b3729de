import { labelled, NotApplicable, NotCovered, type Expectation } from '../../../engine/index.ts'
import type { McpExchange, McpReceived } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import type { Session } from '../support/client-session.ts'
import { listUris } from '../support/listed-resources.ts'
import { paramsOf } from '../support/progress-messages.ts'
import { declaresSubscriptions, observeUpdates } from '../support/resource-updates.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

/** To how many resources the suite subscribes. */
const maxSubscriptions = 10

const isAccepted = ({ result }: McpExchange): boolean => result !== undefined

/**
 * Whether a response shows that the server cannot subscribe to any resource. With another error, it
 * may only not support this resource.
 */
const isUnsupported = ({ response, error }: McpExchange): boolean =>
  response === undefined || error?.code === -32601 || error?.code === -32603

const canSubscribe: Expectation<McpExchange> = {
  name: 'accepts a subscription',
  expected: 'a result of resources/subscribe for one of the listed resources',
  test: isAccepted,
}

/** Subscribes to the listed resources in a separate session, and cancels each subscription. */
async function subscribeToListed(
  world: ToolsWorld,
  transport: Session['transport'],
): Promise<readonly McpExchange[]> {
  const session = await world.openSession(transport)
  const { resource } = world.target
  const uris = [...(resource === undefined ? [] : [resource]), ...(await listUris(session))]
  const exchanges: McpExchange[] = []
  for (const uri of [...new Set(uris)].slice(0, maxSubscriptions)) {
    exchanges.push(await session.request('resources/subscribe', { uri }))
    if (isAccepted(exchanges.at(-1)!)) await session.request('resources/unsubscribe', { uri })
  }
  return exchanges
}

const isNotNotified: Expectation<readonly McpReceived[]> = {
  name: 'is not notified',
  expected: 'no notification about a resource without a subscription to it',
  test: (messages) => messages.length === 0,
  received: (messages) => messages.map(({ message }) => JSON.stringify(message)).join('; '),
}

export const subscriptionsChecks = [
  check('TOOL-RESOURCE-09', {
    title: 'accepts subscriptions to resources if it declares them',
    async run(world) {
      await world.onEachTransport(async (session) => {
        if (!declaresSubscriptions(session))
          throw new NotApplicable('the server does not declare resources.subscribe')
        const exchanges = await subscribeToListed(world, session.transport)
        const found = exchanges.find(isAccepted) ?? exchanges.find(isUnsupported)
        if (found === undefined)
          throw new NotCovered<ToolsNeed>(
            'the server lists no resource to which clients can subscribe',
            ['tools.resource'],
          )
        world.expect(found, canSubscribe)
      })
    },
  }),

  check('TOOL-RESOURCE-10', {
    title: 'records to which resources clients can subscribe',
    async run(world) {
      await world.onOneTransport(async (session) => {
        if (!declaresSubscriptions(session))
          return world.observe('the server does not declare resources.subscribe')
        const exchanges = await subscribeToListed(world, session.transport)
        world.observe(
          `the server accepts subscriptions to ${exchanges.filter(isAccepted).length} of ${exchanges.length} resources`,
        )
      })
    },
  }),

  check('TOOL-RESOURCE-13', {
    title: 'notifies only subscribed clients that a resource has changed',
    needs: ['tools.elicit'],
    async run(world) {
      const { unwanted } = await observeUpdates(world)
      for (const [door, messages] of Object.entries(unwanted))
        world.expectValue(messages, labelled(door, isNotNotified))
    },
  }),

  check('TOOL-RESOURCE-14', {
    title: 'notifies a subscribed client of every change',
    needs: ['tools.elicit'],
    async run(world) {
      const { notified } = await observeUpdates(world)
      for (const [door, isNotified] of Object.entries(notified))
        world.expectValue(
          isNotified,
          labelled(door, {
            name: 'is notified',
            expected: 'the notification notifications/resources/updated after a change',
            test: (one) => one,
            received: () => 'no notification about the resource',
          }),
        )
    },
  }),

  check('TOOL-RESOURCE-15', {
    title: 'names the resource that has changed',
    needs: ['tools.elicit'],
    async run(world) {
      const { notifications } = await observeUpdates(world)
      world.expectValue(notifications, {
        name: 'has a URI',
        expected: 'the field uri (a string) in the params of notifications/resources/updated',
        test: (all) => all.every((one) => typeof paramsOf(one)['uri'] === 'string'),
        received: (all) => all.map(({ message }) => JSON.stringify(message)).join('; '),
      })
    },
  }),
]
