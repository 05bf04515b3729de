import { events } from '../../../../generated/events/contract.ts'
import { NotCovered } from '../../../engine/index.ts'
import type { DeliveryResponse, Delivery } from '../../../wire/index.ts'
import { deliveryCheck } from '../support/define.ts'
import type { HooksNeed } from '../target.ts'
import type { HooksWorld } from '../support/world.ts'

/** Header names of HTTP itself, which say nothing about the sender. */
const common =
  /^(host|connection|content-(type|length|encoding)|transfer-encoding|accept(-encoding|-language)?|user-agent|x-hook-(event|token)|date|te|expect|cache-control)$/i

/** Makes a hook, has it tested, and gives what came; not covered where nothing did. */
async function delivered(
  { hook, test, arrival }: HooksWorld,
  fields: Record<string, unknown> = {},
): Promise<Delivery> {
  const made = await hook({ push_events: true, ...fields })
  await test(made)
  const delivery = await arrival(made, { event: 'push' })
  if (delivery === undefined) throw new NotCovered('nothing was delivered')
  return delivery
}

/** What comes to a hook whose receiver fails in that way, for as long as the suite watches. */
async function after(world: HooksWorld, words: string, answer: DeliveryResponse): Promise<void> {
  const { hook, send, observe, request, wait, watch } = world
  const made = await hook({ push_events: true })
  made.mailbox.answer = answer
  const call = send(request.test(made.id, 'push_events'))
  const first = await world.arrival(made, { event: 'push' })
  if (first === undefined) throw new NotCovered('nothing was delivered')
  await wait(watch)
  made.mailbox.answer = { status: 200 }
  const again = made.mailbox.deliveries.length - 1
  const { status, failure } = await call
  observe(
    `after ${words}: ${again === 0 ? 'not sent again' : `sent again ${again} times`} within ${watch / 1000} s; the test call: ${status ?? failure}`,
  )
}

const silence = (
  requirement: Parameters<typeof deliveryCheck>[0],
  title: string,
  play: (world: HooksWorld) => Promise<void>,
  needs: readonly HooksNeed[] = [],
) => deliveryCheck(requirement, { title, root: 'HOOK-TEST-02', needs, run: play })

export const silences = [
  silence('EVT-DELIVERY-05', 'sends more than is listed, or does not', async (world) => {
    const delivery = await delivered(world)
    const headers = [
      ...new Set(delivery.headers.map(([name]) => name).filter((name) => !common.test(name))),
    ]
    const listed = new Set(events.push.payload.fields.map(({ path }) => path))
    const members = Object.keys((delivery.json ?? {}) as object).filter(
      (name) => !listed.has(`/${name}`),
    )
    world.observe(
      `further headers: ${headers.join(', ') || 'none'}; further members of a push: ${members.join(', ') || 'none'}`,
    )
  }),

  silence('EVT-DELIVERY-06', 'sends once, or more than once', async (world) => {
    const made = await world.hook({ push_events: true })
    await world.test(made)
    if ((await world.arrival(made, { event: 'push' })) === undefined)
      throw new NotCovered('nothing was delivered')
    await world.wait(world.watch)
    world.observe(
      `one test call: ${made.mailbox.deliveries.length} deliveries within ${world.watch / 1000} s`,
    )
  }),

  silence('EVT-HEADER-05', 'meets a token that is empty', async (world) => {
    const token = (await delivered(world, { token: '' })).header('x-hook-token')
    world.observe(
      `the token of a hook is empty: ${token === undefined ? 'no X-Hook-Token' : `X-Hook-Token is ${token === '' ? 'empty' : 'another text'}`}`,
    )
  }),

  silence('EVT-AUTH-03', 'signs its payloads, or does not', async (world) => {
    const names = (await delivered(world, { token: world.name() })).headers
      .map(([name]) => name)
      .filter((name) => /signature|hmac|digest/i.test(name))
    world.observe(
      names.length === 0
        ? 'no header signs the body'
        : `headers that may sign the body: ${names.join(', ')}`,
    )
  }),

  silence(
    'EVT-EVENT-01',
    'delivers confidential issues under some header',
    async (world) => {
      const made = await world.hook({ confidential_issues_events: true })
      await world.test(made, 'confidential_issues_events')
      const delivery = await made.mailbox.next(world.watch)
      world.observe(
        `a test call for confidential_issues_events: ${delivery === undefined ? 'nothing came' : `X-Hook-Event ${delivery.header('x-hook-event') ?? 'absent'}`}`,
      )
    },
    ['hooks.triggers.confidential_issues_events'],
  ),

  silence(
    'EVT-EVENT-02',
    'carries out test calls for an event that is off, or does not',
    async (world) => {
      const made = await world.hook({ push_events: false })
      const { status } = await world.send(world.request.test(made.id, 'push_events'))
      await world.wait(world.watch)
      world.observe(
        `a test call for push_events where it is off: ${status}, ${made.mailbox.deliveries.length === 0 ? 'nothing came' : 'delivered'}`,
      )
    },
  ),

  silence('EVT-PUSH-23', 'lists some of the commits, or all', async (world) => {
    const { commits, total_commits_count: total } = ((await delivered(world)).json ?? {}) as {
      commits?: unknown
      total_commits_count?: unknown
    }
    world.observe(
      `a push lists ${Array.isArray(commits) ? commits.length : 'no'} commits, and counts ${String(total)}`,
    )
  }),

  silence('EVT-FAILURE-02', 'keeps a hook that failed, or does not', async (world) => {
    const made = await world.hook({ push_events: true })
    made.mailbox.answer = { status: 500 }
    await world.send(world.request.test(made.id, 'push_events'))
    if ((await world.arrival(made, { event: 'push' })) === undefined)
      throw new NotCovered('nothing was delivered')
    made.mailbox.answer = { status: 200 }
    const { status } = await world.send(world.request.test(made.id, 'push_events'))
    const delivery = await world.arrival(made, { event: 'push' }, Math.max(world.watch, 1))
    world.observe(
      `a hook whose delivery failed, tested again: ${status}, ${delivery === undefined ? 'nothing came' : 'delivered'}`,
    )
  }),

  silence('EVT-FAILURE-03', 'waits for an answer for some time', (world) =>
    after(world, 'no answer at all', 'silence'),
  ),

  silence('EVT-FAILURE-04', 'sends a failed delivery again, or does not', async (world) => {
    await Promise.all([
      after(world, 'a 500', { status: 500 }),
      after(world, 'a closed connection', 'close'),
    ])
  }),
]
