import { Blocked, type Expectation } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { requireDelivered } from '../support/delivered-test-images.ts'
import { readDeliveryUrl, withoutQuery } from '../support/delivery-urls.ts'
import { noImage } from '../support/read-back.ts'
import { codesOf, isSuccess, hasValue, shows, succeeded } from '../support/expectations.ts'
import { uploadUnfetchable, waitForRequests } from '../support/fetched-uploads.ts'
import { uploadMethods } from '../support/upload-methods.ts'
import { deliveryVariant } from '../support/world.ts'

/**
 * Milliseconds that the suite waits for a response after the service's timeout for fetching an
 * image.
 */
const graceMs = 2000

const wholeUrl = (url: string): Expectation<number> => ({
  name: 'requests the whole URL',
  expected: `requests for ${url} only`,
  test: (times) => times === 0,
  received: () => `a request for ${withoutQuery(url)}, without the query`,
})

export const ingestionChecks = [
  check('IMG-UPLOAD-02', {
    title: 'fetches the image again if a URL with a query is uploaded a second time',
    needs: ['images.state'],
    async run(world) {
      const { send, blockIfOperationBroken, expect, expectValue, request } = world
      const served = await world.imageServer()
      const url = served.serve(world.newName(), world.drawTestImage(72, 65).file.value)
      const countAfter = async (earlier: number) => {
        const exchange = await send({ ...request.upload({ url }), meaning: 'success' })
        expectValue(served.countRequests(withoutQuery(url)), wholeUrl(url))
        if (!isSuccess(exchange)) await world.requireFetched(url)
        await blockIfOperationBroken(exchange)
        expect(exchange, succeeded)
        return waitForRequests(world, served, url, earlier)
      }
      const first = await countAfter(0)
      expectValue(first, {
        name: 'fetches the image',
        expected: `a request from the server for ${url}`,
        test: (times) => times > 0,
        received: () =>
          'no request; if the server cannot reach that address, set suite.pictures.publicUrl',
      })
      // The target must fetch the image again, because the suite's server states that its responses
      // must not be cached.
      expectValue(await countAfter(first), {
        name: 'fetches the image again',
        expected: 'a new request from the server for the URL that the second upload contained',
        test: (times) => times > first,
        received: () => 'no request after the second upload',
      })
    },
  }),

  check('IMG-UPLOAD-02', {
    title: 'fetches a URL with capital letters and escaped characters exactly as it is',
    needs: ['images.state'],
    async run(world) {
      const served = await world.imageServer()
      const url = served.serveAtOddUrl(world.newName(), world.drawTestImage(69, 66).file.value)
      const upload = { ...world.request.upload({ url }), meaning: 'success' } as const
      const exchange = await world.send(upload)
      const isRequested = () => served.urlsSimilarTo(url).length > 0
      const isFetched = (await waitForRequests(world, served, url, 0, isRequested)) > 0
      const others = served.urlsSimilarTo(url).filter((requested) => requested !== url)
      if (others.length === 0 && !isFetched) await world.requireFetched(url)
      world.expectValue(others, {
        name: 'requests exactly this URL',
        expected: `requests for ${url} only`,
        test: (list) => list.length === 0,
        received: ([first]) => `a request for ${first}`,
      })
      await world.blockIfOperationBroken(exchange)
      world.expect(exchange, succeeded)
    },
  }),

  check('IMG-UPLOAD-02', {
    title: 'delivers the fetched image even if its URL returns another one later',
    needs: ['images.state', 'suite.pictures'],
    async run(world) {
      const { fetchDelivered, newName, sendOrBlock, request, expect } = world
      await requireDelivered(world, uploadMethods.url)
      const variant = await deliveryVariant(world)
      const { size } = uploadMethods.url
      const [first, second] = world.drawTwoImages(...size)
      const [served, name] = [await world.imageServer(), newName()]
      const url = served.serve(name, first.file.value)
      const upload = request.upload({ url, requireSignedURLs: 'false' })
      const id = world.idOf(await sendOrBlock(upload, 'IMG-UPLOAD-02'))
      const address = await readDeliveryUrl(world, id, variant)
      const before = await fetchDelivered(address, shows(first).test)
      if (!shows(first).test(before))
        throw new Blocked('IMG-SERVICE-01', `the image was not delivered: ${before.summary}`)
      served.serve(name, second.file.value)
      expect(await fetchDelivered(address, shows(first).test), {
        ...shows(first),
        name: 'keeps the fetched image',
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
      expect(stored, hasValue('returns the value', ['result', 'requireSignedURLs'], true))
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

  check('IMG-UPLOAD-10', {
    title: 'refuses an upload by URL whose metadata is not a JSON object',
    needs: ['suite.pictures'],
    async run({ expectRefusal, request, imageServer, newName }) {
      const [id, url] = [newName(), (await imageServer()).imageUrl(newName())]
      const readBack = noImage(id)
      const upload = (name: string, metadata: string) => request.upload({ id: name, url, metadata })
      const contrast = upload(newName(), '{"label":"a"}')
      const invalid = { 'an array': '["label"]', 'malformed JSON': '{"label":' }
      await Promise.all(
        Object.entries(invalid).map(([label, json]) =>
          expectRefusal(upload(id, json), 'invalid', {
            contrast,
            root: 'IMG-UPLOAD-02',
            label,
            readBack,
          }),
        ),
      )
    },
  }),

  check('IMG-UPLOAD-08', {
    title: 'refuses an upload by URL whose requireSignedURLs is not a boolean',
    needs: ['suite.pictures'],
    async run({ expectRefusal, request, imageServer, newName }) {
      const [id, url] = [newName(), (await imageServer()).imageUrl(newName())]
      const upload = (name: string, requireSignedURLs: string) =>
        request.upload({ id: name, url, requireSignedURLs })
      // The accepted request has the value false, because a server may refuse an id together with
      // the value true.
      await expectRefusal(upload(id, 'perhaps'), 'invalid', {
        contrast: upload(newName(), 'false'),
        root: 'IMG-UPLOAD-02',
        readBack: noImage(id),
      })
    },
  }),

  check('IMG-UPLOAD-15', {
    title: 'refuses a URL with an unsupported protocol (touchstone)',
    needs: ['suite.pictures'],
    async run({ expectRefusal, request, imageServer, newName }) {
      const [id, url] = [newName(), (await imageServer()).imageUrl(newName())]
      await expectRefusal(
        request.upload({ id, url: url.replace(/^https?:/, 'touchstone:') }),
        'invalid',
        {
          contrast: request.upload({ id: newName(), url }),
          root: 'IMG-UPLOAD-02',
          readBack: noImage(id),
        },
      )
    },
  }),

  check('IMG-UPLOAD-15', {
    title: 'refuses a URL that redirects to an unsupported protocol (ftp)',
    needs: ['suite.pictures', 'images.state'],
    async run(world) {
      const { expectRefusal, request, imageServer, newName } = world
      const served = await imageServer()
      const name = newName()
      const url = served.imageUrl(name)
      const redirectingUrl = served.redirectTo(url.replace(/^https?:/, 'ftp:'), name)
      const id = newName()
      const upload = (one: string) => request.upload({ id: one, url: redirectingUrl })
      if ((await uploadUnfetchable(world, redirectingUrl, upload, 'unfetchable')) === undefined)
        return
      await expectRefusal(upload(id), 'unfetchable', {
        contrast: request.upload({ id: newName(), url }),
        root: 'IMG-UPLOAD-02',
        readBack: noImage(id),
      })
    },
  }),

  check('IMG-UPLOAD-16', {
    title: 'refuses a URL that returns 404, and a string that is not a URL',
    needs: ['images.state'],
    async run(world) {
      const { expectRefusal, request, imageServer, newName } = world
      const served = await imageServer()
      const [id, one] = [newName(), newName()]
      const readBack = noImage(id)
      const upload = (name: string, url: string) => request.upload({ id: name, url })
      await expectRefusal(upload(id, one), 'unfetchable', {
        contrast: upload(newName(), served.imageUrl(one)),
        root: 'IMG-UPLOAD-02',
        label: 'a string that is not a URL',
        readBack,
      })
      const url = served.missingUrl(one)
      if (
        (await uploadUnfetchable(world, url, (name) => upload(name, url), 'unfetchable')) ===
        undefined
      )
        return
      await expectRefusal(upload(id, url), 'unfetchable', {
        contrast: upload(newName(), served.imageUrl(one)),
        root: 'IMG-UPLOAD-02',
        label: 'a URL that returns 404',
        readBack,
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
      // A service that does not respond within this timeout may store the image later. The upload
      // contains an id, so that the suite can delete the image after it has aborted the stalled
      // response of its own image server.
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
