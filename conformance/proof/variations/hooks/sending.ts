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
    requirement: 'EVT-DELIVERY-05',
    name: 'headers that are not listed',
    levels: [
      { name: 'none', description: 'Sends what is listed.' },
      {
        name: 'of the web',
        description: 'Sends what agents, proxies and traces add.',
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
    requirement: 'form',
    name: 'asking before a body',
    levels: [
      { name: 'no', description: 'Sends header and body at once.' },
      {
        name: 'yes',
        description: 'Asks with Expect whether to go on.',
        deviation: deliveries((delivery) => withHeaders(delivery, ['Expect', '100-continue'])),
      },
    ],
  },
  {
    requirement: 'EVT-DELIVERY-05',
    name: 'members that are not listed',
    levels: [
      { name: 'none', description: 'Tells what is listed.' },
      {
        name: 'everywhere',
        description: 'Tells more in every object.',
        choices: { payloadExtraFields: true },
      },
    ],
  },
  {
    requirement: 'EVT-AUTH-03',
    name: 'headers that prove the sender',
    levels: [
      { name: 'none', description: 'Signs nothing.' },
      { name: 'ids', description: 'Gives each delivery ids.', choices: { extraHeaders: 'ids' } },
      {
        name: 'a signature',
        description: 'Signs each body.',
        choices: { extraHeaders: 'signature' },
      },
    ],
  },
  {
    requirement: 'EVT-DELIVERY-06',
    name: 'how often a delivery comes',
    levels: [
      { name: 'once', description: 'Sends each delivery once.' },
      { name: 'twice', description: 'Sends each delivery twice.', choices: { copies: 2 } },
    ],
  },
  {
    requirement: 'EVT-DELIVERY-06',
    name: 'the order of deliveries',
    levels: [
      { name: 'as they were asked for', description: 'Sends them as they were asked for.' },
      {
        name: 'another',
        description: 'Keeps some back while later ones go out.',
        deviation: deliveries(async (delivery) => {
          await sleep((Number(delivery.hook.id) || 1) % 3 === 0 ? 10 : 0)
          return delivery
        }),
      },
    ],
  },
  {
    requirement: 'EVT-DELIVERY-06',
    name: 'requests beside deliveries',
    levels: [
      { name: 'none', description: 'Sends deliveries alone.' },
      {
        name: 'a greeting',
        description: 'Greets a new hook with an event of its own.',
        deviation: before('POST', [['X-Hook-Event', 'Ping Hook']], '{"object_kind":"ping"}'),
      },
      {
        name: 'a look',
        notCombined: true,
        description: 'Looks whether the url of a new hook answers.',
        deviation: before('HEAD', [], ''),
      },
    ],
  },
  {
    requirement: 'EVT-FAILURE-05',
    name: 'deliveries at a time',
    levels: [
      { name: 'many', description: 'Sends many at a time.' },
      {
        name: 'one',
        description: 'Sends one at a time to each hook.',
        deviation: { rules: { concurrency: 1 } },
      },
      {
        name: 'a slow one',
        notCombined: true,
        description: 'Rests before each of them.',
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
    requirement: 'EVT-FAILURE-06',
    name: 'the size of payloads',
    levels: [
      { name: 'ordinary', description: 'Sends some kilobytes.' },
      {
        name: 'large',
        notCombined: true,
        description: 'Sends a megabyte with every push.',
        deviation: payloads(({ commits }) => {
          if (Array.isArray(commits) && commits.length > 0)
            (commits[0] as { message: string }).message = 'Много слов 🌊\n'.repeat(50_000)
        }),
      },
    ],
  },
  {
    requirement: 'EVT-FAILURE-07',
    name: 'a mark of the version',
    levels: [
      { name: 'none', description: 'Has none.' },
      {
        name: 'a member and a header',
        description: 'Tells the version of its payloads.',
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
    requirement: 'EVT-HEADER-04',
    name: 'product and version',
    levels: [
      { name: 'its own', description: 'Names this product.' },
      { name: 'with a comment', description: 'Adds a comment.', choices: { userAgent: 'comment' } },
      {
        name: 'a foreign one',
        description: 'Names another product and a version with letters.',
        choices: { userAgent: 'foreign' },
      },
    ],
  },
]
