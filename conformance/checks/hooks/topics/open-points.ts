import { events } from '../../../../generated/events/contract.ts'
import { NotCovered } from '../../../engine/index.ts'
import type { DeliveryResponse, Delivery } from '../../../wire/index.ts'
import { deliveryCheck } from '../support/define.ts'
import type { HooksNeed } from '../target.ts'
import type { HooksWorld } from '../support/world.ts'

/** Headers that HTTP or the contract defines. All others are extensions of the sender. */
const commonHeaders =
  /^(host|connection|content-(type|length|encoding)|transfer-encoding|accept(-encoding|-language)?|user-agent|x-hook-(event|token)|date|te|expect|cache-control)$/i

/**
 * Creates a hook, sends a test call, and returns the delivery. If none arrives, throws
 * `NotCovered`.
 */
async function createAndReceive(
  { createHook, testHook, receiveDelivery, inTime }: HooksWorld,
  fields: Record<string, unknown> = {},
): Promise<Delivery> {
  const hook = await createHook({ push_events: true, ...fields })
  await testHook(hook)
  const delivery = await receiveDelivery(hook, { event: 'push' })
  if (delivery === undefined)
    throw new NotCovered(`nothing was delivered ${inTime} after the test call`)
  return delivery
}

/** How much longer than `watchMs` a receiver that responds late waits, in milliseconds. */
const slackMs = 200

/** Records whether a service repeats a delivery after the receiver has failed in this way. */
async function observeAfterFailure(
  world: HooksWorld,
  kindOfFailure: string,
  response: DeliveryResponse,
): Promise<void> {
  const { createHook, send, observe, request, wait, watchMs, inBackground } = world
  const hook = await createHook({ push_events: true })
  hook.mailbox.response = response
  const call = inBackground(send(request.test(hook.id, 'push_events')))
  const first = await world.receiveDelivery(hook, { event: 'push' })
  if (first === undefined)
    throw new NotCovered(`nothing was delivered ${world.inTime} after the test call`)
  await wait(watchMs, 'repeated deliveries')
  hook.mailbox.response = { status: 200 }
  const repeats = hook.mailbox.deliveries.length - 1
  const { status, failure } = await call
  observe(
    `after ${kindOfFailure}: ${repeats === 0 ? 'not sent again' : `sent again ${repeats === 1 ? 'once' : `${repeats} times`}`} within ${watchMs / 1000} s; the test call: ${status === undefined ? failure : `status ${status}`}`,
  )
}

const openCheck = (
  requirement: Parameters<typeof deliveryCheck>[0],
  title: string,
  run: (world: HooksWorld) => Promise<void>,
  needs: readonly HooksNeed[] = [],
) =>
  // The checks of failures wait for a while, and other checks can send meanwhile.
  deliveryCheck(requirement, { title, root: 'HOOK-TEST-02', needs, sendsEarly: true, run })

