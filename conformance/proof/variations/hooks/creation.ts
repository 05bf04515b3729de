import { failure } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFactor } from './variation.ts'
import { at, deliveries } from './building.ts'

/** What a creation takes, and what it makes of it. */
export const creation: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-CONFIG-03',
    name: 'urls that are no addresses',
    levels: [
      { name: 'refused', description: 'Refuses a url that is no absolute HTTP address.' },
      {
        name: 'taken',
        description: 'Takes any text for a url.',
        choices: { invalidUrls: 'accept' },
      },
    ],
  },
  {
    requirement: 'HOOK-CREATE-01',
    name: 'urls that a hook has already',
    levels: [
      { name: 'taken', description: 'Makes as many hooks of a url as are asked for.' },
      {
        name: 'refused',
        description: 'Makes one hook of a url.',
        deviation: at('createHook', async (call, next) => {
          const { url } = await call.fields().catch(() => ({ url: undefined }))
          const twin = call.server.store.list().some((hook) => hook.url === url)
          return twin ? failure(call.server.choices, 422, 'There is such a hook already') : next()
        }),
      },
    ],
  },
  {
    requirement: 'EVT-AUTH-01',
    name: 'certificates at a creation',
    levels: [
      { name: 'not looked at', description: 'Makes hooks without looking at their receivers.' },
      {
        name: 'looked at',
        description:
          'Makes no hook that is to verify where it finds a certificate that it does not trust.',
        deviation: at('createHook', async (call, next) => {
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
    name: 'flags that are left out',
    levels: [
      { name: 'off', description: 'Turns all events but pushes off.' },
      { name: 'on', description: 'Turns all events on.', choices: { flagDefault: true } },
    ],
  },
  {
    requirement: 'HOOK-CREATE-03',
    name: 'media types of creations',
    levels: [
      { name: 'JSON and forms', description: 'Takes creations as JSON and as forms.' },
      {
        name: 'JSON',
        description: 'Takes creations as JSON alone.',
        choices: { formBodies: 'refuse' },
      },
    ],
  },
  {
    requirement: 'HOOK-CREATE-05',
    name: 'fields that are not listed',
    levels: [
      { name: 'passed over', description: 'Takes no notice of them.' },
      {
        name: 'refused',
        description: 'Refuses a creation that has one.',
        choices: { unknownFields: 'refuse' },
      },
    ],
  },
  {
    requirement: 'EVT-HEADER-05',
    name: 'an empty token',
    levels: [
      { name: 'none', description: 'Takes an empty token for none.' },
      {
        name: 'a token',
        description: 'Takes an empty token for one that is set.',
        choices: { emptyToken: 'sent' },
      },
    ],
  },
  {
    requirement: 'EVT-EVENT-01',
    name: 'confidential issues',
    levels: [
      { name: 'issues', description: 'Tells of confidential issues as of others.' },
      {
        name: 'a name of their own',
        description: 'Has an X-Hook-Event of its own for confidential issues.',
        choices: { confidentialHeader: 'Confidential Issue Hook' },
      },
      {
        name: 'kept back',
        notCombined: true,
        description: 'Sends nothing where confidential issues are tested.',
        deviation: deliveries((delivery) =>
          delivery.trigger === 'confidential_issues_events' ? undefined : delivery,
        ),
      },
    ],
  },
]
