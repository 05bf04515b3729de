import { setTimeout as sleep } from 'node:timers/promises'
import { defaultRules, type OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { Header } from '../../../../mocks/deliveries/headers.ts'
import { send } from '../../../../mocks/deliveries/send.ts'
import type { HooksFactor } from './variation.ts'
import { onOperation, changeDeliveries, changePayloads, addHeaders } from './building.ts'

/** Sends a request to the url of each new hook, before the response to its creation. */
const sendBeforeReply = (method: string, headers: Header[], body: string) =>
  onOperation('createHook', async (call, next) => {
    const reply = await next()
    const { url } = await call.fields().catch(() => ({ url: undefined }))
    if (reply.status < 300 && typeof url === 'string')
      await send({ url, method, headers, body }, { timeoutMs: 500 })
    return reply
  })

/**
 * Returns a function that releases deliveries one after the other. `pause` is the time between two
 * of them, in milliseconds.
 */
function queueWithPauses(pause: number) {
  let previous: Promise<unknown> = Promise.resolve()
  return (delivery: OutgoingDelivery): Promise<OutgoingDelivery> => {
    previous = previous.then(() => sleep(pause))
    return previous.then(() => delivery)
  }
}

/** Choices about when and how often deliveries are sent, and about their headers. */
export const sending: readonly HooksFactor[] = [
  {
    requirement: 'EVT-DELIVERY-05',
    name: 'additional headers',
    values: [
      { name: 'none', description: 'Sends only the documented headers.' },
      {
        name: 'headers that HTTP clients and proxies add',
        description: 'Sends headers that clients, proxies and tracing add.',
        deviation: changeDeliveries((delivery) =>
          addHeaders(
            delivery,
            ['Accept', '*/*'],
            ['X-Forwarded-For', '203.0.113.7'],
            ['traceparent', `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`],
            ['X-Empty', ''],
          ),
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'new hooks',
    values: [
      { name: 'active at once', description: 'Delivers events to a hook as soon as it exists.' },
      {
        name: 'active after a moment',
        notCombined: true,
        description: 'Begins to deliver events to a hook 150 ms after its creation.',
        deviation: {
          rules: {
            receivesEvent: (hook, ...event) =>
              Date.now() - hook.createdAt >= 150 && defaultRules.receivesEvent(hook, ...event),
          },
        },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'header Expect',
    values: [
      { name: 'not sent', description: 'Sends headers and body together.' },
      {
        name: 'sent',
        description: 'Sends Expect: 100-continue before the body.',
        deviation: changeDeliveries((delivery) => addHeaders(delivery, ['Expect', '100-continue'])),
      },
    ],
  },
  {
    requirement: 'EVT-DELIVERY-05',
    name: 'additional fields',
    values: [
      { name: 'none', description: 'Sends only the documented members.' },
      {
        name: 'some in every object',
        description: 'Adds undocumented members to every object.',
        choices: { payloadExtraFields: true },
      },
    ],
  },
  {
    requirement: 'EVT-AUTH-03',
    name: 'header with an id or a signature',
    values: [
      { name: 'none', description: 'Sends no signature.' },
      {
        name: 'the id of the delivery',
        description: 'Sends an id with each delivery.',
        choices: { extraHeaders: 'ids' },
      },
      {
        name: 'the signature of the body',
        description: 'Sends a signature of each body.',
        choices: { extraHeaders: 'signature' },
      },
    ],
  },
  {
    requirement: 'EVT-DELIVERY-06',
    name: 'arrival of a delivery',
    values: [
      { name: 'once', description: 'Sends each delivery once.' },
      { name: 'twice', description: 'Sends each delivery twice.', choices: { copies: 2 } },
    ],
  },
  {
    requirement: 'EVT-DELIVERY-06',
    name: 'order of deliveries',
    values: [
      {
        name: 'the order of the test calls',
        description: 'Sends deliveries in the order of the test calls.',
      },
      {
        name: 'another order',
        description: 'Delays some deliveries, so that later ones overtake them.',
        deviation: changeDeliveries(async (delivery) => {
          await sleep((Number(delivery.hook.id) || 1) % 3 === 0 ? 10 : 0)
          return delivery
        }),
      },
    ],
  },
  {
    requirement: 'EVT-DELIVERY-06',
    name: 'other requests to a receiver',
    values: [
      { name: 'none', description: 'Sends only deliveries.' },
      {
        name: 'a ping to the URL of a new hook',
        description: 'Sends a ping to a new hook.',
        deviation: sendBeforeReply(
          'POST',
          [['X-Hook-Event', 'Ping Hook']],
          '{"object_kind":"ping"}',
        ),
      },
      {
        name: 'a HEAD request to the URL of a new hook',
        notCombined: true,
        description: 'Sends a HEAD request to the url of a new hook.',
        deviation: sendBeforeReply('HEAD', [], ''),
      },
    ],
  },
  {
    requirement: 'EVT-FAILURE-05',
    name: 'concurrent deliveries',
    values: [
      { name: 'many', description: 'Sends many deliveries at the same time.' },
      {
        name: 'at most one per hook',
        description: 'Sends one delivery at a time to each hook.',
        deviation: { rules: { concurrency: 1 } },
      },
      {
        name: 'at most one per hook, with pauses',
        notCombined: true,
        description: 'Sends one delivery at a time to each hook, and waits before each.',
        deviation: {
          rules: { concurrency: 1 },
          ...changeDeliveries(async (delivery) => {
            await sleep(30)
            return delivery
          }),
        },
      },
      {
        name: 'at most one for all hooks together',
        notCombined: true,
        description: 'Sends one delivery at a time to all hooks together, with pauses.',
        deviation: { rules: { concurrency: 1 }, ...changeDeliveries(queueWithPauses(15)) },
      },
    ],
  },
  {
    requirement: 'EVT-FAILURE-06',
    name: 'size of payloads',
    values: [
      { name: 'a few kilobytes', description: 'Sends payloads of a few kilobytes.' },
      {
        name: 'more than a megabyte',
        notCombined: true,
        description: 'Sends pushes with a commit message of more than a megabyte.',
        deviation: changePayloads(({ commits }) => {
          if (Array.isArray(commits) && commits.length > 0)
            (commits[0] as { message: string }).message = 'Много слов 🌊\n'.repeat(50_000)
        }),
      },
    ],
  },
  {
    requirement: 'EVT-FAILURE-07',
    name: 'version of the payload format',
    values: [
      { name: 'none', description: 'Sends no version.' },
      {
        name: 'in a field and in a header',
        description: 'Sends the version of the payload in a field and in a header.',
        deviation: changeDeliveries((delivery) =>
          addHeaders({ ...delivery, body: { version: '2026-03', ...delivery.body } }, [
            'X-Hook-Version',
            '2',
          ]),
        ),
      },
    ],
  },
  {
    requirement: 'EVT-HEADER-04',
    name: 'product and version',
    values: [
      { name: 'its own', description: 'Sends the name and the version of Touchstone.' },
      {
        name: 'with a comment',
        description: 'Sends the name and the version of Touchstone, with a comment.',
        choices: { userAgent: 'comment' },
      },
      {
        name: 'another product',
        description: 'Sends the name of another product, and a version with letters.',
        choices: { userAgent: 'foreign' },
      },
    ],
  },
]
