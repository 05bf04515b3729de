import { failure } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFactor } from './variation.ts'
import { onOperation } from './building.ts'

/** Choices about which creations a service accepts, and about what creations change. */
export const creation: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-CONFIG-03',
    name: 'values of url that are not HTTP URLs',
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
    name: 'a url that another hook already has',
    values: [
      { name: 'accepted', description: 'Creates any number of hooks with the same url.' },
      {
        name: 'refused',
        description: 'Refuses a hook with the url of another hook.',
        deviation: onOperation('createHook', async (call, next) => {
          const { url } = await call.fields().catch(() => ({ url: undefined }))
          const isInUse = call.server.store.list().some((hook) => hook.url === url)
          return isInUse
            ? failure(call.server.choices, 422, 'There is already a hook with this url')
            : next()
        }),
      },
    ],
  },
  {
    requirement: 'EVT-AUTH-01',
    name: 'certificate of the receiver when a hook is created',
    values: [
      { name: 'not verified', description: 'Creates hooks without a connection to the receiver.' },
      {
        name: 'verified',
        description:
          'Refuses a hook whose enable_ssl_verification is true if the certificate of its receiver is not valid.',
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
    name: 'default of the other event flags',
    values: [
      { name: 'false', description: 'Turns all events except pushes off by default.' },
      {
        name: 'true',
        description: 'Turns all events on by default.',
        choices: { flagDefault: true },
      },
    ],
  },
  {
    requirement: 'HOOK-CREATE-03',
    name: 'media types of creation requests',
    values: [
      { name: 'JSON and forms', description: 'Accepts creations as JSON and as forms.' },
      {
        name: 'only JSON',
        description: 'Accepts creations only as JSON.',
        choices: { formBodies: 'refuse' },
      },
      {
        name: 'only forms',
        description: 'Accepts creations only as forms.',
        choices: { formBodies: 'only' },
      },
    ],
  },
  {
    requirement: 'HOOK-CREATE-05',
    name: 'fields that the document does not list',
    values: [
      { name: 'ignored', description: 'Ignores unknown fields of a creation.' },
      {
        name: 'refused',
        description: 'Refuses a creation with an unknown field.',
        choices: { unknownFields: 'refuse' },
      },
    ],
  },
  {
    requirement: 'EVT-HEADER-05',
    name: 'deliveries of a hook with an empty token',
    values: [
      { name: 'without X-Hook-Token', description: 'Treats an empty token as missing.' },
      {
        name: 'with an empty X-Hook-Token',
        description: 'Treats an empty token as a token.',
        choices: { emptyToken: 'sent' },
      },
    ],
  },
  {
    requirement: 'EVT-EVENT-01',
    name: 'deliveries for confidential issues',
    values: [
      {
        name: 'with the header of issue events',
        description: 'Sends confidential issues like other issues.',
      },
      {
        name: 'with a separate header',
        description: 'Sends a separate X-Hook-Event for confidential issues.',
        choices: { confidentialHeader: 'Confidential Issue Hook' },
      },
      {
        name: 'none, because test calls for them are refused',
        notCombined: true,
        description: 'Refuses test calls of confidential issues, as its target file says.',
        choices: { testEvents: 'listed' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'path of the base URL',
    values: [
      { name: 'api and v4', description: 'Serves the API at /api/v4.' },
      {
        name: 'with further segments',
        notCombined: true,
        description: 'Serves the API at a path that has segments before api and after v4.',
        deviation: { basePath: '/forge/api/v4/projects-and-hooks' },
      },
    ],
  },
]