export const openPointsChecks = [
  openCheck(
    'EVT-DELIVERY-05',
    'records headers and fields that the document does not list',
    async (world) => {
      const delivery = await createAndReceive(world)
      const headers = [
        ...new Set(
          delivery.headers.map(([name]) => name).filter((name) => !commonHeaders.test(name)),
        ),
      ]
      const listed = new Set(events.push.payload.fields.map(({ path }) => path))
      const members = Object.keys((delivery.json ?? {}) as object).filter(
        (name) => !listed.has(`/${name}`),
      )
      world.observe(
        `other headers: ${headers.join(', ') || 'none'}; other fields of a push: ${members.join(', ') || 'none'}`,
      )
    },
  ),

  openCheck('EVT-DELIVERY-06', 'records the number of deliveries of a test call', async (world) => {
    const hook = await world.createHook({ push_events: true })
    await world.testHook(hook)
    if ((await world.receiveDelivery(hook, { event: 'push' })) === undefined)
      throw new NotCovered(`nothing was delivered ${world.inTime} after the test call`)
    await world.wait(world.watchMs)
    world.observe(
      `deliveries for one test call: ${hook.mailbox.deliveries.length} within ${world.watchMs / 1000} s`,
    )
  }),

  openCheck('EVT-HEADER-05', 'records how an empty token is sent', async (world) => {
    const token = (await createAndReceive(world, { token: '' })).header('x-hook-token')
    world.observe(
      `delivery for a hook with an empty token: ${token === undefined ? 'no X-Hook-Token' : `X-Hook-Token is ${token === '' ? 'empty' : 'another string'}`}`,
    )
  }),

  openCheck('EVT-AUTH-03', 'records whether payloads are signed', async (world) => {
    const names = (await createAndReceive(world, { token: world.newName() })).headers
      .map(([name]) => name)
      .filter((name) => /signature|hmac|digest/i.test(name))
    world.observe(
      names.length === 0
        ? 'no header has a name that suggests a signature'
        : `headers that may sign the body: ${names.join(', ')}`,
    )
  }),

  openCheck(
    'EVT-EVENT-01',
    'records the X-Hook-Event header of confidential issues',
    async (world) => {
      const hook = await world.createHook({ confidential_issues_events: true })
      await world.testHook(hook, 'confidential_issues_events')
      const delivery = await hook.mailbox.next(world.watchMs)
      world.observe(
        `a test call for confidential_issues_events: ${delivery === undefined ? `nothing was delivered within ${world.watchMs / 1000} s` : `X-Hook-Event ${delivery.header('x-hook-event') ?? 'missing'}`}`,
      )
    },
    ['hooks.testEvents.confidential_issues_events'],
  ),

  openCheck(
    'EVT-EVENT-02',
    'records whether a test call works for an event whose flag is false',
    async (world) => {
      const hook = await world.createHook({ push_events: false })
      const { status } = await world.send(world.request.test(hook.id, 'push_events'))
      await world.wait(world.watchMs)
      world.observe(
        `a test call for push_events, which is false: status ${status}, ${hook.mailbox.deliveries.length === 0 ? `nothing was delivered within ${world.watchMs / 1000} s` : 'delivered'}`,
      )
    },
  ),

  openCheck('EVT-PUSH-23', 'records how many of its commits a push lists', async (world) => {
    const { commits, total_commits_count: total } = ((await createAndReceive(world)).json ??
      {}) as {
      commits?: unknown
      total_commits_count?: unknown
    }
    world.observe(
      `commits of a push: ${Array.isArray(commits) ? commits.length : 'none'}; total_commits_count: ${String(total)}`,
    )
  }),

  openCheck(
    'EVT-FAILURE-02',
    'records whether a hook still works after a failed delivery',
    async (world) => {
      // EVT-HEADER-01 covers whether the deliveries after a failed one have the token.
      const hook = await world.createHook({
        push_events: true,
        token: `${world.newName()}-Failed`,
      })
      hook.mailbox.response = { status: 500 }
      await world.send(world.request.test(hook.id, 'push_events'))
      if ((await world.receiveDelivery(hook, { event: 'push' })) === undefined)
        throw new NotCovered(`nothing was delivered ${world.inTime} after the test call`)
      hook.mailbox.response = { status: 200 }
      const { status } = await world.send(world.request.test(hook.id, 'push_events'))
      const delivery = await world.receiveDelivery(
        hook,
        { event: 'push' },
        Math.max(world.watchMs, 1),
      )
      world.observe(
        `a second test call after a failed delivery: status ${status}, ${delivery === undefined ? `nothing was delivered within ${world.watchMs / 1000} s` : 'delivered'}`,
      )
    },
  ),

  openCheck('EVT-FAILURE-03', 'records how long the sender waits for a response', (world) =>
    // The receiver responds in the end. Otherwise a service that sends one delivery at a time would
    // deliver nothing to other checks until its own timeout.
    observeAfterFailure(world, `${world.watchMs / 1000} s without a response`, {
      status: 200,
      afterMs: world.watchMs + slackMs,
    }),
  ),

  openCheck('EVT-FAILURE-04', 'records whether a failed delivery is sent again', async (world) => {
    await Promise.all([
      observeAfterFailure(world, 'a 500', { status: 500 }),
      observeAfterFailure(world, 'a closed connection', 'close'),
    ])
  }),
]
