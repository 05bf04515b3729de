import { setTimeout as sleep } from 'node:timers/promises'
import type { Header } from '../../../../mocks/deliveries/headers.ts'
import { send } from '../../../../mocks/deliveries/send.ts'
import type { HooksFactor } from './variation.ts'
import { at, deliveries, payloads, withHeaders } from './building.ts'

/** Sends something to each new hook before its creation is answered. */
const before = (method: string, headers: Header[], body: string) =>
  at('createHook', async (call, next) => {
    const reply = await next()
    const { url } = await call.fields().catch(() => ({ url: undefined }))
    if (reply.status < 300 && typeof url === 'string')
      await send({ url, method, headers, body }, { timeoutMs: 500 })
    return reply
  })

/** When and how often deliveries come, and what stands around their payloads. */
export const sending: readonly HooksFactor[] = [
  {
    row: 'EVT-DELIVERY-05',
    factor: 'headers that are not listed',
    levels: [
      { name: 'none', says: 'Sends what is listed.' },
      {
        name: 'of the web',
        says: 'Sends what agents, proxies and traces add.',
        deviation: deliveries((delivery) =>
          withHeaders(
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
    row: 'form',
    factor: 'asking before a body',
    levels: [
      { name: 'no', says: 'Sends header and body at once.' },
      {
        name: 'yes',
        says: 'Asks with Expect whether to go on.',
        deviation: deliveries((delivery) => withHeaders(delivery, ['Expect', '100-continue'])),
      },
    ],
  },
  {
    row: 'EVT-DELIVERY-05',
    factor: 'members that are not listed',
    levels: [
      { name: 'none', says: 'Tells what is listed.' },
      {
        name: 'everywhere',
        says: 'Tells more in every object.',
        choices: { payloadExtraFields: true },
      },
    ],
  },
  {
    row: 'EVT-AUTH-03',
    factor: 'headers that prove the sender',
    levels: [
      { name: 'none', says: 'Signs nothing.' },
      { name: 'ids', says: 'Gives each delivery ids.', choices: { extraHeaders: 'ids' } },
      { name: 'a signature', says: 'Signs each body.', choices: { extraHeaders: 'signature' } },
    ],
  },
  {
    row: 'EVT-DELIVERY-06',
    factor: 'how often a delivery comes',
    levels: [
      { name: 'once', says: 'Sends each delivery once.' },
      { name: 'twice', says: 'Sends each delivery twice.', choices: { copies: 2 } },
    ],
  },
  {
    row: 'EVT-DELIVERY-06',
    factor: 'the order of deliveries',
    levels: [
      { name: 'as they were asked for', says: 'Sends them as they were asked for.' },
      {
        name: 'another',
        says: 'Keeps some back while later ones go out.',
        deviation: deliveries(async (delivery) => {
          await sleep((Number(delivery.hook.id) || 1) % 3 === 0 ? 10 : 0)
          return delivery
        }),
      },
    ],
  },
  {
    row: 'EVT-DELIVERY-06',
    factor: 'requests beside deliveries',
    levels: [
      { name: 'none', says: 'Sends deliveries alone.' },
      {
        name: 'a greeting',
        says: 'Greets a new hook with an event of its own.',
        deviation: before('POST', [['X-Hook-Event', 'Ping Hook']], '{"object_kind":"ping"}'),
      },
      {
        name: 'a look',
        alone: true,
        says: 'Looks whether the url of a new hook answers.',
        deviation: before('HEAD', [], ''),
      },
    ],
  },
  {
    row: 'EVT-FAILURE-05',
    factor: 'deliveries at a time',
    levels: [
      { name: 'many', says: 'Sends many at a time.' },
      {
        name: 'one',
        says: 'Sends one at a time to each hook.',
        deviation: { rules: { concurrency: 1 } },
      },
      {
        name: 'a slow one',
        alone: true,
        says: 'Rests before each of them.',
        deviation: {
          rules: { concurrency: 1 },
          ...deliveries(async (delivery) => {
            await sleep(30)
            return delivery
          }),
        },
      },
    ],
  },
  {
    row: 'EVT-FAILURE-06',
    factor: 'the size of payloads',
    levels: [
      { name: 'ordinary', says: 'Sends some kilobytes.' },
      {
        name: 'large',
        alone: true,
        says: 'Sends a megabyte with every push.',
        deviation: payloads(({ commits }) => {
          if (Array.isArray(commits) && commits.length > 0)
            (commits[0] as { message: string }).message = 'Много слов 🌊\n'.repeat(50_000)
        }),
      },
    ],
  },
  {
    row: 'EVT-FAILURE-07',
    factor: 'a mark of the version',
    levels: [
      { name: 'none', says: 'Has none.' },
      {
        name: 'a member and a header',
        says: 'Tells the version of its payloads.',
        deviation: deliveries((delivery) =>
          withHeaders({ ...delivery, body: { version: '2026-03', ...delivery.body } }, [
            'X-Hook-Version',
            '2',
          ]),
        ),
      },
    ],
  },
  {
    row: 'EVT-HEADER-04',
    factor: 'product and version',
    levels: [
      { name: 'its own', says: 'Names this product.' },
      { name: 'with a comment', says: 'Adds a comment.', choices: { userAgent: 'comment' } },
      {
        name: 'a foreign one',
        says: 'Names another product and a version with letters.',
        choices: { userAgent: 'foreign' },
      },
    ],
  },
]
