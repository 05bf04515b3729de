import { failure } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFactor } from './variation.ts'
import { at, deliveries } from './building.ts'

/** What a creation takes, and what it makes of it. */
export const creation: readonly HooksFactor[] = [
  {
    row: 'HOOK-CONFIG-03',
    factor: 'urls that are no addresses',
    levels: [
      { name: 'refused', says: 'Refuses a url that is no absolute HTTP address.' },
      { name: 'taken', says: 'Takes any text for a url.', choices: { invalidUrls: 'accept' } },
    ],
  },
  {
    row: 'HOOK-CREATE-01',
    factor: 'urls that a hook has already',
    levels: [
      { name: 'taken', says: 'Makes as many hooks of a url as are asked for.' },
      {
        name: 'refused',
        says: 'Makes one hook of a url.',
        deviation: at('createHook', async (call, next) => {
          const { url } = await call.fields().catch(() => ({ url: undefined }))
          const twin = call.server.store.list().some((hook) => hook.url === url)
          return twin ? failure(call.server.choices, 422, 'There is such a hook already') : next()
        }),
      },
    ],
  },
  {
    row: 'EVT-AUTH-01',
    factor: 'certificates at a creation',
    levels: [
      { name: 'not looked at', says: 'Makes hooks without looking at their receivers.' },
      {
        name: 'looked at',
        says: 'Makes no hook that is to verify where it finds a certificate that it does not trust.',
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
    row: 'HOOK-CONFIG-18',
    factor: 'flags that are left out',
    levels: [
      { name: 'off', says: 'Turns all events but pushes off.' },
      { name: 'on', says: 'Turns all events on.', choices: { flagDefault: true } },
    ],
  },
  {
    row: 'HOOK-CREATE-03',
    factor: 'media types of creations',
    levels: [
      { name: 'JSON and forms', says: 'Takes creations as JSON and as forms.' },
      { name: 'JSON', says: 'Takes creations as JSON alone.', choices: { formBodies: 'refuse' } },
    ],
  },
  {
    row: 'HOOK-CREATE-05',
    factor: 'fields that are not listed',
    levels: [
      { name: 'passed over', says: 'Takes no notice of them.' },
      {
        name: 'refused',
        says: 'Refuses a creation that has one.',
        choices: { unknownFields: 'refuse' },
      },
    ],
  },
  {
    row: 'EVT-HEADER-05',
    factor: 'an empty token',
    levels: [
      { name: 'none', says: 'Takes an empty token for none.' },
      {
        name: 'a token',
        says: 'Takes an empty token for one that is set.',
        choices: { emptyToken: 'sent' },
      },
    ],
  },
  {
    row: 'EVT-EVENT-01',
    factor: 'confidential issues',
    levels: [
      { name: 'issues', says: 'Tells of confidential issues as of others.' },
      {
        name: 'a name of their own',
        says: 'Has an X-Hook-Event of its own for confidential issues.',
        choices: { confidentialHeader: 'Confidential Issue Hook' },
      },
      {
        name: 'kept back',
        alone: true,
        says: 'Sends nothing where confidential issues are tested.',
        deviation: deliveries((delivery) =>
          delivery.trigger === 'confidential_issues_events' ? undefined : delivery,
        ),
      },
    ],
  },
]
