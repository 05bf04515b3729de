import { check } from '../support/define.ts'
import { codesOf, isSuccess, shows, succeeded } from '../support/expectations.ts'

/** Milliseconds that a service may take to come for a picture after it has said yes. */
const patience = 5000

/** Milliseconds beyond its own time-out that a service has to say that it gave up: the key images.fetchTimeout tells people of them. */
const grace = 2000

export const ingestion = [
  check('IMG-UPLOAD-02', {
    title: 'fetches the picture from the URL in its place',
    needs: ['images.state'],
    async run({
      send,
      blockIfOperationBroken,
      expect,
      expectOf,
      request,
      pictures,
      name,
      cameToFetch,
      clock,
    }) {
      const served = await pictures()
      const url = served.picture(name())
      const exchange = await send({ ...request.upload({ url }), meaning: 'success' })
      if (!isSuccess(exchange)) await cameToFetch(url)
      await blockIfOperationBroken(exchange)
      expect(exchange, succeeded)
      const end = clock.now() + patience
      while (served.fetches(url) === 0 && clock.now() < end) await clock.sleep(100)
      expectOf(served.fetches(url), {
        name: 'comes to fetch it',
        expected: 'at least one request for the picture',
        test: (times) => times > 0,
        received: String,
      })
    },
  }),

  check('IMG-UPLOAD-05', {
    title: 'takes the id of an upload by URL',
    needs: ['images.state', 'suite.pictures'],
    async run({ given, expect, request, pictures, name }) {
      const id = name()
      const stored = await given(
        request.upload({ url: (await pictures()).picture(name()), id }),
        'IMG-UPLOAD-02',
      )
      expect(stored, shows('has that id', ['result', 'id'], id))
    },
  }),

  check('IMG-UPLOAD-06', {
    title: 'takes requireSignedURLs with an upload by URL',
    needs: ['suite.pictures'],
    async run({ given, expect, request, pictures, name }) {
      const url = (await pictures()).picture(name())
      const stored = await given(
        request.upload({ url, requireSignedURLs: 'true' }),
        'IMG-UPLOAD-02',
      )
      expect(stored, shows('has it', ['result', 'requireSignedURLs'], true))
    },
  }),

  check('IMG-IMAGE-13', {
    title: 'reads back the metadata of an upload by URL',
    needs: ['suite.pictures'],
    async run({ given, idOf, settled, expect, request, pictures, name }) {
      const metadata = { from: 'a URL', tags: ['a', 1] }
      const url = (await pictures()).picture(name())
      const stored = await given(
        request.upload({ url, metadata: JSON.stringify(metadata) }),
        'IMG-UPLOAD-02',
      )
      const kept = shows('reads back as it was', ['result', 'metadata'], metadata)
      expect(await settled(request.get(idOf(stored)), kept.test), kept)
    },
  }),

  check('IMG-UPLOAD-15', {
    title: 'refuses a URL of an unknown protocol',
    needs: ['suite.pictures'],
    async run({ refuses, request, pictures, name }) {
      const url = (await pictures()).picture(name())
      await refuses(request.upload({ url: url.replace(/^https?:/, 'touchstone:') }), 'invalid', {
        contrast: request.upload({ url }),
        root: 'IMG-UPLOAD-02',
      })
    },
  }),

  check('IMG-UPLOAD-16', {
    title: 'fails where there is nothing at the URL',
    needs: ['images.state'],
    async run({ refuses, request, pictures, name }) {
      const served = await pictures()
      const one = name()
      await refuses(request.upload({ url: served.nothing(one) }), 'unfetchable', {
        contrast: request.upload({ url: served.picture(one) }),
        root: 'IMG-UPLOAD-02',
      })
    },
  }),

  check('IMG-STATUS-13', {
    title: 'gives an upload that timed out some code',
    async run({ access, send, restoring, observe, request, pictures, name, cameToFetch, signal }) {
      const served = await pictures()
      const [id, url] = [name(), served.stalled(name(), signal)]
      // Whoever has not answered by then may store something later: under this id it can be deleted. And what still waits is let go before that.
      const exchange = await restoring(request.remove(id), () =>
        send({ ...request.upload({ url, id }), timeout: access.fetchTimeout! + grace }).finally(
          () => served.letGo(url),
        ),
      )
      if (!isSuccess(exchange)) await cameToFetch(url)
      observe(
        `a picture that stalls: ${exchange.status === undefined ? exchange.summary : `${exchange.status}, code ${codesOf(exchange)}`}`,
      )
    },
  }),
]
