import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFixture, type HooksFixture } from './hooks/hooks.testing.ts'
import { startHooks, targetOf } from './hooks.ts'

let fixture: HooksFixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

const url = 'http://127.0.0.1:1/in?a=b'
const none = {
  tag_push_events: false,
  issues_events: false,
  confidential_issues_events: false,
  merge_requests_events: false,
  wiki_page_events: false,
  deployment_events: false,
  job_events: false,
  pipeline_events: false,
  releases_events: false,
}

describe('hooks', () => {
  test('are created from a url alone, and the response does not contain the secret', async () => {
    const { status, body, text, headers } = await fixture.call('POST', '', {
      json: { url, token: 'hidden-secret' },
    })
    expect([status, headers.get('content-type')]).toEqual([201, 'application/json'])
    expect(body).toEqual({
      id: expect.any(Number),
      project_id: 42,
      url,
      push_events: true,
      ...none,
      enable_ssl_verification: true,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(text).not.toContain('hidden-secret')
  })

  test('are also created from forms', async () => {
    const { status, body } = await fixture.call('POST', '', {
      form: {
        url,
        token: 'x',
        push_events: 'false',
        job_events: 'true',
        enable_ssl_verification: 'false',
      },
    })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        url,
        ...none,
        push_events: false,
        job_events: true,
        enable_ssl_verification: false,
      }),
    ])
  })

  test('are returned, listed and deleted', async () => {
    const id = await fixture.hook()
    const { body } = await fixture.call('GET', `/${id}`)
    expect((await fixture.call('GET', '')).body).toContainEqual(body)
    const gone = await fixture.call('DELETE', `/${id}`)
    expect([gone.status, gone.text, gone.headers.get('content-length')]).toEqual([204, '', null])
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/events'],
      ['POST', '/test/push_events'],
    ] as const) {
      expect((await fixture.call(method, `/${id}${path}`)).status).toBe(404)
    }
  })

  test.each<[string, unknown]>([
    ['no url', {}],
    ['a url that is not a string', { url: 7 }],
    ['a relative url', { url: '/in' }],
    ['another scheme', { url: 'ftp://h/' }],
    ['a token that is not a string', { url, token: 7 }],
    ['a token of null', { url, token: null }],
    ['a token of two lines', { url, token: 'a\nb' }],
    ['a flag that is a string', { url, push_events: 'true' }],
    ['a flag that is a number', { url, enable_ssl_verification: 1 }],
    ['a flag of null', { url, job_events: null }],
    ['a list', []],
    ['null', 'null'],
    ['invalid JSON', '{'],
    ['an empty body', ''],
  ])('are refused with %s', async (_what, json) => {
    const { status, body } = await fixture.call('POST', '', { json })
    expect([status, body]).toEqual([400, { message: expect.any(String) }])
  })

  test('are refused if the content type is unknown or the body is too large', async () => {
    expect(
      (await fixture.call('POST', '', { json: { url }, headers: { 'content-type': 'text/plain' } }))
        .status,
    ).toBe(400)
    expect((await fixture.call('POST', '', { form: { url, push_events: 'yes' } })).status).toBe(400)
    expect(
      (await fixture.call('POST', '', { json: { url, x: 'y'.repeat(2_000_000) } })).status,
    ).toBe(400)
    expect(
      (
        await fixture.call('POST', '', {
          json: { url, x: 'y' },
          headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' },
        })
      ).status,
    ).toBe(201)
  })
})

describe('calls', () => {
  test.each([[null], [''], ['hooks-toke'], ['hooks-token2'], ['receiver-secret']])(
    'with the token %j are refused before the body is read',
    async (token) => {
      for (const [method, path] of [
        ['POST', ''],
        ['POST', '/1/test/push_events'],
        ['GET', ''],
        ['GET', '/999'],
        ['DELETE', '/1'],
      ] as const) {
        const { status, body } = await fixture.call(method, path, {
          token,
          ...(method === 'POST' ? { json: '{' } : {}),
        })
        expect([status, body]).toEqual([401, { message: expect.any(String) }])
      }
    },
  )

  test.each([
    ['/projects/44/hooks'],
    ['/projects/042/hooks'],
    ['/projects/4%32x/hooks'],
    ['/projects/42/hook'],
    ['/projects/42/hooks/'],
    ['/projects/42/hooks/unknown'],
    ['/projects/%zz/hooks'],
  ])('to %s, which is not an operation, return 404', async (path) => {
    const { status, body } = await fixture.call('GET', path)
    expect([status, body]).toEqual([404, { message: expect.any(String) }])
  })

  test('return the failure that a Prefer header names, if the failure is documented', async () => {
    for (const code of [400, 401, 403, 404, 422, 429])
      expect(
        (await fixture.call('GET', '', { headers: { prefer: `code=${code}` }, token: null }))
          .status,
      ).toBe(code)
    for (const prefer of ['code=418', 'code=200', 'wait=5', 'code=4290'])
      expect((await fixture.call('GET', '', { headers: { prefer } })).status).toBe(200)
  })

  test('find a project whose identifier is a path', async () => {
    const own = await startHooks({
      project: 'harbour-lab/tide-table',
      token: 'tökén',
      basePath: '/v9',
    })
    const response = await fetch(`${own.url}/projects/harbour-lab%2Ftide-table/hooks`, {
      method: 'POST',
      headers: {
        'private-token': Buffer.from('tökén').toString('latin1'),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url }),
    })
    expect([response.status, await response.json()]).toEqual([
      201,
      expect.objectContaining({ project_id: 'harbour-lab/tide-table' }),
    ])
    await own.close()
  })
})

test('targetOf returns the section of a target file that describes the server', () => {
  expect(targetOf(fixture.server)).toEqual({
    hooks: {
      url: fixture.server.url,
      project: '42',
      otherProject: '43',
      token: 'hooks-token',
      testEvents: expect.arrayContaining(['push_events', 'releases_events']),
      trigger: {
        url: new URL('/_touchstone/events', fixture.server.url).href,
        actions: expect.arrayContaining(['close', 'merge', 'failed']) as unknown,
      },
      state: true,
    },
  })
})

test('rejects if the port is in use, and closes open connections when it is closed', async () => {
  const port = Number(new URL(fixture.server.url).port)
  await expect(startHooks({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
  const own = await startHooks()
  const agent = new Agent({ keepAlive: true })
  const connection = await new Promise<Socket>((resolve) => {
    request(own.url, { agent }, (response) => {
      const { socket } = response
      response.resume().on('end', () => resolve(socket))
    }).end()
  })
  const disconnected = once(connection, 'close')
  await own.close()
  await disconnected
  agent.destroy()
})
