import { expect, test } from 'vitest'
import type { ImagesChoices } from './choices.ts'
import { bench } from './images.testing.ts'

/** Lists with somebody standing around are made of objects, lists without are put together from texts. */
test.each<[string, Partial<ImagesChoices>]>([
  ['as usual', {}],
  ['newest first, with numbers', { listOrder: 'newest', listInfo: true, successLists: 'absent' }],
  ['other moments', { timestampForm: 'offset' }],
  [
    'metadata and draft',
    { resultsCarryMetadata: true, resultsCarryDraft: true, metadataWhenNone: 'empty' },
  ],
  [
    'more fields, reversed, with spaces',
    { extraFields: true, keyOrder: 'reversed', prettyJson: true },
  ],
])('the text of a list is that of its objects: %s', async (_what, choices) => {
  const seen = await bench({ choices, around: (_call, next) => next() })
  const unseen = await bench({ choices })
  const { store } = unseen.server
  const compare = async (query = '') => {
    seen.server.context.store = store
    seen.server.context.urls.delivery = unseen.server.delivery
    const [one, other] = await Promise.all(
      [seen, unseen].map((side) => side.call('GET', `/images/v2${query}`)),
    )
    expect(other?.text).toBe(one?.text)
    expect(other?.headers.get('content-length')).toBe(one?.headers.get('content-length'))
  }
  await compare()
  for (const id of ['plain', 'a/b "c" \\', 'ü €', '$&'])
    await unseen.upload({ id, metadata: '{"images":[]}' })
  await compare()
  await compare('?page=2&per_page=3')
  await compare('?page=9')
  await compare('?per_page=x')
  await unseen.call('POST', '/images/v1/variants', { json: { id: 'hero' } })
  await compare()
  const image = store.get('plain')
  Object.assign(image ?? {}, { filename: 'other "name"', uploaded: 5, requireSignedURLs: true })
  await compare()
  await unseen.call('DELETE', '/images/v1/variants/public')
  await compare()
  await Promise.all([seen.server.close(), unseen.server.close()])
})
