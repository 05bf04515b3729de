import type { Expectation } from '../../../engine/index.ts'
import { at, isRefusal, isSuccess, refused, shows } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { pixelFile } from '../support/requests.ts'
import { ifRefused } from '../support/meanings.ts'

const misnamed = { ...pixelFile, name: 'picture' }

export const completion = [
  check('IMG-COMPLETE-01', {
    title: 'stores a direct upload without a token',
    async run({ ticket, succeeds, request }) {
      await succeeds(request.complete((await ticket()).uploadURL))
    },
  }),

  check('IMG-COMPLETE-02', {
    title: 'fails where the file part has another name',
    async run({ ticket, given, send, expect, request }) {
      const [one, other] = await Promise.all([ticket(), ticket()])
      await given(request.complete(other.uploadURL))
      const attempt = { ...request.complete(one.uploadURL, misnamed), meaning: 'invalid' }
      expect(await send(attempt), refused('invalid'))
    },
  }),

  check('IMG-COMPLETE-03', {
    title: 'takes a second upload to the same URL no more',
    async run({ ticket, given, send, expect, request }) {
      const { uploadURL } = await ticket()
      await given(request.complete(uploadURL))
      expect(await send({ ...request.complete(uploadURL), meaning: 'spent' }), refused('spent'))
    },
  }),

  check('IMG-COMPLETE-04', {
    title: 'takes one of two uploads at the same time',
    async run({ ticket, send, blockIfOperationBroken, expect, expectOf, request }) {
      const { uploadURL } = await ticket()
      // Which of them comes second is known afterwards.
      const upload = { ...request.complete(uploadURL), meaning: ifRefused('spent') }
      const both = await Promise.all([send(upload), send(upload)])
      const outcomes = both.map(({ summary }) => summary).join(' and ')
      const successes = both.filter(isSuccess).length
      if (successes === 0) await blockIfOperationBroken(both[0])
      expectOf(successes, {
        name: 'one succeeds',
        expected: 'one success',
        test: (count) => count === 1,
        received: (count) => `${count}: ${outcomes}`,
      })
      expect(
        both.find((exchange) => !isSuccess(exchange))!,
        refused('spent'),
      )
    },
  }),

  check('IMG-COMPLETE-06', {
    title: 'answers an upload somehow',
    async run({ ticket, send, observe, request }) {
      const { uploadURL } = await ticket()
      const wrong = await send(request.complete(uploadURL, misnamed))
      const right = await send(request.complete(uploadURL))
      observe(
        `a success: ${Object.keys(Object((isSuccess(right) ? right : wrong).json)).join(', ') || 'no JSON object'}`,
      )
      observe(
        `after an attempt under a wrong name (${wrong.status}) the ticket is ${isSuccess(right) ? 'still good' : 'used up'}`,
      )
    },
  }),

  check('IMG-STATE-01', {
    title: 'shows a ticket without its upload as a draft',
    async run({ ticket, settled, expect, request }) {
      const { id } = await ticket()
      const draft = shows('is a draft', ['result', 'draft'], true)
      expect(await settled(request.get(id), draft.test), draft)
    },
  }),

  check('IMG-STATE-02', {
    title: 'shows a stored image as no draft',
    async run({ image, ticket, given, settled, expect, request }) {
      const stored: Expectation<Parameters<typeof isRefusal>[0]> = {
        name: 'is no draft',
        expected: 'draft false or absent',
        test: (exchange) => isSuccess(exchange) && at(exchange, 'result', 'draft') !== true,
      }
      const read = (id: string) => settled(request.get(id), stored.test)
      const { id, uploadURL } = await ticket()
      await given(request.complete(uploadURL))
      expect(await read(id), { ...stored, name: 'completed: is no draft' })
      expect(await read((await image()).id), { ...stored, name: 'uploaded: is no draft' })
    },
  }),

  check('IMG-STATE-04', {
    title: 'lists drafts or does not',
    needs: ['images.state'],
    async run({ ticket, observe, listed }) {
      observe(`a draft is ${(await listed((await ticket()).id)) ? '' : 'not '}listed`)
    },
  }),
]
