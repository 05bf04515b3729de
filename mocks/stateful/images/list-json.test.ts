import { expect, test } from 'vitest'
import type { ImagesChoices } from './choices.ts'
import { startFixture } from './images.testing.ts'

/**
 * With middleware, lists are serialised from objects. Without middleware, they are joined from
 * cached JSON. Both must result in the same response.
 */
test.each<[string, Partial<ImagesChoices>]>([
  ['by default', {}],
  ['newest first, with page info', { listOrder: 'newest', listInfo: true, successLists: 'absent' }],
  ['another timestamp format', { timestampForm: 'offset' }],
  [
    'metadata and draft',
    { resultsContainMetadata: true, resultsContainDraft: true, missingMetadata: 'empty' },
  ],
  [
    'extra fields, reversed keys, whitespace',
    { extraFields: true, keyOrder: 'reversed', prettyJson: true },
  ],
])('both ways to write a list produce the same JSON: %s', async (_what, choices) => {
  const wrapped = await startFixture({ choices, around: (_call, next) => next() })
  const direct = await startFixture({ choices })
  const { store } = direct.server
  const compare = async (query = '') => {
    wrapped.server.context.store = store
    wrapped.server.context.urls.delivery = direct.server.deliveryUrl
    const [one, other] = await Promise.all(
      [wrapped, direct].map((side) => side.call('GET', `/images/v2${query}`)),
    )
    expect(other?.text).toBe(one?.text)
    expect(other?.headers.get('content-length')).toBe(one?.headers.get('content-length'))
  }
  await compare()
  for (const id of ['plain', 'a/b "c" \\', 'ü €', '$&'])
    await direct.upload({ id, metadata: '{"images":[]}' })
  await compare()
  await compare('?page=2&per_page=3')
  await compare('?page=9')
  await compare('?per_page=x')
  await direct.call('POST', '/images/v1/variants', { json: { id: 'hero' } })
  await compare()
  const image = store.get('plain')
  Object.assign(image ?? {}, { filename: 'other "name"', uploaded: 5, requireSignedURLs: true })
  await compare()
  await direct.call('DELETE', '/images/v1/variants/public')
  await compare()
  await Promise.all([wrapped.server.close(), direct.server.close()])
})
