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
    requirement: 'HOOK-CONFIG-17',
    name: 'flags that are no booleans',
    levels: [
      { name: 'refused', description: 'Refuses them.' },
      {
        name: 'on',
        description: 'Takes whatever is not false for true.',
        unmet: ['HOOK-CONFIG-17', 'HOOK-CONFIG-21'],
        deviation: reads((fields) => ({
          ...fields,
          ...Object.fromEntries(flags(fields).map((name) => [name, fields[name] !== false])),
        })),
      },
    ],
  },
  {
    requirement: 'HOOK-CONFIG-05',
    name: 'texts that are none',
    levels: [
      { name: 'refused', description: 'Refuses them.' },
      {
        name: 'written as text',
        description: 'Takes whatever comes for its text.',
        unmet: ['HOOK-CONFIG-02', 'HOOK-CONFIG-05'],
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
    requirement: 'HOOK-CREATE-04',
    name: 'bodies that are no JSON',
    levels: [
      { name: 'refused', description: 'Refuses them.' },
      {
        name: 'mended',
        description: 'Mends them where it can.',
        unmet: ['HOOK-CREATE-04'],
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
    requirement: 'HOOK-CREATE-06',
    name: 'projects that do not exist',
    levels: [
      { name: 'refused', description: 'Refuses a hook for them.' },
      {
        name: 'made',
        description: 'Makes a project where there is none.',
        unmet: ['HOOK-CREATE-06'],
        deviation: { rules: { isKnownProject: () => true } },
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-05',
    name: 'tests of hooks that do not exist',
    levels: [
      { name: 'refused', description: 'Refuses them.' },
      {
        name: 'accepted',
        description: 'Accepts every test, and finds out later that there is nothing.',
        unmet: ['HOOK-TEST-05'],
        deviation: at('testHook', async (call, next) => {
          const reply = await next()
          const known = call.server.store.get(call.params['hook_id'] ?? '') !== undefined
          return !known && isMissing(reply.status) ? { status: 202 } : reply
        }),
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-03',
    name: 'tests of one hook',
    levels: [
      { name: 'as many as you like', description: 'Tests a hook again and again.' },
      {
        name: 'one',
        description: 'Tests a hook once, and then refuses for a while.',
        unmet: ['HOOK-TEST-03'],
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
        notCombined: true,
        description: 'Takes every test call, and delivers once in a while.',
        unmet: ['HOOK-TEST-03'],
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
    requirement: 'HOOK-AUTH-06',
    name: 'the name of the header',
    levels: [
      { name: 'in any case', description: 'Knows it in any case of letters.' },
      {
        name: 'in capitals',
        description: 'Knows it in capitals alone.',
        unmet: ['HOOK-AUTH-06'],
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
    requirement: 'HOOK-ERROR-02',
    name: 'the class of refusals',
    levels: [
      { name: 'of the client', description: 'Refuses with a status of the 400s.' },
      {
        name: 'of the server',
        notCombined: true,
        description: 'Refuses with 500.',
        unmet: ['HOOK-ERROR-02'],
        deviation: replies((reply) => (reply.status >= 400 ? { ...reply, status: 500 } : reply)),
      },
      {
        name: 'elsewhere',
        notCombined: true,
        description: 'Refuses by leading to a page.',
        unmet: ['HOOK-ERROR-02'],
        deviation: replies((reply) =>
          reply.status >= 400 ? { status: 302, headers: { Location: '/sign-in' } } : reply,
        ),
      },
    ],
  },
]

const once = kept(() => new Set<string>())
