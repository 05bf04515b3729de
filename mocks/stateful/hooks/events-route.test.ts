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

  test('must be named', async () => {
    for (const body of [{ event: 'star_events' }, { event: 3 }, {}])
      expect(await triggerEvent(body)).toEqual({
        status: 400,
        body: {
          error: expect.stringContaining(
            'event must be one of push_events, tag_push_events',
          ) as string,
        },
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

  test.each(['push', 'Push Hook', 'PUSH_EVENTS'])('can be named %s', async (event) => {
    await fixture.hook()
    const { status, body } = await triggerEvent({ event })
    expect(status).toBe(200)
    expect((body as { hooks: number }).hooks).toBeGreaterThan(0)
  })
})
