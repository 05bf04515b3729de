import {
  success,
  type ImagesOperation,
  type ImagesReply,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesDeviation } from '../../faults/images/fault.ts'
import type { ImagesFactor } from './variation.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { changeJson } from '../../faults/images/building.ts'
import { changeReplies, onOperations, isObject, changeResults, type Json } from './building.ts'

const operationsWithVariants: readonly ImagesOperation[] = [
  'createVariant',
  'getVariant',
  'updateVariant',
  'listVariants',
]

/** Rewrites the options of variants in all replies. */
const changeOptions = (change: (options: Json) => Json) => {
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
  return changeResults(operationsWithVariants, within)
}

/** Rewrites the record of a single variant. */
const changeRecord = (change: (variant: Json) => unknown): ImagesDeviation => ({
  ...changeResults(['createVariant', 'getVariant', 'updateVariant'], (result) =>
    isObject(result) && 'id' in result ? change(result) : result,
  ),
  choices: { variantRecord: 'bare' },
})

const variantOf = ({ body }: ImagesReply) =>
  Object.values((body as { result: { variants: Json } }).result.variants) as Json[]

/** Rewrites the list of variants. */
const changeList = (change: (variants: Json[]) => unknown) =>
  changeReplies(
    (body, reply) =>
      reply.status === 200 ? { ...body, result: change(variantOf(reply)) } : undefined,
    ['listVariants'],
  )

