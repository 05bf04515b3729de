import { afterEach, describe, expect, test } from 'vitest'
import type { HooksChoices } from './choices.ts'
import { startFixture, waitUntil, type HooksFixture } from './hooks.testing.ts'
import type { ReceiverOptions } from '../receiver.ts'

let fixture: HooksFixture
afterEach(() => fixture.close())
const startWith = async (choices: Partial<HooksChoices>, received: ReceiverOptions = {}) => {
  fixture = await startFixture({ choices, rules: { retryDelayMs: 5 } }, received)
}
const create = (fields: Record<string, unknown> = {}) =>
  fixture.call('POST', '', {
    json: { url: fixture.receiver.url, token: 'receiver-secret', ...fields },
  })

describe('responses', () => {
  test('have the chosen record, ids and default flags', async () => {
    await startWith({ createdStatus: 200, record: 'nested', hookIds: 'digits', flagDefault: true })
    expect(await create()).toMatchObject({
      status: 200,
      body: { hook: { id: '1', job_events: true, push_events: true } },
    })
    expect((await fixture.test('1')).status).toBe(201)
  })

  test('can consist of a location only', async () => {
    await startWith({ record: 'location', hookIds: 'uuid', testStatus: 204 })
    const { status, text, headers } = await create()
    expect([status, text]).toEqual([201, ''])
    const response = await fetch(
      new URL(`${headers.get('location')}/test/push_events`, fixture.server.url),
      { method: 'POST', headers: { 'private-token': 'hooks-token' } },
    )
    expect([response.status, await response.text()]).toEqual([204, ''])
    await fixture.delivered(1)
  })

  test('have the chosen statuses and bodies of refusals', async () => {
    await startWith({
      unauthorizedStatus: 403,
      missingStatus: 400,
      invalidStatus: 422,
      failureBody: 'error',
      unknownFields: 'refuse',
      formBodies: 'refuse',
      emptyToken: 'sent',
    })
    expect(await fixture.call('GET', '', { token: 'x' })).toMatchObject({
      status: 403,
      body: { error: { status: 403 } },
    })
    expect((await fixture.test(9)).status).toBe(400)
    for (const fields of [{ url: 7 }, { colour: 'red' }])
      expect((await create(fields)).status).toBe(422)
    expect((await fixture.call('POST', '', { form: { url: fixture.receiver.url } })).status).toBe(
      422,
    )
    expect((await create()).status).toBe(201)
  })

  test('have the chosen JSON format and headers', async () => {
    await startWith({
      prettyJson: true,
      extraFields: true,
      keyOrder: 'reversed',
      chunked: true,
      keepAlive: false,
      contentTypeCharset: true,
      headerCase: 'upper',
    })
    const { text, headers } = await create()
    expect(text).toMatch(/^\{\n {2}"x_extra": \{[^]*"id": 1\n\}$/)
    expect([
      headers.get('content-type'),
      headers.get('transfer-encoding'),
      headers.get('connection'),
    ]).toEqual(['application/json; charset=utf-8', 'chunked', 'close'])
  })
})

describe('a test call', () => {
  test('can wait for the response of the receiver', async () => {
    await startWith(
      { testAwaitsDelivery: true, testStatus: 200 },
      { rules: { responseDelayMs: 50 } },
    )
    await create()
    expect((await fixture.test(1)).body).toEqual({ message: '200 OK' })
    expect(await fixture.events(1)).toHaveLength(1)
  })

  test.each([
    ['ignores', 201],
    ['refuses', 422],
  ] as const)(
    'for a disabled event, with the choice "%s", returns %i and delivers nothing',
    async (unsetFlag, status) => {
      await startWith({ unsetFlag })
      await create({ job_events: true })
      expect([
        (await fixture.test(1, 'issues_events')).status,
        (await fixture.test(1, 'job_events')).status,
      ]).toEqual([status, 201])
      expect((await fixture.delivered(1)).map(({ event }) => event)).toEqual(['Job Hook'])
    },
  )

  test('can be limited to pushes, and can accept any url', async () => {
    await startWith({ testEvents: 'push', invalidUrls: 'accept' })
    await create({ url: 'nonsense' })
    expect([
      (await fixture.test(1, 'job_events')).status,
      (await fixture.test(1, 'push_events')).status,
    ]).toEqual([404, 201])
    await waitUntil(async () => (await fixture.events(1)).length === 1, 'an event')
    expect((await fixture.events(1))[0]?.['error']).toMatch(/^unreachable: /)
  })
})

describe('deliveries', () => {
  test('can be sent twice, retried, and stopped after failures', async () => {
    await startWith(
      { copies: 2, retries: 2, disabledAfter: 6, extraHeaders: 'ids' },
      { secret: 'another' },
    )
    await create()
    await fixture.test(1)
    await waitUntil(async () => (await fixture.events(1)).length === 6, 'six attempts')
    const attempts = (await fixture.events(1)) as {
      attempt: number
      response_status: number
      request_headers: Record<string, string>
    }[]
    expect(attempts.map(({ attempt, response_status }) => [attempt, response_status])).toEqual(
      [6, 5, 4, 3, 2, 1].map((n) => [n, 401]),
    )
    expect(
      new Set(attempts.map(({ request_headers }) => request_headers['Idempotency-Key'])).size,
    ).toBe(1)
    expect((await fixture.test(1)).status).toBe(422)
  })

  test('can contain null for optional fields, or omit them', async () => {
    for (const optionalMembers of ['null', 'absent'] as const) {
      await startWith({
        optionalFields: optionalMembers,
        emails: optionalMembers === 'null' ? 'redacted' : 'empty',
        commitTimes: 'Z',
      })
      await create()
      await fixture.test(1, 'pipeline_events')
      const [delivery] = await fixture.delivered(1)
      const { merge_request, project, builds, user, commit } = delivery!.payload as {
        merge_request?: unknown
        project: { avatar_url?: unknown }
        builds: { status: string; environment?: unknown; runner?: unknown }[]
        user: { email: string }
        commit: { timestamp: string; author: { email: string } }
      }
      const expected = optionalMembers === 'null' ? null : undefined
      expect(builds.filter(({ status }) => status === 'success')).toMatchObject([
        { runner: {} },
        ...builds.slice(1).filter(({ status }) => status === 'success'),
      ])
      expect([merge_request, project.avatar_url, builds[0]!.environment]).toEqual([
        expected,
        expected,
        expected,
      ])
      expect([user.email, commit.timestamp.slice(10)]).toEqual([
        optionalMembers === 'null' ? '[REDACTED]' : '',
        expect.stringMatching(/^T\d\d:\d\d:\d\dZ$/),
      ])
      expect(commit.author.email).toContain('@')
      if (optionalMembers === 'null') await fixture.close()
    }
  })

  test('can contain the sample payload that a choice names, or each sample payload in turn', async () => {
    await startWith({
      examples: { push: 'branch-deleted' },
      payloadIds: 'sample',
      commitTimes: 'offset',
    })
    await create()
    await fixture.test(1)
    expect((await fixture.delivered(1))[0]?.payload).toMatchObject({
      after: '0'.repeat(40),
      checkout_sha: null,
    })
    await fixture.close()
    await startWith({ examples: 'rotating', payloadIds: 'sample' })
    await create()
    for (let n = 0; n < 4; n += 1) await fixture.test(1, 'wiki_page_events')
    const actions = (await fixture.delivered(4)).map(
      ({ payload }) =>
        (payload as { object_attributes: { action: string } }).object_attributes.action,
    )
    expect(actions.sort()).toEqual(['create', 'create', 'delete', 'update'])
  })

  test('have the chosen headers and payload format', async () => {
    const tokens: unknown[] = []
    await startWith(
      {
        deliveryCharset: true,
        deliveryChunked: true,
        deliveryHeaderCase: 'lower',
        deliveryKeepAlive: false,
        userAgent: 'foreign',
        confidentialHeader: 'Confidential Issue Hook',
        extraHeaders: 'signature',
        payloadPretty: true,
        payloadExtraFields: true,
        payloadKeyOrder: 'reversed',
        emptyToken: 'sent',
      },
      {
        secret: '',
        around: (call, next) => {
          tokens.push(call.headers['x-hook-token'])
          return next()
        },
      },
    )
    await create({ token: '' })
    await fixture.test(1, 'confidential_issues_events')
    const [
      { headers, payload, event } = {
        headers: {} as Record<string, string>,
        payload: {},
        event: '',
      },
    ] = await fixture.delivered(1)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'transfer-encoding': 'chunked',
      connection: 'close',
      'user-agent': expect.stringMatching(/^Forge-Hooks\//),
      'x-hook-signature': expect.stringMatching(/^sha256=/),
    })
    expect([event, tokens]).toEqual(['Confidential Issue Hook', ['']])
    expect(payload).toMatchObject({ x_extra: {}, object_attributes: { confidential: true } })
    expect([
      Object.keys(payload as object)[0],
      Object.keys((payload as { changes: object }).changes),
    ]).toEqual(['x_extra', expect.not.arrayContaining(['x_extra'])])
  })
})
