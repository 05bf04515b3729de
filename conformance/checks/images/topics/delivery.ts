import {
  partsOf,
  withoutQuery,
  withVariants,
  variantsSoFar,
  variantsOf,
  keepsPrivate,
  deliverableByTicket,
  lastSegment,
  plain,
  deliverable,
} from '../support/delivery-urls.ts'
import { Blocked, type Expectation } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { at, delivered } from '../support/expectations.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'

async function variantWith(
  { given, request, name }: ImagesWorld,
  neverRequireSignedURLs: boolean,
): Promise<string> {
  const id = name()
  await given(request.createVariant({ id, options, neverRequireSignedURLs }), 'IMG-VARIANT-08')
  return id
}

export const delivery = [
  check('IMG-SERVICE-01', {
    title: 'delivers a public image through a variant',
    needs: ['images.state'],
    async run(world) {
      const url = await deliverable(world, await world.variant(), false)
      world.expect(await world.deliver(url, delivered.test), delivered)
    },
  }),

  check('IMG-SERVICE-01', {
    title: 'delivers a public image that came by a ticket',
    needs: ['images.state'],
    async run(world) {
      const url = await deliverableByTicket(world, await world.variant(), false)
      world.expect(await world.deliver(url, delivered.test), delivered)
    },
  }),

  check('IMG-SERVICE-02', {
    title: 'delivers some bytes',
    needs: ['images.state'],
    async run(world) {
      const answer = await world.deliver(await deliverable(world, await world.variant(), false))
      world.observe(`${answer.body.length} bytes of ${answer.header('content-type') ?? 'no type'}`)
    },
  }),

  check('IMG-ADDRESS-02', {
    title: 'builds delivery URLs from hash, id and variant',
    async run(world) {
      const { id } = await world.image()
      const read = await withVariants(world, id)
      const { access, expect } = world
      const root = (access.delivery ?? '').replace(/\/$/, '')
      const shaped = (url: string) =>
        [partsOf(url, root)?.id].some(
          (part) => part === id || (part !== undefined && plain(part) === id),
        )
      const all = (exchange: HttpExchange) =>
        (at(exchange, 'result', 'variants') as unknown[]).map(String)
      expect(read, {
        name: 'have the shape',
        expected: `${root}/<account hash>/${id}/<variant>`,
        test: (exchange) => all(exchange).every(shaped),
        received: (exchange) => all(exchange).join(' '),
      })
    },
  }),

  check('IMG-ADDRESS-03', {
    title: 'uses one hash for the account',
    async run(world) {
      const { access, image, store, expectOf } = world
      const root = (access.delivery ?? '').replace(/\/$/, '')
      const images = await Promise.all([image(), store()])
      const reads = await Promise.all(images.map(({ id }) => withVariants(world, id)))
      const hashes = reads.flatMap(variantsOf).flatMap((url) => partsOf(url, root)?.hash ?? [])
      if (hashes.length === 0)
        throw new Blocked('IMG-ADDRESS-02', 'no delivery URL has the stated shape')
      expectOf(new Set(hashes), {
        name: 'is the same',
        expected: 'one hash',
        test: (set) => set.size === 1,
        received: (set) => [...set].join(' and '),
      })
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'delivers no private image without a signature',
    needs: ['images.state'],
    async run(world) {
      const variant = await variantWith(world, false)
      await keepsPrivate(
        world,
        ...(await Promise.all([
          deliverable(world, variant, false),
          deliverable(world, variant, true),
        ])),
      )
    },
  }),

  check('IMG-IMAGE-08', {
    title: 'delivers no private image that came by a ticket',
    needs: ['images.state'],
    async run(world) {
      const variant = await variantWith(world, false)
      await keepsPrivate(
        world,
        ...(await Promise.all([
          deliverableByTicket(world, variant, false),
          deliverableByTicket(world, variant, true),
        ])),
      )
    },
  }),

  check('IMG-IMAGE-10', {
    title: 'shows one delivery URL for each variant',
    async run({ store, given, settled, expect, request, name: newName }) {
      const [{ id }, name] = [await store(), newName()]
      await given(request.createVariant({ id: name, options }))
      const urls = (exchange: HttpExchange) =>
        variantsSoFar(exchange).filter((url) => lastSegment(url) === name)
      const one: Expectation<HttpExchange> = {
        name: 'has one for it',
        expected: `one URL that ends in /${name}`,
        test: (exchange) => urls(exchange).length === 1,
      }
      expect(await settled(request.get(id), one.test), one)
    },
  }),

  check('IMG-VARIANT-10', {
    title: 'delivers private images somehow through an open variant',
    needs: ['images.state'],
    async run(world) {
      const url = await deliverable(world, await variantWith(world, true), true)
      world.observe(`without a signature: ${(await world.deliver(withoutQuery(url))).status}`)
    },
  }),

  check('IMG-DELETE-06', {
    title: 'delivers a deleted image or does not',
    needs: ['images.state'],
    async run(world) {
      const { store, given, deliver, observe, request, variant, settled } = world
      const name = await variant()
      const { id } = await store()
      const read = await settled(request.get(id), (exchange) =>
        variantsSoFar(exchange).some((url) => lastSegment(url) === name),
      )
      const [url] = variantsSoFar(read)
      await given(request.remove(id))
      observe(
        url === undefined
          ? 'no delivery URL to try'
          : `right after: ${(await deliver(url)).status}`,
      )
    },
  }),
]
