import { createHash } from 'node:crypto'
import { failure, type ImagesCall } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'
import { fault, isObject, onRecords, onRequest, operationsWithImages } from './building.ts'

/** Writes delivery URLs in another form, and accepts that form at the delivery host. */
function rewriteDeliveryUrls(
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
        return onRecords(rewrite, operationsWithImages)(hit).around!(call, next)
      read(call.params, call)
      return next()
    },
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 20)

export const addresses: readonly ImagesFault[] = [
  fault(
    'list-has-the-hash-of-another-account',
    'Lists images with delivery URLs that contain the hash of another account.',
    ['IMG-ADDRESS-03'],
    onRecords((image, hit, { server }) => {
      hit()
      const { accountHash } = server.options
      image['variants'] = (image['variants'] as string[]).map((url) =>
        url.replace(`/${accountHash}/`, `/${server.other.options.accountHash}/`),
      )
    }, 'listImages'),
  ),
  ...(['/client', ''] as const).map((basePath) =>
    fault(
      basePath === '' ? 'api-root-has-no-path' : 'api-root-has-no-version',
      `Serves the API at ${basePath === '' ? 'the root of its host' : basePath}, without a version segment.`,
      ['IMG-VERSION-01'],
      (hit) => ({
        basePath,
        around: (call, next) => {
          if (call.host === 'account') hit()
          return next()
        },
      }),
    ),
  ),
  fault(
    'account-is-never-found',
    'Returns 404 instead of a success for every request to the account host.',
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
    'Returns the array of images as the body of a list, without an envelope.',
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
    'Puts the id of the image before the hash of the account in delivery URLs.',
    ['IMG-ADDRESS-02'],
    rewriteDeliveryUrls(
      ({ hash, id, variant }) => `${id}/${hash}/${variant}`,
      (params) => {
        const [hash, id] = [params['image_id'] ?? '', params['hash'] ?? '']
        Object.assign(params, { hash, image_id: id })
      },
    ),
  ),
  fault(
    'delivery-urls-name-a-file',
    'Adds a file extension to the id in delivery URLs.',
    ['IMG-ADDRESS-02'],
    rewriteDeliveryUrls(
      ({ hash, id, variant }) => `${hash}/${id}.png/${variant}`,
      (params) => {
        params['image_id'] = (params['image_id'] ?? '').replace(/\.png$/, '')
      },
    ),
  ),
  fault(
    'delivery-urls-have-a-further-segment',
    'Adds a segment before the hash in delivery URLs.',
    ['IMG-ADDRESS-02'],
    rewriteDeliveryUrls(
      ({ hash, id, variant }) => `cdn/${hash}/${id}/${variant}`,
      (params) => {
        const [hash = '', ...id] = (params['image_id'] ?? '').split('/')
        Object.assign(params, { hash, image_id: id.join('/') })
      },
    ),
  ),
  fault(
    'delivery-urls-are-paths',
    'Returns delivery URLs as paths without a host.',
    ['IMG-ADDRESS-02'],
    onRecords((image, hit, { server }) => {
      hit()
      image['variants'] = (image['variants'] as string[]).map((url) =>
        url.slice(server.urls.delivery.length),
      )
    }, operationsWithImages),
  ),

  fault(
    'delivery-hash-of-each-image',
    'Uses a different hash in delivery URLs for each image.',
    ['IMG-ADDRESS-03'],
    rewriteDeliveryUrls(
      ({ id, variant }) => `${digest(id)}/${id}/${variant}`,
      (params, { server }) => {
        params['hash'] = server.options.accountHash
      },
    ),
  ),
  fault(
    'delivery-hash-of-each-variant',
    'Uses a different hash in delivery URLs for each variant.',
    ['IMG-ADDRESS-03'],
    rewriteDeliveryUrls(
      ({ id, variant }) => `${digest(variant)}/${id}/${variant}`,
      (params, { server }) => {
        params['hash'] = server.options.accountHash
      },
    ),
  ),
]
