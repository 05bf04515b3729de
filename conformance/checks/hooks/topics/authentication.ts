import { resembling, almost } from '../support/tokens.ts'
import { HttpExchange } from '../../../wire/index.ts'
import { check, watch } from '../support/define.ts'
import { as } from '../support/requests.ts'

export const authentication = [
  check('HOOK-AUTH-02', {
    title: 'creates no hook without a token',
    async run({ least, refuses, request }) {
      await refuses(as(undefined, request.create(await least())), {
        contrast: request.create(await least()),
      })
    },
  }),

  check('HOOK-AUTH-03', {
    title: 'creates no hook for a token that is not valid',
    async run({ access, least, name, refuses, request }) {
      for (const [label, token] of Object.entries({
        'made up': name(),
        ...resembling(access.token),
        empty: '',
      })) {
        await refuses(as(token, request.create(await least())), {
          contrast: request.create(await least()),
          label,
        })
      }
    },
  }),

  check('HOOK-AUTH-04', {
    title: 'refuses a test call without a token',
    root: 'HOOK-TEST-01',
    async run({ hook, refuses, request }) {
      const test = request.test((await hook()).id, 'push_events')
      await refuses(as(undefined, test), { contrast: test })
    },
  }),

  check('HOOK-AUTH-05', {
    title: 'refuses a test call with a token that is not valid',
    root: 'HOOK-TEST-01',
    async run({ access, hook, name, refuses, request }) {
      for (const [label, token] of Object.entries({
        'made up': name(),
        ...resembling(access.token),
      })) {
        // A hook for each: whether one can be tested again is another row's.
        const test = request.test((await hook()).id, 'push_events')
        await refuses(as(token, test), { contrast: test, label })
      }
    },
  }),

  check('HOOK-AUTH-06', {
    title: 'knows its header in any case of letters',
    async run({ access, least, expectSuccess, request }) {
      await expectSuccess(
        as(access.token, request.create(await least()), 'private-token'),
        'small letters',
      )
      await expectSuccess(
        as(access.token, request.create(await least()), 'Private-Token'),
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
    async run({ access, least, name, send, observe, request }) {
      const fields = await least()
      const cases = {
        'without a url': request.create({}),
        'without a token': as(undefined, request.create(fields)),
        'almost the right token': as(almost(access.token), request.create(fields)),
        'in no project': request.create(fields, name()),
      }
      for (const [words, asked] of Object.entries(cases))
        observe(`a creation ${words}: ${(await send(asked)).status ?? 'no answer'}`)
    },
  }),
]
