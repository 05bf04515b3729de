import { changeLastCharacter, similarAccessTokens } from '../../shared/access-tokens.ts'
import { labelled } from '../../../engine/index.ts'
import { HttpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { statusOf, succeeded } from '../support/expectations.ts'
import { withToken } from '../support/requests.ts'
import { sendCreation } from '../support/send-creation.ts'
import type { HooksTarget } from '../target.ts'

/** Invalid access tokens, by their labels in reports. */
const invalidTokens = ({ token }: HooksTarget, newName: () => string) => ({
  'an unknown token': newName(),
  ...similarAccessTokens(token),
})

/** Other spellings of PRIVATE-TOKEN. */
const tokenSpellings = { 'lower case': 'private-token', capitalized: 'Private-Token' }

export const authenticationChecks = [
  check('HOOK-AUTH-02', {
    title: 'refuses to create a hook without an access token',
    async run({ minimalFields, expectRefusal, request }) {
      await expectRefusal(withToken(undefined, request.create(await minimalFields())), {
        contrast: request.create(await minimalFields()),
      })
    },
  }),

  check('HOOK-AUTH-03', {
    title: 'refuses to create a hook with an invalid access token',
    async run({ target, minimalFields, newName, expectRefusal, request }) {
      for (const [label, token] of Object.entries({
        ...invalidTokens(target, newName),
        'an empty token': '',
      })) {
        await expectRefusal(withToken(token, request.create(await minimalFields())), {
          contrast: request.create(await minimalFields()),
          label,
        })
      }
    },
  }),

  check('HOOK-AUTH-02', {
    title: 'refuses to create a hook in another project without an access token',
    needs: ['hooks.otherProject'],
    async run({ minimalFields, expectRefusal, request, target: { otherProject } }) {
      await expectRefusal(
        withToken(undefined, request.create(await minimalFields(), otherProject)),
        { contrast: request.create(await minimalFields(), otherProject) },
      )
    },
  }),

  check('HOOK-AUTH-03', {
    title: 'refuses to create a hook in another project with an invalid access token',
    needs: ['hooks.otherProject'],
    async run({ target, minimalFields, newName, expectRefusal, request }) {
      for (const [label, token] of Object.entries(invalidTokens(target, newName)))
        await expectRefusal(
          withToken(token, request.create(await minimalFields(), target.otherProject)),
          { contrast: request.create(await minimalFields(), target.otherProject), label },
        )
    },
  }),

  check('HOOK-AUTH-04', {
    title: 'refuses a test call without an access token',
    root: 'HOOK-TEST-01',
    async run({ createHook, expectRefusal, request }) {
      const test = request.test((await createHook()).id, 'push_events')
      await expectRefusal(withToken(undefined, test), { contrast: test })
    },
  }),

  check('HOOK-AUTH-05', {
    title: 'refuses a test call with an invalid access token',
    root: 'HOOK-TEST-01',
    async run({ target, createHook, newName, expectRefusal, request }) {
      for (const [label, token] of Object.entries(invalidTokens(target, newName))) {
        // Tests each hook only once, because HOOK-TEST-03 covers repeated test calls.
        const test = request.test((await createHook()).id, 'push_events')
        await expectRefusal(withToken(token, test), { contrast: test, label })
      }
    },
  }),

  check('HOOK-AUTH-05', {
    title: 'refuses a test call in another project with an invalid access token',
    root: 'HOOK-TEST-01',
    needs: ['hooks.otherProject'],
    async run({ target, createHook, newName, expectRefusal, request }) {
      const project = target.otherProject!
      for (const [label, token] of Object.entries(invalidTokens(target, newName))) {
        const test = request.test((await createHook({}, { project })).id, 'push_events', project)
        await expectRefusal(withToken(token, test), { contrast: test, label })
      }
    },
  }),

  check('HOOK-AUTH-06', {
    title: 'accepts the header name PRIVATE-TOKEN in upper and lower case',
    async run(world) {
      const { target, minimalFields, request } = world
      for (const [label, name] of Object.entries(tokenSpellings)) {
        const response = await sendCreation(world, async () =>
          withToken(target.token, request.create(await minimalFields()), name),
        )
        world.expect(response, labelled(label, succeeded))
      }
    },
  }),

  watch('HOOK-ERROR-02', {
    title: 'responds to invalid requests with a 4xx status',
    sources: ['HOOK-AUTH-02'],
    examine: (message) => {
      if (
        !(message instanceof HttpExchange) ||
        !message.meanings.includes('refused') ||
        message.status === undefined ||
        message.status < 300
      )
        return []
      return [
        {
          name: 'has a 4xx status',
          held: message.status >= 400 && message.status < 500,
          expected: 'a status from 400 to 499',
          received: message.summary,
        },
      ]
    },
  }),

  check('HOOK-ERROR-03', {
    title: 'records the statuses of refused requests',
    async run({ target, minimalFields, newName, send, observe, request }) {
      const fields = await minimalFields()
      const cases = {
        'without a url': request.create({}),
        'without an access token': withToken(undefined, request.create(fields)),
        'with an access token whose last character is wrong': withToken(
          changeLastCharacter(target.token),
          request.create(fields),
        ),
        'in a project that does not exist': request.create(fields, newName()),
      }
      for (const [label, failing] of Object.entries(cases))
        observe(`creating a hook ${label}: ${statusOf(await send(failing))}`)
    },
  }),
]
