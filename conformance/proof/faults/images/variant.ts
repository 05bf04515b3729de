import type { RequirementId } from '../../../../generated/requirements/index.ts'
import {
  success,
  type ImagesCall,
  type ImagesRules,
  type Variant,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { changeJson, fault, onRequest, refuse, without, type Json } from './building.ts'

const writing = ['createVariant', 'updateVariant'] as const
const creating = ['createVariant'] as const
const toName = (value: unknown) => String(value).replace('.', '-')

/**
 * Most checks create variants with the fit `scale-down` and the metadata `none`. A server that
 * refuses one of these values also violates IMG-VARIANTS-01, the creation of variants.
 */
const withCreation = (requirement: RequirementId, value: string): RequirementId[] =>
  value === 'scale-down' || value === 'none' ? [requirement, 'IMG-VARIANTS-01'] : [requirement]

/** Refuses a valid value. */
const refuseValue = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  rule: 'isFit' | 'isMetadataMode' | 'isFlag',
  value: unknown,
): ImagesFault =>
  fault(
    name,
    description,
    violates,
    onRequest((call, next, hit) => {
      const accepts: ImagesRules[typeof rule] = call.server.rules[rule]
      replaceRulesOf(call, {
        [rule]: (other: unknown) => {
          if (other !== value) return accepts(other)
          hit()
          return false
        },
      })
      return next()
    }, writing),
  )

/** Ignores an option with this invalid value when a variant is created. */
const ignoreOption = (
  requirement: RequirementId,
  option: string,
  value: unknown,
  valueName: string,
): ImagesFault =>
  fault(
    `variant-accepts-${valueName}-as-${option}`,
    `Accepts ${JSON.stringify(value)} as the ${option} of a new variant, and uses the default.`,
    [requirement],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        const options = body['options'] as Json | undefined
        if (options === undefined || options[option] !== value) return body
        hit()
        return { ...body, options: without(options, option) }
      })
      return next()
    }, creating),
  )

/** Makes a fault that returns the options of another variant when a variant is read. */
const returnOtherOptions = (
  name: string,
  description: string,
  other: (
    call: ImagesCall,
    created: readonly string[],
    changed: ReadonlySet<string>,
  ) => Variant | undefined,
): ImagesFault =>
  fault(name, description, ['IMG-VARIANT-01'], (hit) => {
    const created: string[] = []
    const changed = new Set<string>()
    return onRequest(
      async (call, next) => {
        const name = call.params['variant_id'] ?? ''
        if (call.operation === 'updateVariant') changed.add(name)
        const reply = await next()
        if (call.operation === 'createVariant' && reply.status === 200)
          created.push(String(((await call.json()) as Json)['id']))
        const replacement =
          call.operation === 'getVariant' && reply.status === 200
            ? other(call, created, changed)
            : undefined
        if (replacement === undefined || replacement.id === name) return reply
        hit()
        return success(call, { variant: { ...replacement, id: name } })
      },
      ['createVariant', 'updateVariant', 'getVariant'],
    )(hit)
  })

export const variant: readonly ImagesFault[] = [
  returnOtherOptions(
    'unchanged-variant-reads-as-the-last-one',
    'Returns the options of the newest variant for every variant that was never changed.',
    ({ params, server }, created, changed) =>
      changed.has(params['variant_id'] ?? '')
        ? undefined
        : server.store.variants.get(created.at(-1) ?? ''),
  ),
  returnOtherOptions(
    'every-variant-reads-as-the-first-one',
    "Returns the options of the account's first variant for every variant.",
    ({ server }) => [...server.store.variants.values()][0],
  ),
  fault(
    'variant-is-stored-in-lower-case',
    'Stores a new variant under its name in lower case.',
    ['IMG-VARIANT-01'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        const { id } = body
        if (typeof id !== 'string' || id === id.toLowerCase()) return body
        hit()
        return { ...body, id: id.toLowerCase() }
      })
      return next()
    }, creating),
  ),
  fault(
    'variant-gets-a-generated-id',
    'Stores a new variant under a generated id instead of the requested one.',
    ['IMG-VARIANT-01', 'IMG-VARIANTS-03'],
    (hit) => {
      let created = 0
      return onRequest((call, next) => {
        changeJson(call, (body) => {
          if (typeof body['id'] !== 'string') return body
          hit()
          return { ...body, id: `variant-${++created}` }
        })
        return next()
      }, creating)(hit)
    },
  ),

  ...['scale-down', 'contain', 'cover', 'crop', 'pad'].map((fit) =>
    refuseValue(
      `fit-${fit}-is-unknown`,
      `Refuses variants with the fit ${fit}.`,
      withCreation('IMG-VARIANT-02', fit),
      'isFit',
      fit,
    ),
  ),
  ignoreOption('IMG-VARIANT-03', 'fit', 'stretch', 'stretch'),
  ignoreOption('IMG-VARIANT-03', 'fit', '', 'an-empty-string'),

  ...(['width', 'height'] as const).flatMap((option) =>
    [option === 'width' ? 'wide' : 'high', 1.5, true].map((value) =>
      ignoreOption(
        option === 'width' ? 'IMG-VARIANT-04' : 'IMG-VARIANT-05',
        option,
        value,
        toName(value),
      ),
    ),
  ),

  ...['none', 'copyright', 'keep'].map((mode) =>
    refuseValue(
      `metadata-${mode}-is-unknown`,
      `Refuses variants with the metadata ${mode}.`,
      withCreation('IMG-VARIANT-06', mode),
      'isMetadataMode',
      mode,
    ),
  ),
  ignoreOption('IMG-VARIANT-07', 'metadata', 'everything', 'everything'),
  ignoreOption('IMG-VARIANT-07', 'metadata', '', 'an-empty-string'),

  ...[true, false].map((value) =>
    refuseValue(
      `never-require-${value}-is-unknown`,
      `Refuses variants with neverRequireSignedURLs: ${value}.`,
      ['IMG-VARIANT-08'],
      'isFlag',
      value,
    ),
  ),
  fault(
    'never-require-cannot-be-left-out',
    'Refuses a variant without neverRequireSignedURLs.',
    ['IMG-VARIANT-08', 'IMG-VARIANTS-01'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (body['neverRequireSignedURLs'] !== undefined || body['options'] === undefined)
          return body
        hit()
        return refuse('neverRequireSignedURLs is required')
      })
      return next()
    }, creating),
  ),
  fault(
    'never-require-accepts-any-string',
    'Accepts any string as neverRequireSignedURLs, and treats it as true.',
    ['IMG-VARIANT-09'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (typeof body['neverRequireSignedURLs'] !== 'string') return body
        hit()
        return { ...body, neverRequireSignedURLs: true }
      })
      return next()
    }, creating),
  ),
  fault(
    'never-require-accepts-numbers',
    'Accepts a number as neverRequireSignedURLs, and treats 0 as false and other numbers as true.',
    ['IMG-VARIANT-09'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        const flag = body['neverRequireSignedURLs']
        if (typeof flag !== 'number') return body
        hit()
        return { ...body, neverRequireSignedURLs: flag !== 0 }
      })
      return next()
    }, creating),
  ),
]
