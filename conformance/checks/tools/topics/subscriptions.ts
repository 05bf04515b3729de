import { isObject, NotApplicable, NotCovered, type Expectation } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import type { Session } from '../support/client-session.ts'
import { listUris } from '../support/listed-resources.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

/** To how many resources the suite subscribes. */
const maxSubscriptions = 10

const declaresSubscriptions = ({ handshake }: Session): boolean => {
  const capabilities = handshake.result?.['capabilities']
  const resources = isObject(capabilities) ? capabilities['resources'] : undefined
  return isObject(resources) && resources['subscribe'] === true
}

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
]
