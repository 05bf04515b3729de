import { Blocked, labelled, NotCovered, type Expectation } from '../../../engine/index.ts'
import { percentEncode, type HttpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { readDeliveryUrl, requireUrlParts } from '../support/delivery-urls.ts'
import { deliveredTestImage, requireDelivered } from '../support/delivered-test-images.ts'
import { optionsOfMethod, uploadMethods } from '../support/upload-methods.ts'
import { declaresFormat, delivered, isSuccess, noImage, shows } from '../support/expectations.ts'
import { ifRefused } from '../support/meanings.ts'
import { deliveryVariant, type ImagesWorld } from '../support/world.ts'

/**
 * Requests the URL of a delivered image four times, each time with one part replaced. The
 * replacements are the id of a draft, and an unknown image id, variant name and account hash.
 */
const requestWrongUrls = (world: ImagesWorld) =>
  world.shared('wrong delivery URLs', async (common) => {
    const { url } = await requireDelivered(common, uploadMethods.file)
    const { withParts } = requireUrlParts(common, url)
    const fetch = (changed: Parameters<typeof withParts>[0]) =>
      common.fetchDelivered(withParts(changed))
    const ticket = await common.createTicket({ requireSignedURLs: false }, 'IMG-TICKET-05')
    const [draft, image, variant, hash] = await Promise.all([
      fetch({ id: percentEncode(ticket.id) }),
      fetch({ id: common.newName() }),
      fetch({ variant: common.newName() }),
      fetch({ hash: common.newName() }),
    ])
    return { draft, image, variant, hash }
  })

export const deliveryChecks = [
  ...Object.values(uploadMethods).map((method) =>
    check('IMG-SERVICE-01', {
      title: `delivers an image from ${method.name}`,
      ...optionsOfMethod(method),
      async run(world) {
        const { url, exchange } = await deliveredTestImage(world, method)
        world.expect(exchange, delivered)
        // Requests the image again, because a broken service may deliver it only once.
        world.expect(await world.fetchDelivered(url, delivered.test), {
          ...delivered,
          name: 'is delivered again',
        })
      },
    }),
  ),

  ...Object.values(uploadMethods).map((method) =>
    check('IMG-DELIVERY-02', {
      title: `delivers the image that came from ${method.name}, and no other`,
      ...optionsOfMethod(method),
      async run(world) {
        const { exchange, testImage } = await deliveredTestImage(world, method)
        if (!delivered.test(exchange))
          throw new Blocked('IMG-SERVICE-01', 'a public image is not delivered')
        world.expect(exchange, shows(testImage))
      },
    }),
  ),

  check('IMG-SERVICE-02', {
    title: 'records the size and type of a delivered image',
    needs: ['images.state'],
    async run(world) {
      const { exchange, testImage } = await deliveredTestImage(world, uploadMethods.file)
      world.observe(
        `${testImage.file.value.length} bytes were uploaded, and ${exchange.body.length} bytes delivered, with Content-Type ${exchange.header('content-type') ?? 'missing'}`,
      )
    },
  }),

  check('IMG-DELIVERY-10', {
    title: 'declares the actual format of a delivered image, or no format',
    needs: ['images.state'],
    async run(world) {
      const { exchange } = await deliveredTestImage(world, uploadMethods.file)
      if (!delivered.test(exchange))
        throw new Blocked('IMG-SERVICE-01', 'a public image is not delivered')
      world.expect(exchange, declaresFormat)
    },
  }),

  check('IMG-DELIVERY-10', {
    title: 'declares the actual format of an image whose filename ends in another one',
    needs: ['images.state'],
    async run(world) {
      const { send, request, idOf } = world
      await requireDelivered(world, uploadMethods.file)
      const { file } = world.drawTestImage(...uploadMethods.file.size)
      const misnamed = { ...file, filename: 'photo.gif' }
      const upload = request.upload({ file: misnamed, requireSignedURLs: 'false' })
      const stored = await send({ ...upload, meaning: ifRefused('invalid') })
      if (!isSuccess(stored)) throw new NotCovered('the server refuses a PNG named photo.gif')
      const url = await readDeliveryUrl(world, idOf(stored), await deliveryVariant(world))
      const exchange = await world.fetchDelivered(url, delivered.test)
      if (!delivered.test(exchange)) throw new NotCovered('the server does not deliver the image')
      world.expect(exchange, declaresFormat)
    },
  }),

  check('IMG-DELIVERY-05', {
    title: 'delivers nothing for unknown images, drafts and unknown variants',
    needs: ['images.state'],
    async run(world) {
      const { draft, image, variant } = await requestWrongUrls(world)
      world.expect(image, labelled('an unknown image', noImage))
      world.expect(draft, labelled('a draft', noImage))
      world.expect(variant, labelled('an unknown variant', noImage))
    },
  }),

  check('IMG-DELIVERY-06', {
    title: 'delivers nothing at a URL with an unknown account hash',
    needs: ['images.state'],
    async run(world) {
      world.expect((await requestWrongUrls(world)).hash, noImage)
    },
  }),

  check('IMG-STATUS-08', {
    title: 'does not return 500 for a delivery URL that leads to nothing',
    needs: ['images.state', 'images.delivery'],
    async run(world) {
      const { image, variant } = await requestWrongUrls(world)
      const noInternalError: Expectation<HttpExchange> = {
        name: 'is not an internal error',
        expected: 'a status other than 500, because the URL is the mistake',
        test: ({ status }) => status !== undefined && status !== 500,
      }
      world.expect(image, labelled('an unknown image', noInternalError))
      world.expect(variant, labelled('an unknown variant', noInternalError))
    },
  }),
]
