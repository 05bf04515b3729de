import { createHash } from 'node:crypto'
import { failure, type ImagesCall } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'
import { fault, isObject, onRecords, onRequest, showing } from './building.ts'

/** Writes delivery URLs in another way, and takes them so at the delivery host. */
function addressed(
  write: (parts: { hash: string; id: string; variant: string }) => string,
  read: (params: ImagesCall['params'], call: ImagesCall) => void,
): ImagesFault['make'] {
  const rewrite = (image: Record<string, unknown>, hit: Hit, { server }: ImagesCall) => {
    hit()
    image['variants'] = (image['variants'] as string[]).map((url) => {
      const [hash = '', id = '', variant = ''] = url
        .slice(server.urls.delivery.length + 1)
        .split('/')
      return `${server.urls.delivery}/${write({ hash, id, variant })}`
    })
  }
  return (hit) => ({
    around: (call, next) => {
      if (call.operation !== 'deliverImage')
        return onRecords(rewrite, showing)(hit).around!(call, next)
      read(call.params, call)
      return next()
    },
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 20)

export const addresses: readonly ImagesFault[] = [
  fault(
    'account-is-never-found',
    'The account host finds no account of that id at its root.',
    ['IMG-ADDRESS-01', 'IMG-STATUS-05'],
    (hit) => ({
      around: async (call, next) => {
        const reply = await next()
        if (call.host !== 'account' || reply.status !== 200) return reply
        hit()
        return failure(call.server.choices, 404, 'There is no such account')
      },
    }),
  ),
  fault(
    'list-is-a-bare-array',
    'The listing answers with the array of images alone.',
    ['IMG-ADDRESS-01', 'IMG-ENVELOPE-01'],
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      if (reply.status !== 200 || !isObject(reply.body)) return reply
      hit()
      return { ...reply, body: (reply.body['result'] as { images: unknown }).images }
    }, 'listImages'),
  ),

  fault(
    'delivery-urls-have-the-id-first',
    "In delivery URLs the image's id comes before the account's hash.",
    ['IMG-ADDRESS-02'],
    addressed(
      ({ hash, id, variant }) => `${id}/${hash}/${variant}`,
      (params) => {
        const [hash, id] = [params['image_id'] ?? '', params['hash'] ?? '']
        Object.assign(params, { hash, image_id: id })
      },
    ),
  ),
  fault(
    'delivery-urls-name-a-file',
    'Delivery URLs hold the id with the ending of a file.',
    ['IMG-ADDRESS-02'],
    addressed(
      ({ hash, id, variant }) => `${hash}/${id}.png/${variant}`,
      (params) => {
        params['image_id'] = (params['image_id'] ?? '').replace(/\.png$/, '')
      },
    ),
  ),
  fault(
    'delivery-urls-have-a-further-segment',
    'Delivery URLs have one more segment before the hash.',
    ['IMG-ADDRESS-02'],
    addressed(
      ({ hash, id, variant }) => `cdn/${hash}/${id}/${variant}`,
      (params) => {
        const [hash = '', ...id] = (params['image_id'] ?? '').split('/')
        Object.assign(params, { hash, image_id: id.join('/') })
      },
    ),
  ),
  fault(
    'delivery-urls-are-paths',
    'Delivery URLs are paths without a host.',
    ['IMG-ADDRESS-02'],
    onRecords((image, hit, { server }) => {
      hit()
      image['variants'] = (image['variants'] as string[]).map((url) =>
        url.slice(server.urls.delivery.length),
      )
    }, showing),
  ),

  fault(
    'delivery-hash-of-each-image',
    'The hash in delivery URLs is computed from the image, so each image has another.',
    ['IMG-ADDRESS-03'],
    addressed(
      ({ id, variant }) => `${digest(id)}/${id}/${variant}`,
      (params, { server }) => {
        params['hash'] = server.options.accountHash
      },
    ),
  ),
  fault(
    'delivery-hash-of-each-variant',
    'The hash in delivery URLs is computed from the variant, so each variant has another.',
    ['IMG-ADDRESS-03'],
    addressed(
      ({ id, variant }) => `${digest(variant)}/${id}/${variant}`,
      (params, { server }) => {
        params['hash'] = server.options.accountHash
      },
    ),
  ),
]
