import {
  failure,
  type ImagesCall,
  type ImagesOperation,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFactor } from './variation.ts'
import { onOperations, uploads } from './building.ts'

const ofImages = ['getImage', 'deleteImage', 'batchDeleteImage'] as const
const ofVariants = ['getVariant', 'updateVariant', 'deleteVariant'] as const

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The key of a map that differs from a name at most in case. */
const findKey = (map: ReadonlyMap<string, unknown>, name: string): string | undefined =>
  map.has(name) ? name : [...map.keys()].find((key) => isSame(key, name))

/** Removes what has the same name in another case as what was created, which replaces it. */
async function removeReplaced(call: ImagesCall): Promise<void> {
  const { store } = call.server
  const isVariant = call.operation === 'createVariant'
  const { id } = Object(isVariant ? await call.json() : (await call.form()).fields) as {
    id?: string
  }
  if (id === undefined) return
  for (const key of [...(isVariant ? store.variants : store.images).keys()])
    if (key !== id && isSame(key, id))
      if (isVariant) store.removeVariant(key)
      else store.remove(key)
}

/** Finds an image or variant by a name in any case. */
function findInAnyCase({ server: { store }, params }: ImagesCall): void {
  for (const [parameter, map] of [
    ['image_id', store.images],
    ['variant_id', store.variants],
  ] as const) {
    const name = params[parameter]
    if (name !== undefined) params[parameter] = findKey(map, name) ?? name
  }
}

const oneAfterTheOther = (operations: readonly ImagesOperation[]) => {
  let last: Promise<unknown> = Promise.resolve()
  return onOperations(operations, (call, next) => {
    const form = call.form().catch(() => undefined)
    const own = last.then(() => form).then(next)
    last = own.catch(() => undefined)
    return own
  })
}

/** A PNG that is not an ordinary one: with 8 bits, without a palette and without interlacing. */
const isUnusual = (bytes: Uint8Array = new Uint8Array()) =>
  bytes[0] === 0x89 && (bytes[24] !== 8 || bytes[25] === 3 || bytes[28] === 1)

/** Names that are similar, uploads at the same time, and files that are unusual. */
export const similar: readonly ImagesFactor[] = [
  {
    requirement: 'none',
    name: 'names that differ only in case',
    values: [
      { name: 'are different', description: 'Distinguishes names that differ only in case.' },
      {
        name: 'are the same',
        description: 'Ignores the case of ids and of names of variants.',
        deviation: onOperations(
          [...ofImages, ...ofVariants, ...uploads, 'createVariant'],
          async (call, next) => {
            findInAnyCase(call)
            const reply = await next()
            const isCreation = [...uploads, 'createVariant'].includes(call.operation)
            if (isCreation && reply.status === 200) await removeReplaced(call)
            return reply
          },
        ),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'uploads at the same time',
    values: [
      { name: 'together', description: 'Processes several uploads at the same time.' },
      {
        name: 'one after the other',
        description: 'Begins to process a direct upload when the one before has ended.',
        deviation: oneAfterTheOther(['completeDirectUpload']),
      },
    ],
  },
  {
    requirement: 'none',
    name: 'unusual kinds of PNG',
    values: [
      { name: 'accepted', description: 'Accepts and transforms every kind of PNG.' },
      {
        name: 'refused',
        description: 'Refuses PNGs with a palette, with 16 bits and interlaced ones.',
        deviation: onOperations(uploads, async (call, next) => {
          const files = (await call.form().catch(() => undefined))?.files ?? []
          return files.some(({ bytes }) => isUnusual(bytes))
            ? failure(call.server.choices, 400, 'This kind of PNG is not supported')
            : next()
        }),
      },
      {
        name: 'not transformed',
        description: 'Reports a transformation error for these kinds of PNG.',
        deviation: onOperations(['deliverImage'], (call, next) =>
          isUnusual(call.server.store.get(call.params['image_id'] ?? '')?.bytes)
            ? Promise.resolve(failure(call.server.choices, 502, 'The image cannot be transformed'))
            : next(),
        ),
      },
    ],
  },
]
