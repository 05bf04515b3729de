import type { HooksFactor } from './variation.ts'
import { at, deliveries, isObject, kept, reads, replies, type Json } from './building.ts'
import { failure, HooksRefusal } from '../../../../mocks/stateful/hooks.ts'

const flags = (fields: Json) =>
  Object.keys(fields).filter(
    (name) => name.endsWith('_events') || name === 'enable_ssl_verification',
  )
const isMissing = (status: number) => status === 404 || status === 400 || status === 403

/** Demands of level `should` of the API: a service that leaves one unkept is legal, and warned of. */
export const lenient: readonly HooksFactor[] = [
  {
    row: 'HOOK-CONFIG-17',
    factor: 'flags that are no booleans',
    levels: [
      { name: 'refused', says: 'Refuses them.' },
      {
        name: 'on',
        says: 'Takes whatever is not false for true.',
        warns: ['HOOK-CONFIG-17', 'HOOK-CONFIG-21'],
        deviation: reads((fields) => ({
          ...fields,
          ...Object.fromEntries(flags(fields).map((name) => [name, fields[name] !== false])),
        })),
      },
    ],
  },
  {
    row: 'HOOK-CONFIG-05',
    factor: 'texts that are none',
    levels: [
      { name: 'refused', says: 'Refuses them.' },
      {
        name: 'written as text',
        says: 'Takes whatever comes for its text.',
        warns: ['HOOK-CONFIG-02', 'HOOK-CONFIG-05'],
        deviation: reads((fields) => ({
          ...fields,
          ...(isObject(fields['url'])
            ? { url: `http://127.0.0.1:9/${encodeURIComponent(JSON.stringify(fields['url']))}` }
            : {}),
          ...(isObject(fields['token']) ? { token: JSON.stringify(fields['token']) } : {}),
        })),
      },
    ],
  },
  {
    row: 'HOOK-CREATE-04',
    factor: 'bodies that are no JSON',
    levels: [
      { name: 'refused', says: 'Refuses them.' },
      {
        name: 'mended',
        says: 'Mends them where it can.',
        warns: ['HOOK-CREATE-04'],
        deviation: at('createHook', (call, next) => {
          const right = call.fields.bind(call)
          call.fields = () =>
            right().catch((error: unknown) => {
              if (!(error instanceof HooksRefusal) || error.reason !== 'body-not-json') throw error
              return { url: 'http://unfinished' }
            })
          return next()
        }),
      },
    ],
  },
  {
    row: 'HOOK-CREATE-06',
    factor: 'projects that do not exist',
    levels: [
      { name: 'refused', says: 'Refuses a hook for them.' },
      {
        name: 'made',
        says: 'Makes a project where there is none.',
        warns: ['HOOK-CREATE-06'],
        deviation: { rules: { isKnownProject: () => true } },
      },
    ],
  },
  {
    row: 'HOOK-TEST-05',
    factor: 'tests of hooks that do not exist',
    levels: [
      { name: 'refused', says: 'Refuses them.' },
      {
        name: 'accepted',
        says: 'Accepts every test, and finds out later that there is nothing.',
        warns: ['HOOK-TEST-05'],
        deviation: at('testHook', async (call, next) => {
          const reply = await next()
          const known = call.server.store.get(call.params['hook_id'] ?? '') !== undefined
          return !known && isMissing(reply.status) ? { status: 202 } : reply
        }),
      },
    ],
  },
  {
    row: 'HOOK-TEST-03',
    factor: 'tests of one hook',
    levels: [
      { name: 'as many as you like', says: 'Tests a hook again and again.' },
      {
        name: 'one',
        says: 'Tests a hook once, and then refuses for a while.',
        warns: ['HOOK-TEST-03'],
        deviation: at('testHook', (call, next) => {
          const tested = once(call)
          const id = call.params['hook_id'] ?? ''
          if (tested.has(id))
            return Promise.resolve(
              failure(call.server.choices, 422, 'This hook was tested just now'),
            )
          if (call.headers['private-token'] === call.server.options.token) tested.add(id)
          return next()
        }),
      },
      {
        name: 'one delivery',
        alone: true,
        says: 'Takes every test call, and delivers once in a while.',
        warns: ['HOOK-TEST-03'],
        deviation: (() => {
          const seen = new WeakSet<object>()
          return deliveries((delivery) => {
            if (seen.has(delivery.hook)) return undefined
            seen.add(delivery.hook)
            return delivery
          })
        })(),
      },
    ],
  },
  {
    row: 'HOOK-AUTH-06',
    factor: 'the name of the header',
    levels: [
      { name: 'in any case', says: 'Knows it in any case of letters.' },
      {
        name: 'in capitals',
        says: 'Knows it in capitals alone.',
        warns: ['HOOK-AUTH-06'],
        deviation: {
          around: (call, next) => {
            const name =
              call.request.rawHeaders.find((header) => /^private-token$/i.test(header)) ??
              'PRIVATE-TOKEN'
            return name === 'PRIVATE-TOKEN' ? next() : Promise.resolve({ status: 401 })
          },
        },
      },
    ],
  },
  {
    row: 'HOOK-ERROR-02',
    factor: 'the class of refusals',
    levels: [
      { name: 'of the client', says: 'Refuses with a status of the 400s.' },
      {
        name: 'of the server',
        alone: true,
        says: 'Refuses with 500.',
        warns: ['HOOK-ERROR-02'],
        deviation: replies((reply) => (reply.status >= 400 ? { ...reply, status: 500 } : reply)),
      },
      {
        name: 'elsewhere',
        alone: true,
        says: 'Refuses by leading to a page.',
        warns: ['HOOK-ERROR-02'],
        deviation: replies((reply) =>
          reply.status >= 400 ? { status: 302, headers: { Location: '/sign-in' } } : reply,
        ),
      },
    ],
  },
]

const once = kept(() => new Set<string>())
