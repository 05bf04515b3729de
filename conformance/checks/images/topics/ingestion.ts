import { check } from '../support/define.ts'
import { codesOf, isSuccess, hasValue, succeeded } from '../support/expectations.ts'

/** Milliseconds within which a service must fetch an image after it has accepted the upload. */
const fetchWaitMs = 5000

/**
 * Milliseconds that a service has to respond after its own timeout. The help of images.fetchTimeout
 * mentions them.
 */
const graceMs = 2000

export const ingestionChecks = [
  check('IMG-UPLOAD-02', {
    title: 'fetches the image from a URL',
    needs: ['images.state'],
    async run({
      send,
      blockIfOperationBroken,
      expect,
      expectValue,
      request,
      imageServer,
      newName,
      requireFetched,
      clock,
    }) {
      const served = await imageServer()
      const url = served.imageUrl(newName())
      const exchange = await send({ ...request.upload({ url }), meaning: 'success' })
      if (!isSuccess(exchange)) await requireFetched(url)
      await blockIfOperationBroken(exchange)
      expect(exchange, succeeded)
      const end = clock.now() + fetchWaitMs
      while (served.countRequests(url) === 0 && clock.now() < end) await clock.sleep(100)
      expectValue(served.countRequests(url), {
        name: 'fetches it',
        expected: `a request from the target for ${url}`,
        test: (times) => times > 0,
        received: () =>
          'no request; if the target cannot reach that address, set `suite.pictures.publicUrl`',
      })
    },
  }),

  check('IMG-UPLOAD-05', {
    title: 'accepts an id with an upload by URL',
    needs: ['images.state', 'suite.pictures'],
    async run({ sendOrBlock, expect, request, imageServer, newName }) {
      const id = newName()
      const stored = await sendOrBlock(
        request.upload({ url: (await imageServer()).imageUrl(newName()), id }),
        'IMG-UPLOAD-02',
      )
      expect(stored, hasValue('has that id', ['result', 'id'], id))
    },
  }),

  check('IMG-UPLOAD-06', {
    title: 'accepts requireSignedURLs with an upload by URL',
    needs: ['suite.pictures'],
    async run({ sendOrBlock, expect, request, imageServer, newName }) {
      const url = (await imageServer()).imageUrl(newName())
      const stored = await sendOrBlock(
        request.upload({ url, requireSignedURLs: 'true' }),
        'IMG-UPLOAD-02',
      )
      expect(stored, hasValue('returns it', ['result', 'requireSignedURLs'], true))
    },
  }),

  check('IMG-IMAGE-13', {
    title: 'returns the metadata of an upload by URL',
    needs: ['suite.pictures'],
    async run({ sendOrBlock, idOf, readUntil, expect, request, imageServer, newName }) {
      const metadata = { from: 'a URL', tags: ['a', 1] }
      const url = (await imageServer()).imageUrl(newName())
      const stored = await sendOrBlock(
        request.upload({ url, metadata: JSON.stringify(metadata) }),
        'IMG-UPLOAD-02',
      )
      const kept = hasValue('is read back unchanged', ['result', 'metadata'], metadata)
      expect(await readUntil(request.get(idOf(stored)), kept.test), kept)
    },
  }),

  check('IMG-UPLOAD-15', {
    title: 'refuses a URL with an unknown scheme',
    needs: ['suite.pictures'],
    async run({ expectRefusal, request, imageServer, newName }) {
      const url = (await imageServer()).imageUrl(newName())
      await expectRefusal(
        request.upload({ url: url.replace(/^https?:/, 'touchstone:') }),
        'invalid',
        {
          contrast: request.upload({ url }),
          root: 'IMG-UPLOAD-02',
        },
      )
    },
  }),

  check('IMG-UPLOAD-16', {
    title: 'refuses a URL that returns 404',
    needs: ['images.state'],
    async run({ expectRefusal, request, imageServer, newName }) {
      const served = await imageServer()
      const one = newName()
      await expectRefusal(request.upload({ url: served.missingUrl(one) }), 'unfetchable', {
        contrast: request.upload({ url: served.imageUrl(one) }),
        root: 'IMG-UPLOAD-02',
      })
    },
  }),

  check('IMG-STATUS-13', {
    title: 'records the error code of an upload that timed out',
    async run({
      target,
      send,
      withUndo,
      observe,
      request,
      imageServer,
      newName,
      requireFetched,
      signal,
    }) {
      const served = await imageServer()
      const [id, url] = [newName(), served.stalledUrl(newName(), signal)]
      // A service that has not responded by then may store the image later. The id makes it
      // possible to delete it, after the stalled response has been released.
      const exchange = await withUndo(request.delete(id), () =>
        send({ ...request.upload({ url, id }), timeout: target.fetchTimeout! + graceMs }).finally(
          () => served.abortStalled(url),
        ),
      )
      if (!isSuccess(exchange)) await requireFetched(url)
      observe(
        `an upload whose image never arrives completely: ${exchange.status === undefined ? exchange.summary : `status ${exchange.status}, error code ${codesOf(exchange)}`}`,
      )
    },
  }),
]
