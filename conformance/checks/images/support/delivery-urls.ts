import { Blocked } from '../../../engine/index.ts'
import { at, delivered, notDelivered } from './expectations.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import type { ImagesWorld } from './world.ts'

export const variantsOf = (exchange: HttpExchange): string[] => {
  const variants = at(exchange, 'result', 'variants')
  if (!Array.isArray(variants)) throw new Blocked('IMG-IMAGE-09', 'the image shows no variants')
  return variants.filter(
    (url): url is string => typeof url === 'string' && /^https?:\/\/[^/]/i.test(url),
  )
}

/** A part of a URL without its percent-encoding, where that is one. */
export function plain(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The same of an image that may not show them yet. */
export const variantsSoFar = (exchange: HttpExchange) =>
  Array.isArray(at(exchange, 'result', 'variants')) ? variantsOf(exchange) : []

export const lastSegment = (url: string) =>
  plain(
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? '',
  )

export const withoutQuery = (url: string) => url.replace(/[?#].*$/, '')

/** The delivery URL of a stored image for a variant, once it shows it. */
async function deliveryUrl(
  { settled, request }: ImagesWorld,
  id: string,
  variant: string,
): Promise<string> {
  const find = (exchange: HttpExchange) =>
    variantsSoFar(exchange).find((url) => lastSegment(url) === variant)
  const url = find(await settled(request.get(id), (exchange) => find(exchange) !== undefined))
  if (url === undefined)
    throw new Blocked('IMG-IMAGE-10', `the image shows no delivery URL for the variant ${variant}`)
  return url
}

export async function deliverable(
  world: ImagesWorld,
  variant: string,
  requireSignedURLs: boolean,
): Promise<string> {
  const { id } = await world.store(
    { requireSignedURLs: String(requireSignedURLs) },
    'IMG-UPLOAD-06',
  )
  return deliveryUrl(world, id, variant)
}

/** The same of an image that came by a ticket. */
export async function deliverableByTicket(
  world: ImagesWorld,
  variant: string,
  requireSignedURLs: boolean,
): Promise<string> {
  const { id, uploadURL } = await world.ticket({ requireSignedURLs }, 'IMG-TICKET-05')
  await world.given(world.request.complete(uploadURL))
  return deliveryUrl(world, id, variant)
}

/** Expects that one of two images is delivered and the other is not. */
export async function keepsPrivate(
  world: ImagesWorld,
  open: string,
  secret: string,
): Promise<void> {
  const contrast = await world.deliver(withoutQuery(open), delivered.test)
  if (!delivered.test(contrast))
    throw new Blocked('IMG-SERVICE-01', `a public image gave ${contrast.summary}`)
  world.expect(await world.deliver(withoutQuery(secret)), notDelivered(contrast.body))
}

/** An image read when it shows delivery URLs: there is a variant that it can show. */
export async function withVariants(
  { variant, settled, request }: ImagesWorld,
  id: string,
): Promise<HttpExchange> {
  await variant()
  const read = await settled(request.get(id), (exchange) => variantsSoFar(exchange).length > 0)
  const variants = at(read, 'result', 'variants')
  if (!Array.isArray(variants) || variants.length === 0)
    throw new Blocked('IMG-IMAGE-10', 'the image shows no delivery URLs')
  return read
}

/** The parts of a delivery URL below the delivery root; undefined where it is not of the stated shape. */
export function partsOf(
  url: string,
  root: string,
): { hash: string; id: string; variant: string } | undefined {
  const below = withoutQuery(url).slice(root.length)
  const [, hash, id, variant] = /^\/([^/]+)\/(.+)\/([^/]+)$/.exec(below) ?? []
  return url.startsWith(root) && hash !== undefined && id !== undefined && variant !== undefined
    ? { hash, id, variant }
    : undefined
}
