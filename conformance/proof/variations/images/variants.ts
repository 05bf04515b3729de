import {
  success,
  type ImagesOperation,
  type ImagesReply,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesDeviation } from '../../faults/images/fault.ts'
import type { ImagesFactor } from './variation.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { answers, at, isObject, results, type Json } from './building.ts'

const shown: readonly ImagesOperation[] = [
  'createVariant',
  'getVariant',
  'updateVariant',
  'listVariants',
]

/** Rewrites the options of every variant, wherever they are shown. */
const options = (change: (options: Json) => Json) => {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === 'options' && isObject(member) ? change(member) : within(member),
      ]),
    )
  }
  return results(shown, within)
}

/** Rewrites the record of a single variant. */
const record = (change: (variant: Json) => unknown): ImagesDeviation => ({
  ...results(['createVariant', 'getVariant', 'updateVariant'], (result) =>
    isObject(result) && 'id' in result ? change(result) : result,
  ),
  choices: { variantRecord: 'bare' },
})

const named = ({ body }: ImagesReply) =>
  Object.values((body as { result: { variants: Json } }).result.variants) as Json[]

/** Rewrites the list of variants. */
const list = (change: (variants: Json[]) => unknown) =>
  answers(
    (body, reply) => (reply.status === 200 ? { ...body, result: change(named(reply)) } : undefined),
    ['listVariants'],
  )

/** What variants may look like and do where the document is silent. */
export const variants: readonly ImagesFactor[] = [
  {
    row: 'IMG-VARIANT-11',
    factor: 'sizes in a variant',
    levels: [
      { name: 'numbers', says: 'Shows sizes as numbers.' },
      {
        name: 'texts',
        says: 'Shows sizes as texts.',
        deviation: options(({ width, height, ...others }) => ({
          ...others,
          width: `${String(width)}`,
          height: `${String(height)}`,
        })),
      },
      {
        name: 'with limits',
        says: 'Shows the largest sizes that it takes before those of the variant.',
        deviation: options((all) => ({ limits: { width: 12000, height: 12000 }, ...all })),
      },
      {
        name: 'with the defaults',
        alone: true,
        says: 'Shows beside its options those that it would have by default.',
        deviation: options((all) => ({
          ...all,
          defaults: { fit: 'scale-down', width: 1366, height: 768, metadata: 'none' },
        })),
      },
    ],
  },
  {
    row: 'IMG-VARIANT-11',
    factor: 'the record of a variant',
    levels: [
      { name: 'wrapped', says: 'Wraps a variant in a member of its own.' },
      {
        name: 'bare',
        alone: true,
        says: 'Gives the variant itself.',
        choices: { variantRecord: 'bare' },
      },
      {
        name: 'its id',
        says: 'Shows nothing of a variant but its id.',
        choices: { variantRecord: 'minimal' },
      },
      {
        name: 'flat',
        alone: true,
        says: 'Shows the options beside the id.',
        deviation: record(({ options: inner, ...others }) => ({ ...others, ...Object(inner) })),
      },
      {
        name: 'by its id',
        says: 'Keys a variant by its id.',
        deviation: record(({ id, ...others }) => ({ [String(id)]: others })),
      },
    ],
  },
  {
    row: 'IMG-VARIANT-11',
    factor: 'the list of variants',
    levels: [
      { name: 'a map', says: 'Lists variants by their ids.' },
      {
        name: 'an array',
        alone: true,
        says: 'Lists variants in an array within the result.',
        choices: { variantList: 'array' },
      },
      {
        name: 'the result itself',
        says: 'Gives an array as the result.',
        deviation: list((all) => all),
      },
      {
        name: 'ids',
        says: 'Lists nothing but ids.',
        deviation: list((all) => ({ names: all.map(({ id }) => id), total: all.length })),
      },
    ],
  },
  {
    row: 'IMG-VARIANT-11',
    factor: 'the answer to a written variant',
    levels: [
      { name: 'the variant', says: 'Shows the variant that was created or changed.' },
      {
        name: 'nothing',
        says: 'Says only that it worked.',
        choices: { variantWriteResult: 'empty' },
      },
    ],
  },
  {
    row: 'IMG-VARIANTS-12',
    factor: 'a variant without options',
    levels: [
      { name: 'accepted', says: 'Fills in what a new variant does not say.' },
      {
        name: 'refused',
        says: 'Wants all four options of a new variant.',
        choices: { variantOptions: 'required' },
      },
    ],
  },
  {
    row: 'IMG-VARIANTS-12',
    factor: "a variant's id in use",
    levels: [
      { name: 'invalid', says: 'Refuses with 400.' },
      {
        name: 'a conflict',
        alone: true,
        says: 'Refuses with 409.',
        choices: { duplicateVariantStatus: 409 },
      },
      {
        name: 'replaced',
        says: 'Puts the new variant in the place of the old one.',
        deviation: at(['createVariant'], async (call, next) => {
          const reply = await next()
          const { id } = Object(await call.json().catch(() => undefined)) as { id?: unknown }
          if (reply.reason !== 'variant-id-taken' || typeof id !== 'string') return reply
          call.server.store.removeVariant(id)
          return next()
        }),
      },
      {
        name: 'kept',
        says: 'Keeps the old variant and says that it worked.',
        deviation: at(['createVariant'], async (call, next) => {
          const reply = await next()
          return reply.reason === 'variant-id-taken' ? success(call, {}) : reply
        }),
      },
    ],
  },
  {
    row: 'IMG-VARIANTS-12',
    factor: 'a size of zero',
    levels: [
      { name: 'refused', says: 'Refuses sizes of zero.' },
      {
        name: 'accepted',
        says: 'Takes a size of zero.',
        deviation: at(['createVariant', 'updateVariant'], (call, next) => {
          const { isDimension } = call.server.rules
          replaceRulesOf(call, { isDimension: (value) => value === 0 || isDimension(value) })
          return next()
        }),
      },
    ],
  },
  {
    row: 'IMG-VARIANT-01',
    factor: 'names of variants',
    levels: [
      { name: 'wide', says: 'Takes letters, digits, hyphens and underscores.' },
      {
        name: 'narrow',
        says: 'Takes up to 32 small letters and digits.',
        deviation: at(['createVariant'], (call, next) => {
          replaceRulesOf(call, {
            isVariantId: (id) => typeof id === 'string' && /^[a-z0-9]{1,32}$/.test(id),
          })
          return next()
        }),
      },
    ],
  },
]
