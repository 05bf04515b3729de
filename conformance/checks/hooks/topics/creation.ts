import { isUnauthorized } from '../support/expectations.ts'
import { Blocked, NotCovered } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { malformedJson, findHookId } from '../support/requests.ts'

export const creation = [
  check('HOOK-CREATE-01', {
    title: 'creates a hook',
    root: undefined,
    async run({ minimalFields, send, expect, request, isSuccess, requireId }) {
      const fields = await minimalFields()
      const full = await send(request.create({ ...fields, push_events: true }))
      // That the flag may be set, and that the url may stand alone, are rows of their own: one hook is enough.
      const answer =
        isSuccess(full) || isUnauthorized(full) ? full : await send(request.create(fields))
      if (isUnauthorized(answer))
        throw new Blocked('HOOK-AUTH-01', `createHook gave ${answer.summary}`)
      // A success alone proves nothing: any web server has one to give. That there is a hook shows in its id.
      if (isSuccess(answer)) requireId(answer, fields.url)
      expect(answer, { name: 'creates a hook', expected: 'a status of success', test: isSuccess })
    },
  }),

  check('HOOK-CREATE-02', {
    title: 'creates a hook from a url alone',
    async run({ minimalFields, expectSuccess, request }) {
      await expectSuccess(request.create(await minimalFields()))
    },
  }),

  check('HOOK-CREATE-03', {
    title: 'takes a creation as a form, or does not',
    async run({ minimalFields, send, observe, request }) {
      const { url } = await minimalFields()
      const answer = await send(
        request.create({
          kind: 'text',
          text: new URLSearchParams({ url }).toString(),
          type: 'application/x-www-form-urlencoded',
        }),
      )
      observe(`a creation as a form: ${answer.status ?? answer.failure}`)
    },
  }),

  check('HOOK-CREATE-04', {
    title: 'refuses a body that is no JSON',
    async run({ minimalFields, expectRefusal, request }) {
      await expectRefusal(request.create(malformedJson), {
        contrast: request.create(await minimalFields()),
      })
    },
  }),

  check('HOOK-CREATE-05', {
    title: 'meets fields that are not listed',
    async run({ minimalFields, send, observe, request }) {
      const answer = await send(
        request.create({ ...(await minimalFields()), touchstone: 'a field of its own' }),
      )
      observe(`a creation with a field that is not listed: ${answer.status ?? answer.failure}`)
    },
  }),

  check('HOOK-CREATE-06', {
    title: 'makes no hook for a project that does not exist',
    async run({ minimalFields, newName, expectRefusal, request }) {
      await expectRefusal(request.create(await minimalFields(), newName()), {
        contrast: request.create(await minimalFields()),
      })
    },
  }),

  check('HOOK-CREATE-07', {
    title: 'answers a creation in its own way',
    async run({ minimalFields, sendOrBlock, observe, request }) {
      const fields = await minimalFields()
      const answer = await sendOrBlock(request.create(fields))
      const place = findHookId(answer, fields.url) === undefined ? 'no id' : 'an id'
      observe(
        `a creation: ${answer.status}, ${answer.header('content-type') ?? 'no media type'}, ${place}`,
      )
    },
  }),

  check('HOOK-AUTH-01', {
    title: 'serves a call with a valid token',
    root: undefined,
    async run({ minimalFields, send, expect, request, isSuccess, requireId }) {
      const fields = await minimalFields()
      const answer = await send(request.create(fields))
      // Where it is no question of the token, the creation itself does not work.
      if (!isSuccess(answer) && !isUnauthorized(answer))
        throw new Blocked('HOOK-CREATE-01', `createHook gave ${answer.summary}`)
      if (isSuccess(answer)) requireId(answer, fields.url)
      expect(answer, { name: 'is served', expected: 'a status of success', test: isSuccess })
    },
  }),

  check('HOOK-CONFIG-22', {
    title: 'shows a record of the hook',
    async run({ minimalFields, sendOrBlock, observe, request }) {
      const answer = await sendOrBlock(
        request.create({ ...(await minimalFields()), token: 'a-token-to-keep' }),
      )
      const body = answer.json
      if (typeof body !== 'object' || body === null)
        throw new NotCovered('the answer to a creation is no JSON')
      observe(
        `members of the answer to a creation: ${Object.keys(body).slice(0, 40).join(', ')}${answer.body.includes('a-token-to-keep') ? '; the token stands in it' : ''}`,
      )
    },
  }),
]
