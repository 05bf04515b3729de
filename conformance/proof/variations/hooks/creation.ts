import { failure } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFactor } from './variation.ts'
import { onOperation, changeDeliveries } from './building.ts'

/** What a creation accepts, and its effect. */
export const creation: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-CONFIG-03',
    name: 'urls that are not HTTP URLs',
    values: [
      { name: 'refused', description: 'Refuses a url that is not an absolute HTTP URL.' },
      {
        name: 'accepted',
        description: 'Accepts any string as a url.',
        choices: { invalidUrls: 'accept' },
      },
    ],
  },
  {
    requirement: 'HOOK-CREATE-01',
    name: 'urls that another hook has',
    values: [
      { name: 'accepted', description: 'Creates any number of hooks with the same url.' },
      {
        name: 'refused',
        description: 'Creates one hook for each url.',
        deviation: onOperation('createHook', async (call, next) => {
          const { url } = await call.fields().catch(() => ({ url: undefined }))
          const twin = call.server.store.list().some((hook) => hook.url === url)
          return twin
            ? failure(call.server.choices, 422, 'There is already a hook with this url')
            : next()
        }),
      },
    ],
  },
  {
    requirement: 'EVT-AUTH-01',
    name: 'certificates at a creation',
    values: [
      { name: 'not tested', description: 'Creates hooks without a connection to the receiver.' },
      {
        name: 'tested',
        description:
          'Refuses a hook with verification if the certificate of the receiver cannot be verified.',
        deviation: onOperation('createHook', async (call, next) => {
          const { url, enable_ssl_verification: verify } = await call
            .fields()
            .catch(() => ({}) as Record<string, unknown>)
          const untrusted = typeof url === 'string' && url.startsWith('https:') && verify !== false
          return untrusted
            ? failure(
                call.server.choices,
                422,
                'The certificate of the receiver cannot be verified',
              )
            : next()
        }),
      },
    ],
  },
  {
    requirement: 'HOOK-CONFIG-18',
    name: 'default of the flags',
    values: [
      { name: 'off', description: 'Turns all events except pushes off by default.' },
      {
        name: 'on',
        description: 'Turns all events on by default.',
        choices: { flagDefault: true },
      },
    ],
  },
  {
    requirement: 'HOOK-CREATE-03',
    name: 'media types of creations',
    values: [
      { name: 'JSON and forms', description: 'Accepts creations as JSON and as forms.' },
      {
        name: 'JSON',
        description: 'Accepts creations only as JSON.',
        choices: { formBodies: 'refuse' },
      },
    ],
  },
  {
    requirement: 'HOOK-CREATE-05',
    name: 'unknown fields',
    values: [
      { name: 'ignored', description: 'Ignores them.' },
      {
        name: 'refused',
        description: 'Refuses a creation with an unknown field.',
        choices: { unknownFields: 'refuse' },
      },
    ],
  },
  {
    requirement: 'EVT-HEADER-05',
    name: 'an empty token',
    values: [
      { name: 'none', description: 'Treats an empty token as missing.' },
      {
        name: 'a token',
        description: 'Treats an empty token as a token.',
        choices: { emptyToken: 'sent' },
      },
    ],
  },
  {
    requirement: 'EVT-EVENT-01',
    name: 'confidential issues',
    values: [
      { name: 'issues', description: 'Sends confidential issues like other issues.' },
      {
        name: 'a separate event',
        description: 'Sends a separate X-Hook-Event for confidential issues.',
        choices: { confidentialHeader: 'Confidential Issue Hook' },
      },
      {
        name: 'not sent',
        notCombined: true,
        description: 'Sends nothing for a test of confidential issues.',
        deviation: changeDeliveries((delivery) =>
          delivery.trigger === 'confidential_issues_events' ? undefined : delivery,
        ),
      },
    ],
  },
]