/** Contents and behaviour of variants that the document does not state. */
export const variants: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-VARIANT-11',
    name: 'width and height in a variant',
    values: [
      { name: 'numbers', description: 'Returns sizes as numbers.' },
      {
        name: 'strings',
        description: 'Returns sizes as strings.',
        unmet: ['IMG-VARIANT-12'],
        deviation: changeOptions(({ width, height, ...others }) => ({
          ...others,
          width: `${String(width)}`,
          height: `${String(height)}`,
        })),
      },
      {
        name: 'numbers, and a separate object with the maximum width and height',
        description:
          'Returns an object with maximum sizes as the first of the options of a variant.',
        deviation: changeOptions((all) => ({ limits: { width: 12000, height: 12000 }, ...all })),
      },
      {
        name: 'numbers, and a separate object with the default options',
        notCombined: true,
        description: 'Returns the default options next to the actual ones.',
        deviation: changeOptions((all) => ({
          ...all,
          defaults: { fit: 'scale-down', width: 1366, height: 768, metadata: 'none' },
        })),
      },
    ],
  },
  {
    requirement: 'IMG-VARIANT-11',
    name: 'place of a variant in a response',
    values: [
      {
        name: 'the field variant of the result',
        description: 'Returns a variant in the field `variant`.',
      },
      {
        name: 'the result itself, with the options in one field',
        notCombined: true,
        description: 'Returns a variant as the result.',
        choices: { variantRecord: 'bare' },
      },
      {
        name: 'none, because the result contains only the id',
        description: 'Returns only the id of a variant.',
        choices: { variantRecord: 'minimal' },
      },
      {
        name: 'the result itself, with the options as direct fields',
        notCombined: true,
        description: 'Returns the options next to the id.',
        unmet: ['IMG-VARIANT-12'],
        deviation: changeRecord(({ options: inner, ...others }) => ({
          ...others,
          ...Object(inner),
        })),
      },
      {
        name: 'a field of the result whose name is the id',
        description: 'Returns an object with the id as the key.',
        deviation: changeRecord(({ id, ...others }) => ({ [String(id)]: others })),
      },
    ],
  },
  {
    requirement: 'IMG-VARIANT-11',
    name: 'form of the list of variants',
    values: [
      {
        name: 'an object that maps ids to variants',
        description: 'Returns an object with the ids as keys.',
      },
      {
        name: 'an array of variants in a field of the result',
        notCombined: true,
        description: 'Returns an array within the result.',
        choices: { variantList: 'array' },
      },
      {
        name: 'an array of variants as the result',
        description: 'Returns an array as the result.',
        deviation: changeList((all) => all),
      },
      {
        name: 'an array of ids',
        description: 'Returns only the ids.',
        deviation: changeList((all) => ({ names: all.map(({ id }) => id), total: all.length })),
      },
    ],
  },
  {
    requirement: 'IMG-VARIANT-11',
    name: 'the result of creating or changing a variant',
    values: [
      { name: 'the variant', description: 'Returns the variant that was created or changed.' },
      {
        name: 'an empty object',
        description: 'Returns an empty result.',
        choices: { variantWriteResult: 'empty' },
      },
    ],
  },
  {
    requirement: 'IMG-VARIANTS-12',
    name: 'a variant without options',
    values: [
      { name: 'accepted', description: 'Uses defaults for missing options of a new variant.' },
      {
        name: 'refused',
        description: 'Requires all four options of a new variant.',
        choices: { variantOptions: 'required' },
      },
    ],
  },
  {
    requirement: 'IMG-VARIANTS-12',
    name: 'a new variant with an id in use',
    values: [
      { name: 'refused with 400', description: 'Refuses an id in use with 400.' },
      {
        name: 'refused with 409',
        notCombined: true,
        description: 'Refuses an id in use with 409.',
        choices: { duplicateVariantStatus: 409 },
      },
      {
        name: 'replaces the old variant',
        description: 'Replaces the old variant with the new one.',
        deviation: onOperations(['createVariant'], async (call, next) => {
          const reply = await next()
          const { id } = Object(await call.json().catch(() => undefined)) as { id?: unknown }
          if (reply.reason !== 'variant-id-taken' || typeof id !== 'string') return reply
          call.server.store.removeVariant(id)
          return next()
        }),
      },
      {
        name: 'accepted, but the old variant stays',
        description: 'Keeps the old variant and returns a success.',
        deviation: onOperations(['createVariant'], async (call, next) => {
          const reply = await next()
          return reply.reason === 'variant-id-taken' ? success(call, {}) : reply
        }),
      },
    ],
  },
  {
    requirement: 'IMG-VARIANTS-12',
    name: 'a width or height of zero',
    values: [
      { name: 'refused', description: 'Refuses sizes of zero.' },
      {
        name: 'accepted',
        description: 'Accepts a size of zero.',
        deviation: onOperations(['createVariant', 'updateVariant'], (call, next) => {
          const { isDimension } = call.server.rules
          replaceRulesOf(call, { isDimension: (value) => value === 0 || isDimension(value) })
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-VARIANT-01',
    name: 'accepted names of variants',
    values: [
      {
        name: 'letters, digits, hyphens and underscores',
        description: 'Accepts letters, digits, hyphens and underscores.',
      },
      {
        name: 'up to 32 lower-case letters and digits',
        description: 'Accepts up to 32 lower-case letters and digits.',
        deviation: onOperations(['createVariant'], (call, next) => {
          replaceRulesOf(call, {
            isVariantId: (id) => typeof id === 'string' && /^[a-z0-9]{1,32}$/.test(id),
          })
          return next()
        }),
      },
      {
        name: 'not case-sensitive',
        notCombined: true,
        description: 'Stores names in lower case, and finds variants by names in any case.',
        deviation: onOperations(
          ['createVariant', 'getVariant', 'updateVariant', 'deleteVariant', 'deliverImage'],
          (call, next) => {
            for (const name of ['variant_id', 'variant']) {
              const value = call.params[name]
              if (value !== undefined) call.params[name] = value.toLowerCase()
            }
            if (call.operation === 'createVariant')
              changeJson(call, (body) =>
                typeof body['id'] === 'string' ? { ...body, id: body['id'].toLowerCase() } : body,
              )
            return next()
          },
        ),
      },
    ],
  },
]
