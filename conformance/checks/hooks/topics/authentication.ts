import { similarTokens, alterLastCharacter } from '../support/tokens.ts'
import { HttpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { withToken } from '../support/requests.ts'

export const authentication = [
  check('HOOK-AUTH-02', {
    title: 'creates no hook without a token',
    async run({ minimalFields, expectRefusal, request }) {
      await expectRefusal(withToken(undefined, request.create(await minimalFields())), {
        contrast: request.create(await minimalFields()),
      })
    },
  }),

  check('HOOK-AUTH-03', {
    title: 'creates no hook for a token that is not valid',
    async run({ target, minimalFields, newName, expectRefusal, request }) {
      for (const [label, token] of Object.entries({
        'made up': newName(),
        ...similarTokens(target.token),
        empty: '',
      })) {
        await expectRefusal(withToken(token, request.create(await minimalFields())), {
          contrast: request.create(await minimalFields()),
          label,
        })
      }
    },
  }),

  check('HOOK-AUTH-04', {
    title: 'refuses a test call without a token',
    root: 'HOOK-TEST-01',
    async run({ createHook, expectRefusal, request }) {
      const test = request.test((await createHook()).id, 'push_events')
      await expectRefusal(withToken(undefined, test), { contrast: test })
    },
  }),

  check('HOOK-AUTH-05', {
    title: 'refuses a test call with a token that is not valid',
    root: 'HOOK-TEST-01',
    async run({ target, createHook, newName, expectRefusal, request }) {
      for (const [label, token] of Object.entries({
        'made up': newName(),
        ...similarTokens(target.token),
      })) {
        // A hook for each: whether one can be tested again is another row's.
        const test = request.test((await createHook()).id, 'push_events')
        await expectRefusal(withToken(token, test), { contrast: test, label })
      }
    },
  }),

  check('HOOK-AUTH-06', {
    title: 'knows its header in any case of letters',
    async run({ target, minimalFields, expectSuccess, request }) {
      await expectSuccess(
        withToken(target.token, request.create(await minimalFields()), 'private-token'),
        'small letters',
      )
      await expectSuccess(
        withToken(target.token, request.create(await minimalFields()), 'Private-Token'),
        'capitals at the beginning',
      )
    },
  }),

  watch('HOOK-ERROR-02', {
    title: 'refuses with a status of the 400s',
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
          name: 'has a status of the 400s',
          held: message.status >= 400 && message.status < 500,
          expected: 'a status from 400 to 499',
          received: message.summary,
        },
      ]
    },
  }),

  check('HOOK-ERROR-03', {
    title: 'names its failures in its own way',
    async run({ target, minimalFields, newName, send, observe, request }) {
      const fields = await minimalFields()
      const cases = {
        'without a url': request.create({}),
        'without a token': withToken(undefined, request.create(fields)),
        'almost the right token': withToken(
          alterLastCharacter(target.token),
          request.create(fields),
        ),
        'in no project': request.create(fields, newName()),
      }
      for (const [words, asked] of Object.entries(cases))
        observe(`a creation ${words}: ${(await send(asked)).status ?? 'no answer'}`)
    },
  }),
]
