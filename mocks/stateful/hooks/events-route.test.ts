import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFixture, type HooksFixture } from './hooks.testing.ts'

let fixture: HooksFixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

const triggerEvent = async (body: unknown) => {
  const response = await fetch(new URL('/_touchstone/events', fixture.server.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

const formType = 'application/x-www-form-urlencoded'

/** Sends a body as it is. */
async function post(body: string, type: string | undefined) {
  const response = await fetch(new URL('/_touchstone/events', fixture.server.url), {
    method: 'POST',
    // fetch would declare a string as text.
    headers: type === undefined ? {} : { 'Content-Type': type },
    body: type === undefined ? Buffer.from(body) : body,
  })
  const answer = (await response.json()) as { hooks?: number; error?: string }
  return { status: response.status, ...answer }
}

describe('an event of the project', () => {
  test('is delivered to the hooks of the project that enable it', async () => {
    await fixture.hook({ push_events: false, releases_events: true })
    await fixture.hook({ push_events: false })
    await fixture.call('POST', '/projects/43/hooks', {
      json: { url: fixture.receiver.url, push_events: false, releases_events: true },
    })
    expect(await triggerEvent({ event: 'releases_events' })).toEqual({
      status: 200,
      body: { hooks: 1 },
    })
    const [delivery] = await fixture.delivered(1)
    expect(delivery!.headers['x-hook-event']).toBe('Release Hook')
  })

  test.each(['push', 'issue', 'job'])('%s has the same body at every hook', async (event) => {
    const other = await startFixture()
    try {
      const flags = { push_events: true, issues_events: true, job_events: true }
      for (let count = 0; count < 3; count += 1) await other.hook(flags)
      const url = new URL('/_touchstone/events', other.server.url)
      const trigger = () => fetch(url, { method: 'POST', body: JSON.stringify({ event }) })
      await trigger()
      const bodies = (await other.delivered(3)).map(({ payload }) => JSON.stringify(payload))
      expect(new Set(bodies).size).toBe(1)
      await trigger()
      const all = (await other.delivered(6)).map(({ payload }) => JSON.stringify(payload))
      expect(new Set(all).size).toBe(2)
    } finally {
      await other.close()
    }
  })

  test('must be named', async () => {
    const known = 'push, tag_push, issue, merge_request'
    for (const [event, message] of [
      [undefined, `event must be one of ${known}`],
      [3, `event must be one of ${known}`],
      ['star_events', `there is no event named star_events. Known: ${known}`],
      ['isue', `there is no event named isue. Did you mean issue? Known: ${known}`],
      ['merge', `there is no event named merge. Did you mean merge_request? Known: ${known}`],
    ])
      expect(await triggerEvent({ event })).toEqual({
        status: 400,
        body: { error: expect.stringContaining(String(message)) as string },
      })
  })

  test('can have an action, which its payload shows', async () => {
    await fixture.hook({ push_events: false, wiki_page_events: true })
    for (const action of ['delete', 'create'])
      expect(await triggerEvent({ event: 'wiki_page_events', action })).toMatchObject({
        status: 200,
      })
    const payloads = (await fixture.delivered(3)).map(({ payload }) => payload)
    expect(payloads).toEqual(
      expect.arrayContaining(
        ['delete', 'create'].map((action): unknown =>
          expect.objectContaining({
            object_attributes: expect.objectContaining({ action }) as unknown,
          }),
        ),
      ),
    )
  })

  test('cannot have an action of another event', async () => {
    expect(await triggerEvent({ event: 'wiki_page_events', action: 'merge' })).toEqual({
      status: 400,
      body: { error: 'action must be one of create, update, delete, or be left out' },
    })
    expect(await triggerEvent({ event: 'push', action: 'close' })).toEqual({
      status: 400,
      body: { error: 'action must be one of create, delete, or be left out' },
    })
  })

  test.each([
    ['push', 'create', 'before', '0'.repeat(40)],
    ['push', 'delete', 'after', '0'.repeat(40)],
    ['merge_request', 'approved', 'object_attributes.action', 'approved'],
  ])('can be %s with the further action %s', async (event, action, path, value) => {
    await fixture.hook({ push_events: true, merge_requests_events: true })
    const earlier = fixture.receiver.deliveries().length
    expect((await triggerEvent({ event, action })).status).toBe(200)
    const deliveries = await fixture.delivered(earlier + 1)
    expect(deliveries.at(-1)!.payload).toHaveProperty(path, value)
  })

  test('is not delivered to a hook that belongs to another project', async () => {
    const created = await fixture.call('POST', '/projects/43/hooks', {
      json: { url: fixture.receiver.url },
    })
    const { id, project_id: project } = created.body as { id: number; project_id: number }
    expect(project).toBe(43)
    expect((await fixture.call('GET', `/${id}`)).status).toBe(404)
    expect((await fixture.call('GET', `/projects/43/hooks/${id}`)).status).toBe(200)
  })

  test.each(['push', 'push_events', 'Push Hook', 'PUSH_EVENTS'])(
    'can be named %s, as JSON and as a form',
    async (event) => {
      await fixture.hook()
      const form = new URLSearchParams({ event })
      for (const body of [JSON.stringify({ event }), form.toString()])
        for (const type of ['application/json', formType, undefined]) {
          const { status, hooks } = await post(body, type)
          expect({ body, type, status }).toEqual({ body, type, status: 200 })
          expect(hooks).toBeGreaterThan(0)
        }
    },
  )

  test('can be a confidential issue', async () => {
    const other = await startFixture()
    const url = new URL('/_touchstone/events', other.server.url)
    try {
      await other.hook({ push_events: false, confidential_issues_events: true })
      for (const event of ['confidential_issue', 'confidential_issues_events'])
        await fetch(url, { method: 'POST', body: JSON.stringify({ event }) })
      for (const { payload } of await other.delivered(2))
        expect(payload).toMatchObject({ object_attributes: { confidential: true } })
    } finally {
      await other.close()
    }
  })

  test.each([
    ['issues', 'Close'],
    ['PipelineEvent', 'success'],
    ['issue', 'close'],
    ['issues_events', 'close'],
    ['job', 'failed'],
    ['build', 'failed'],
    ['releases_events', 'delete'],
  ])('named %s can have the action %s in a form', async (event, action) => {
    expect((await post(new URLSearchParams({ event, action }).toString(), formType)).status).toBe(
      200,
    )
  })

  test.each(['[]', '"push"', '3'])('cannot be the JSON value %s', async (body) => {
    expect(await post(body, 'application/json')).toEqual({
      status: 400,
      error: 'the body must be a JSON object, such as {"event": "push_events"}, or a form',
    })
  })

  test.each(['refuse', 'only'] as const)(
    'can be JSON and a form if the API has the choice %s for forms',
    async (formBodies) => {
      const other = await startFixture({ choices: { formBodies } })
      const url = new URL('/_touchstone/events', other.server.url)
      try {
        for (const body of ['{"event":"push"}', new URLSearchParams({ event: 'push' })])
          expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
      } finally {
        await other.close()
      }
    },
  )
})
