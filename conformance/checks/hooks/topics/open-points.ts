import { events } from '../../../../generated/events/contract.ts'
import { NotCovered } from '../../../engine/index.ts'
import type { DeliveryResponse, Delivery } from '../../../wire/index.ts'
import { deliveryCheck } from '../support/define.ts'
import type { HooksNeed } from '../target.ts'
import type { HooksWorld } from '../support/world.ts'

/** Header names of HTTP itself, which say nothing about the sender. */
const commonHeaders =
  /^(host|connection|content-(type|length|encoding)|transfer-encoding|accept(-encoding|-language)?|user-agent|x-hook-(event|token)|date|te|expect|cache-control)$/i

/** Makes a hook, has it tested, and gives what came; not covered where nothing did. */
async function createAndReceive(
  { createHook, testHook, receiveDelivery }: HooksWorld,
  fields: Record<string, unknown> = {},
): Promise<Delivery> {
  const hook = await createHook({ push_events: true, ...fields })
  await testHook(hook)
  const delivery = await receiveDelivery(hook, { event: 'push' })
  if (delivery === undefined) throw new NotCovered('nothing was delivered')
  return delivery
}

/** What comes to a hook whose receiver fails in that way, for as long as the suite watches. */
async function observeAfterFailure(
  world: HooksWorld,
  words: string,
  answer: DeliveryResponse,
): Promise<void> {
  const { createHook, send, observe, request, wait, watchMs } = world
  const hook = await createHook({ push_events: true })
  hook.mailbox.response = answer
  const call = send(request.test(hook.id, 'push_events'))
  const first = await world.receiveDelivery(hook, { event: 'push' })
  if (first === undefined) throw new NotCovered('nothing was delivered')
  await wait(watchMs)
  hook.mailbox.response = { status: 200 }
  const again = hook.mailbox.deliveries.length - 1
  const { status, failure } = await call
  observe(
    `after ${words}: ${again === 0 ? 'not sent again' : `sent again ${again} times`} within ${watchMs / 1000} s; the test call: ${status ?? failure}`,
  )
}

const openCheck = (
  requirement: Parameters<typeof deliveryCheck>[0],
  title: string,
  run: (world: HooksWorld) => Promise<void>,
  needs: readonly HooksNeed[] = [],
) => deliveryCheck(requirement, { title, root: 'HOOK-TEST-02', needs, run })

export const openPoints = [
  openCheck('EVT-DELIVERY-05', 'sends more than is listed, or does not', async (world) => {
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
      `further headers: ${headers.join(', ') || 'none'}; further members of a push: ${members.join(', ') || 'none'}`,
    )
  }),

  openCheck('EVT-DELIVERY-06', 'sends once, or more than once', async (world) => {
    const hook = await world.createHook({ push_events: true })
    await world.testHook(hook)
    if ((await world.receiveDelivery(hook, { event: 'push' })) === undefined)
      throw new NotCovered('nothing was delivered')
    await world.wait(world.watchMs)
    world.observe(
      `one test call: ${hook.mailbox.deliveries.length} deliveries within ${world.watchMs / 1000} s`,
    )
  }),

  openCheck('EVT-HEADER-05', 'meets a token that is empty', async (world) => {
    const token = (await createAndReceive(world, { token: '' })).header('x-hook-token')
    world.observe(
      `the token of a hook is empty: ${token === undefined ? 'no X-Hook-Token' : `X-Hook-Token is ${token === '' ? 'empty' : 'another text'}`}`,
    )
  }),

  openCheck('EVT-AUTH-03', 'signs its payloads, or does not', async (world) => {
    const names = (await createAndReceive(world, { token: world.newName() })).headers
      .map(([name]) => name)
      .filter((name) => /signature|hmac|digest/i.test(name))
    world.observe(
      names.length === 0
        ? 'no header signs the body'
        : `headers that may sign the body: ${names.join(', ')}`,
    )
  }),

  openCheck(
    'EVT-EVENT-01',
    'delivers confidential issues under some header',
    async (world) => {
      const hook = await world.createHook({ confidential_issues_events: true })
      await world.testHook(hook, 'confidential_issues_events')
      const delivery = await hook.mailbox.next(world.watchMs)
      world.observe(
        `a test call for confidential_issues_events: ${delivery === undefined ? 'nothing came' : `X-Hook-Event ${delivery.header('x-hook-event') ?? 'absent'}`}`,
      )
    },
    ['hooks.triggers.confidential_issues_events'],
  ),

  openCheck(
    'EVT-EVENT-02',
    'carries out test calls for an event that is off, or does not',
    async (world) => {
      const hook = await world.createHook({ push_events: false })
      const { status } = await world.send(world.request.test(hook.id, 'push_events'))
      await world.wait(world.watchMs)
      world.observe(
        `a test call for push_events where it is off: ${status}, ${hook.mailbox.deliveries.length === 0 ? 'nothing came' : 'delivered'}`,
      )
    },
  ),

  openCheck('EVT-PUSH-23', 'lists some of the commits, or all', async (world) => {
    const { commits, total_commits_count: total } = ((await createAndReceive(world)).json ??
      {}) as {
      commits?: unknown
      total_commits_count?: unknown
    }
    world.observe(
      `a push lists ${Array.isArray(commits) ? commits.length : 'no'} commits, and counts ${String(total)}`,
    )
  }),

  openCheck('EVT-FAILURE-02', 'keeps a hook that failed, or does not', async (world) => {
    const hook = await world.createHook({ push_events: true })
    hook.mailbox.response = { status: 500 }
    await world.send(world.request.test(hook.id, 'push_events'))
    if ((await world.receiveDelivery(hook, { event: 'push' })) === undefined)
      throw new NotCovered('nothing was delivered')
    hook.mailbox.response = { status: 200 }
    const { status } = await world.send(world.request.test(hook.id, 'push_events'))
    const delivery = await world.receiveDelivery(
      hook,
      { event: 'push' },
      Math.max(world.watchMs, 1),
    )
    world.observe(
      `a hook whose delivery failed, tested again: ${status}, ${delivery === undefined ? 'nothing came' : 'delivered'}`,
    )
  }),

  openCheck('EVT-FAILURE-03', 'waits for an answer for some time', (world) =>
    observeAfterFailure(world, 'no answer at all', 'silence'),
  ),

  openCheck('EVT-FAILURE-04', 'sends a failed delivery again, or does not', async (world) => {
    await Promise.all([
      observeAfterFailure(world, 'a 500', { status: 500 }),
      observeAfterFailure(world, 'a closed connection', 'close'),
    ])
  }),
]
