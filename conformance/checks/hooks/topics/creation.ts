import { isUnauthorized, statusOf } from '../support/expectations.ts'
import { Blocked, NotApplicable, NotCovered } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { malformedJson, findHookId } from '../support/requests.ts'
import { sendCreation } from '../support/send-creation.ts'

export const creationChecks = [
  check('HOOK-CREATE-08', {
    title: 'accepts JSON whose media type has a charset',
    async run(world) {
      const { minimalFields, request } = world
      if (request.format.isForm) throw new NotApplicable('the service accepts forms only')
      const type = 'application/json; charset=utf-8'
      const response = await sendCreation(world, async () =>
        request.create({ kind: 'text', text: JSON.stringify(await minimalFields()), type }),
      )
      world.expect(response, {
        name: 'is accepted',
        expected: 'status 2xx, as without a charset',
        test: world.isSuccess,
      })
    },
  }),

  check('HOOK-CREATE-01', {
    title: 'creates a hook',
    root: undefined,
    async run({
      minimalFields,
      send,
      createInAnyFormat,
      expect,
      request,
      isSuccess,
      requireId,
      requireReached,
    }) {
      const fields = await minimalFields()
      const full = await createInAnyFormat({ ...fields, push_events: true })
      // One of the two requests must succeed. HOOK-CONFIG-06 covers the request with the flag, and
      // HOOK-CREATE-02 the request with only a url.
      const response =
        isSuccess(full) || isUnauthorized(full) ? full : await createInAnyFormat(fields)
      if (isUnauthorized(response))
        throw new Blocked('HOOK-AUTH-01', `createHook returned ${response.summary}`)
      // A service may refuse private addresses, such as that of the suite, but accept a public one.
      if (!isSuccess(response)) {
        const responseForPublicUrl = await send(
          request.create({ url: 'https://hooks.example.com/touchstone' }),
        )
        if (isSuccess(responseForPublicUrl)) await requireReached()
      }
      // Any web server can return a 2xx status. Only an id shows that a hook was created.
      if (isSuccess(response)) requireId(response, fields.url)
      expect(response, { name: 'creates a hook', expected: 'status 2xx', test: isSuccess })
    },
  }),

  check('HOOK-VERSION-01', {
    title: 'has a base URL with the version of the API',
    async run({ minimalFields, sendOrBlock, request, expectValue, target }) {
      await sendOrBlock(request.create(await minimalFields()))
      expectValue(target.url, {
        name: 'contains the version',
        expected: 'a base URL whose path contains the segment v4, preceded by a segment api',
        test: (url) => /^[^?#]*\/api\/(?:[^?#]*\/)?v4(?![^/?#])/.test(url),
        received: (url) => url,
      })
    },
  }),

  check('HOOK-CREATE-02', {
    title: 'creates a hook with only a url',
    async run({ minimalFields, expectSuccess, request }) {
      await expectSuccess(request.create(await minimalFields()))
    },
  }),

  check('HOOK-CREATE-03', {
    title: 'records whether a form is accepted as the body',
    async run({ minimalFields, send, observe, request }) {
      const { url } = await minimalFields()
      const response = await send(
        request.create({
          kind: 'text',
          text: new URLSearchParams({ url }).toString(),
          type: 'application/x-www-form-urlencoded',
        }),
      )
      observe(`creating a hook with a form as the body: ${statusOf(response)}`)
    },
  }),

  check('HOOK-CREATE-04', {
    title: 'refuses a body that is not JSON',
    async run({ minimalFields, expectRefusal, request }) {
      if (request.format.isForm)
        throw new NotApplicable('the service accepts only forms, and a form cannot be malformed')
      await expectRefusal(request.create(malformedJson), {
        contrast: request.create(await minimalFields()),
      })
    },
  }),

  check('HOOK-CREATE-05', {
    title: 'records how unknown fields are handled',
    async run({ minimalFields, send, observe, request }) {
      const response = await send(
        request.create({ ...(await minimalFields()), touchstone: 'an unknown field' }),
      )
      observe(`creating a hook with an unknown field: ${statusOf(response)}`)
    },
  }),

  check('HOOK-CREATE-06', {
    title: 'refuses to create a hook in a project that does not exist',
    async run({ minimalFields, newName, expectRefusal, request }) {
      await expectRefusal(request.create(await minimalFields(), newName()), {
        contrast: request.create(await minimalFields()),
      })
    },
  }),

  check('HOOK-CREATE-07', {
    title: 'records the response to creating a hook',
    async run({ minimalFields, sendOrBlock, observe, request }) {
      const fields = await minimalFields()
      const response = await sendOrBlock(request.create(fields))
      const idText = findHookId(response, fields.url) === undefined ? 'without an id' : 'with an id'
      observe(
        `creating a hook: status ${response.status}, Content-Type ${response.header('content-type') ?? 'missing'}, ${idText}`,
      )
    },
  }),

  check('HOOK-AUTH-01', {
    title: 'accepts a valid access token',
    root: undefined,
    async run({ minimalFields, createInAnyFormat, expect, isSuccess, requireId }) {
      const fields = await minimalFields()
      const response = await createInAnyFormat(fields)
      // A failure other than 401 or 403 means that creating a hook does not work at all.
      if (!isSuccess(response) && !isUnauthorized(response))
        throw new Blocked('HOOK-CREATE-01', `createHook returned ${response.summary}`)
      if (isSuccess(response)) requireId(response, fields.url)
      expect(response, { name: 'succeeds', expected: 'status 2xx', test: isSuccess })
    },
  }),

  check('HOOK-CONFIG-22', {
    title: 'records the fields of a created hook',
    async run({ minimalFields, sendOrBlock, observe, request }) {
      const response = await sendOrBlock(
        request.create({ ...(await minimalFields()), token: 'a-token-to-keep' }),
      )
      const body = response.json
      if (typeof body !== 'object' || body === null)
        throw new NotCovered('the response to creating a hook is not JSON, so it has no fields')
      observe(
        `fields of the response to creating a hook: ${Object.keys(body).slice(0, 40).join(', ')}${response.body.includes('a-token-to-keep') ? '; it contains the token' : ''}`,
      )
    },
  }),
]
