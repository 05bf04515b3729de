import type { HooksFactor } from './variation.ts'
import {
  onOperation,
  isObject,
  newState,
  changeFields,
  changeReplies,
  type Json,
} from './building.ts'
import { failure, HooksRefusal } from '../../../../mocks/stateful/hooks.ts'

const flagNamesIn = (fields: Json) =>
  Object.keys(fields).filter(
    (name) => name.endsWith('_events') || name === 'enable_ssl_verification',
  )
const isMissing = (status: number) => status === 404 || status === 400 || status === 403

/**
 * Violations of requirements of level `should` for the API. A service with such a violation
 * conforms, but the suite warns.
 */
export const lenient: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-CONFIG-17',
    name: 'flags that are not booleans',
    values: [
      { name: 'refused', description: 'Refuses flags that are not booleans.' },
      {
        name: 'treated as true',
        description: 'Treats every value of a flag except false as true.',
        unmet: ['HOOK-CONFIG-17', 'HOOK-CONFIG-21'],
        deviation: changeFields((fields) => ({
          ...fields,
          ...Object.fromEntries(flagNamesIn(fields).map((name) => [name, fields[name] !== false])),
        })),
      },
    ],
  },
  {
    requirement: 'HOOK-CONFIG-05',
    name: 'a url or token of another type',
    values: [
      { name: 'refused', description: 'Refuses a url or token that is not a string.' },
      {
        name: 'converted',
        description: 'Converts a url or token that is an object to a string.',
        unmet: ['HOOK-CONFIG-02', 'HOOK-CONFIG-05'],
        deviation: changeFields((fields) => ({
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
    name: 'bodies that are not JSON',
    values: [
      { name: 'refused', description: 'Refuses bodies that are not JSON.' },
      {
        name: 'the url is read from cut-off JSON',
        description: 'Reads the url from JSON that is cut off.',
        unmet: ['HOOK-CREATE-04'],
        deviation: onOperation('createHook', (call, next) => {
          const readFields = call.fields.bind(call)
          call.fields = () =>
            readFields().catch((error: unknown) => {
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
    name: 'creations in unknown projects',
    values: [
      { name: 'refused', description: 'Refuses a hook in an unknown project.' },
      {
        name: 'accepted',
        description: 'Accepts a hook in an unknown project.',
        unmet: ['HOOK-CREATE-06'],
        deviation: { rules: { isKnownProject: () => true } },
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-05',
    name: 'tests of unknown hooks',
    values: [
      { name: 'refused', description: 'Refuses test calls of unknown hooks.' },
      {
        name: 'accepted',
        description: 'Accepts every test call, and sends nothing for unknown hooks.',
        unmet: ['HOOK-TEST-05'],
        deviation: onOperation('testHook', async (call, next) => {
          const reply = await next()
          const known = call.server.store.get(call.params['hook_id'] ?? '') !== undefined
          return !known && isMissing(reply.status) ? { status: 202 } : reply
        }),
      },
    ],
  },
  {
    requirement: 'HOOK-TEST-03',
    name: 'repeated tests of a hook',
    values: [
      { name: 'accepted', description: 'Accepts any number of test calls of a hook.' },
      {
        name: 'refused',
        description: 'Refuses all test calls of a hook after the first one.',
        unmet: ['HOOK-TEST-03'],
        deviation: onOperation('testHook', (call, next) => {
          const tested = testedHooks(call)
          const id = call.params['hook_id'] ?? ''
          if (tested.has(id))
            return Promise.resolve(
              failure(call.server.choices, 422, 'This hook was tested a moment ago'),
            )
          if (call.headers['private-token'] === call.server.options.token) tested.add(id)
          return next()
        }),
      },
      {
        name: 'accepted but not delivered',
        notCombined: true,
        description: 'Accepts every test call of a hook, but sends only one delivery.',
        unmet: ['HOOK-TEST-03'],
        deviation: onOperation('testHook', (call, next) => {
          if (call.headers['private-token'] !== call.server.options.token) return next()
          const tested = testedHooks(call)
          const id = call.params['hook_id'] ?? ''
          if (tested.has(id)) return Promise.resolve({ status: 201, body: {} })
          tested.add(id)
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'HOOK-AUTH-06',
    name: 'case of the PRIVATE-TOKEN header',
    values: [
      { name: 'ignored', description: 'Ignores case in the name of the header.' },
      {
        name: 'only upper case is accepted',
        description: 'Accepts the header only in upper case.',
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
    name: 'status of refusals',
    values: [
      { name: '4xx', description: 'Refuses with a 4xx status.' },
      {
        name: '500',
        notCombined: true,
        description: 'Refuses with 500.',
        unmet: ['HOOK-ERROR-02'],
        deviation: changeReplies((reply) =>
          reply.status >= 400 ? { ...reply, status: 500 } : reply,
        ),
      },
      {
        name: 'a redirect to a login page',
        notCombined: true,
        description: 'Refuses with a redirect to a login page.',
        unmet: ['HOOK-ERROR-02'],
        deviation: changeReplies((reply) =>
          reply.status >= 400 ? { status: 302, headers: { Location: '/sign-in' } } : reply,
        ),
      },
    ],
  },
]

const testedHooks = newState(() => new Set<string>())
