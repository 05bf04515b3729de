import type { Expectation } from '../../../engine/index.ts'
import { jsonAt, isRefusal, isSuccess, refused, hasValue } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import { pixelFile } from '../support/requests.ts'
import { ifRefused } from '../support/meanings.ts'

const misnamedFile = { ...pixelFile, name: 'picture' }

export const completion = [
  check('IMG-COMPLETE-01', {
    title: 'stores a direct upload without a token',
    async run({ createTicket, expectSuccess, request }) {
      await expectSuccess(request.complete((await createTicket()).uploadURL))
    },
  }),

  check('IMG-COMPLETE-02', {
    title: 'fails where the file part has another name',
    async run({ createTicket, sendOrBlock, send, expect, request }) {
      const [one, other] = await Promise.all([createTicket(), createTicket()])
      await sendOrBlock(request.complete(other.uploadURL))
      const attempt = { ...request.complete(one.uploadURL, misnamedFile), meaning: 'invalid' }
      expect(await send(attempt), refused('invalid'))
    },
  }),

  check('IMG-COMPLETE-03', {
    title: 'takes a second upload to the same URL no more',
    async run({ createTicket, sendOrBlock, send, expect, request }) {
      const { uploadURL } = await createTicket()
      await sendOrBlock(request.complete(uploadURL))
      expect(await send({ ...request.complete(uploadURL), meaning: 'spent' }), refused('spent'))
    },
  }),

  check('IMG-COMPLETE-04', {
    title: 'takes one of two uploads at the same time',
    async run({ createTicket, send, blockIfOperationBroken, expect, expectOf, request }) {
      const { uploadURL } = await createTicket()
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
    async run({ createTicket, send, observe, request }) {
      const { uploadURL } = await createTicket()
      const wrong = await send(request.complete(uploadURL, misnamedFile))
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
    async run({ createTicket, readUntil, expect, request }) {
      const { id } = await createTicket()
      const draft = hasValue('is a draft', ['result', 'draft'], true)
      expect(await readUntil(request.get(id), draft.test), draft)
    },
  }),

  check('IMG-STATE-02', {
    title: 'shows a stored image as no draft',
    async run({ sharedImage, createTicket, sendOrBlock, readUntil, expect, request }) {
      const stored: Expectation<Parameters<typeof isRefusal>[0]> = {
        name: 'is no draft',
        expected: 'draft false or absent',
        test: (exchange) => isSuccess(exchange) && jsonAt(exchange, 'result', 'draft') !== true,
      }
      const read = (id: string) => readUntil(request.get(id), stored.test)
      const { id, uploadURL } = await createTicket()
      await sendOrBlock(request.complete(uploadURL))
      expect(await read(id), { ...stored, name: 'completed: is no draft' })
      expect(await read((await sharedImage()).id), { ...stored, name: 'uploaded: is no draft' })
    },
  }),

  check('IMG-STATE-04', {
    title: 'lists drafts or does not',
    needs: ['images.state'],
    async run({ createTicket, observe, isListed }) {
      observe(`a draft is ${(await isListed((await createTicket()).id)) ? '' : 'not '}listed`)
    },
  }),
]
