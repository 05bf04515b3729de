import { labelled } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { readDeliveryUrl, withoutQuery } from '../support/delivery-urls.ts'
import { doors, privatePicture, requireDelivered } from '../support/doors.ts'
import { delivered, notDelivered, shows } from '../support/expectations.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'

const { file } = doors
// In a direct upload and in a form, an id of the client may exclude a private image.
const doorsOfPrivateImages = Object.values(doors).filter((door) => door !== doors.fileWithId)

/** A query as signed URLs have it, but without a signature of the service. */
const madeUpSignature = ({ newName }: ImagesWorld) =>
  ['sig', 'signature', 'token', 'exp', 'expires']
    .map((name) => `${name}=${name.startsWith('e') ? '4102444800' : newName()}`)
    .join('&')

/** The private picture of a door, while its public picture is delivered. */
async function withheldPicture(world: ImagesWorld, door: (typeof doorsOfPrivateImages)[number]) {
  await requireDelivered(world, door)
  return privatePicture(world, door)
}

export const privacyChecks = [
  ...doorsOfPrivateImages.map((door) =>
    check('IMG-IMAGE-08', {
      title: `does not deliver a private image from ${door.name} without a signature`,
      needs: ['images.state', ...door.needs],
      async run(world) {
        const { url, picture } = await withheldPicture(world, door)
        world.expect(await world.fetchDelivered(url), notDelivered(picture))
        world.expect(
          await world.fetchDelivered(`${url}?${madeUpSignature(world)}`),
          labelled('again, with a made-up signature', notDelivered(picture)),
        )
      },
    }),
  ),

  check('IMG-IMAGE-08', {
    title: 'does not deliver a private image in another request',
    needs: ['images.state'],
    async run(world) {
      const { url, picture } = await withheldPicture(world, file)
      const queries = { again: '', 'with a query': '?v=2', 'with a flag': '?signed=true' }
      for (const [label, query] of Object.entries(queries))
        world.expect(
          await world.fetchDelivered(url + query),
          labelled(label, notDelivered(picture)),
        )
    },
  }),

  check('IMG-DELIVERY-08', {
    title: 'does not answer a HEAD request for a private image with success',
    needs: ['images.state'],
    async run(world) {
      const { url } = await withheldPicture(world, file)
      world.expect(await world.send({ ...world.request.deliver(url), method: 'HEAD' }), {
        name: 'is refused as well',
        expected: 'no success with the type of an image',
        test: (response) =>
          response.status !== undefined &&
          (response.status >= 300 || !/^image\//i.test(response.header('content-type') ?? '')),
        received: (response) =>
          `${response.status ?? response.failure}, Content-Type ${response.header('content-type') ?? 'missing'}`,
      })
    },
  }),

  check('IMG-VARIANT-10', {
    title: 'delivers a private image in a variant that never requires signatures',
    needs: ['images.state'],
    async run(world) {
      const { picture, id } = await withheldPicture(world, file)
      const url = await readDeliveryUrl(world, id, await createOpenVariant(world))
      const exchange = await world.fetchDelivered(withoutQuery(url), delivered.test)
      world.expect(exchange, shows(picture))
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'does not deliver a private image in other variants than those that need no signature',
    needs: ['images.state'],
    async run(world) {
      const { url, picture, id } = await withheldPicture(world, file)
      // The image has the variant when it has a URL for it.
      await readDeliveryUrl(world, id, await createOpenVariant(world))
      world.expect(await world.fetchDelivered(url), notDelivered(picture))
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'does not deliver a private image because flexible variants are on or off',
    needs: ['images.state', 'images.flexibleVariants'],
    exclusiveLock: 'config',
    async run(world) {
      const { request, target, sendOrBlock, withUndo } = world
      const { url, picture } = await withheldPicture(world, file)
      const current = target.flexibleVariants === true
      await withUndo(request.config({ flexible_variants: current }), async () => {
        await sendOrBlock(request.config({ flexible_variants: !current }))
        const transformed = url.replace(/[^/]*$/, 'w=40,h=30')
        for (const address of [url, transformed])
          world.expect(
            await world.fetchDelivered(address),
            labelled(current ? 'off' : 'on', notDelivered(picture)),
          )
      })
    },
  }),
]

async function createOpenVariant({ sendOrBlock, request, newName }: ImagesWorld): Promise<string> {
  const id = newName()
  await sendOrBlock(
    request.createVariant({ id, options, neverRequireSignedURLs: true }),
    'IMG-VARIANT-08',
  )
  return id
}
