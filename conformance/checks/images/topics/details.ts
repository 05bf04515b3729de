import type { Expectation } from '../../../engine/index.ts'
import { at, isSuccess, refused, same } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import type { HttpExchange } from '../../../wire/index.ts'

const described = ['id', 'filename', 'requireSignedURLs'] as const
const descriptionOf = (exchange: HttpExchange) =>
  Object.fromEntries(described.map((name) => [name, at(exchange, 'result', name)]))

export const details = [
  check('IMG-GET-01', {
    title: 'reads an image',
    async run({ image, succeeds, request }) {
      await succeeds(request.get((await image()).id))
    },
  }),

  check('IMG-GET-02', {
    title: 'reads back what the upload described',
    async run({ image, settled, expect, request }) {
      const { id, upload } = await image()
      const wanted = descriptionOf(upload)
      const equal: Expectation<HttpExchange> = {
        name: 'is the uploaded image',
        expected: JSON.stringify(wanted),
        test: (exchange) => same(descriptionOf(exchange), wanted),
        received: (exchange) =>
          isSuccess(exchange) ? JSON.stringify(descriptionOf(exchange)) : exchange.summary,
      }
      expect(await settled(request.get(id), equal.test), equal)
    },
  }),

  check('IMG-GET-03', {
    title: 'finds no image under an unknown id',
    async run({ image, refuses, request, name }) {
      await refuses(request.get(name()), 'absent', { contrast: request.get((await image()).id) })
    },
  }),

  check('IMG-DELETE-01', {
    title: 'deletes an image',
    async run({ store, succeeds, request }) {
      await succeeds(request.remove((await store()).id))
    },
  }),

  check('IMG-DELETE-02', {
    title: 'reads a deleted image no more',
    async run({ store, read, given, settled, expect, request }) {
      const { id } = await store()
      await read(id)
      await given(request.remove(id))
      expect(
        await settled(
          { ...request.get(id), meaning: 'absent' },
          (exchange) => !isSuccess(exchange),
        ),
        refused('absent'),
      )
    },
  }),

  check('IMG-DELETE-03', {
    title: 'lists a deleted image no more',
    async run({ store, given, listed, expectOf, request }) {
      const { id } = await store()
      await given(request.remove(id))
      expectOf(await listed(id, false), {
        name: 'is not listed',
        expected: `no entry for ${id}`,
        test: (found) => !found,
        received: () => 'still an entry for it',
      })
    },
  }),

  check('IMG-DELETE-04', {
    title: 'leaves other images where one is deleted',
    async run({ store, given, send, settled, blockIfOperationBroken, expect, request }) {
      const [doomed, spared] = await Promise.all([store(), store()])
      await settled(request.get(spared.id), isSuccess)
      await given(request.remove(doomed.id))
      const left: Expectation<HttpExchange> = {
        name: 'is still there',
        expected: 'the other image',
        test: isSuccess,
      }
      expect(await blockIfOperationBroken(await send(request.get(spared.id))), left)
    },
  }),

  check('IMG-DELETE-05', {
    title: 'finds nothing to delete under an unknown id',
    async run({ store, refuses, request, name }) {
      await refuses(request.remove(name()), 'absent', {
        contrast: request.remove((await store()).id),
      })
    },
  }),
]
