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
const word = (value: unknown) => String(value).replace('.', '-')

/** Without the most usual values, which come first in the document, no ordinary variant can be created at all. */
const also = (requirement: RequirementId, value: string): RequirementId[] =>
  value === 'scale-down' || value === 'none' ? [requirement, 'IMG-VARIANTS-01'] : [requirement]

/** A value that the server does not know, though it should. */
const unknown = (
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
      const known: ImagesRules[typeof rule] = call.server.rules[rule]
      replaceRulesOf(call, {
        [rule]: (given: unknown) => {
          if (given !== value) return known(given)
          hit()
          return false
        },
      })
      return next()
    }, writing),
  )

/** A wrong option that is dropped in silence where a variant is created. */
const dropped = (
  requirement: RequirementId,
  option: string,
  value: unknown,
  called: string,
): ImagesFault =>
  fault(
    `variant-takes-${called}-as-${option}`,
    `Creates a variant with the ${option} ${JSON.stringify(value)}, and leaves that option at its standard.`,
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

/** Reading a variant shows the options of another one. */
const mistaken = (
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
        const shown =
          call.operation === 'getVariant' && reply.status === 200
            ? other(call, created, changed)
            : undefined
        if (shown === undefined || shown.id === name) return reply
        hit()
        return success(call, { variant: { ...shown, id: name } })
      },
      ['createVariant', 'updateVariant', 'getVariant'],
    )(hit)
  })

export const variant: readonly ImagesFault[] = [
  mistaken(
    'unchanged-variant-reads-as-the-last-one',
    'Until it is changed a variant is read with the options of the one that was created last.',
    ({ params, server }, created, changed) =>
      changed.has(params['variant_id'] ?? '')
        ? undefined
        : server.store.variants.get(created.at(-1) ?? ''),
  ),
  mistaken(
    'every-variant-reads-as-the-first-one',
    "Reading a variant shows the options of the account's first one, whatever its id.",
    ({ server }) => [...server.store.variants.values()][0],
  ),
  fault(
    'variant-gets-an-id-of-its-own',
    'A variant gets an id that the service makes up, and its name leads nowhere.',
    ['IMG-VARIANT-01', 'IMG-VARIANTS-03'],
    (hit) => {
      let made = 0
      return onRequest((call, next) => {
        changeJson(call, (body) => {
          if (typeof body['id'] !== 'string') return body
          hit()
          return { ...body, id: `variant-${++made}` }
        })
        return next()
      }, creating)(hit)
    },
  ),

  ...['scale-down', 'contain', 'cover', 'crop', 'pad'].map((fit) =>
    unknown(
      `fit-${fit}-is-unknown`,
      `Refuses variants with the fit ${fit}.`,
      also('IMG-VARIANT-02', fit),
      'isFit',
      fit,
    ),
  ),
  dropped('IMG-VARIANT-03', 'fit', 'stretch', 'stretch'),
  dropped('IMG-VARIANT-03', 'fit', '', 'an-empty-text'),

  ...(['width', 'height'] as const).flatMap((option) =>
    [option === 'width' ? 'wide' : 'high', 1.5, true].map((value) =>
      dropped(option === 'width' ? 'IMG-VARIANT-04' : 'IMG-VARIANT-05', option, value, word(value)),
    ),
  ),

  ...['none', 'copyright', 'keep'].map((mode) =>
    unknown(
      `metadata-${mode}-is-unknown`,
      `Refuses variants with the metadata ${mode}.`,
      also('IMG-VARIANT-06', mode),
      'isMetadataMode',
      mode,
    ),
  ),
  dropped('IMG-VARIANT-07', 'metadata', 'everything', 'everything'),
  dropped('IMG-VARIANT-07', 'metadata', '', 'an-empty-text'),

  ...[true, false].map((value) =>
    unknown(
      `never-require-${value}-is-unknown`,
      `Refuses variants with neverRequireSignedURLs ${value}.`,
      ['IMG-VARIANT-08'],
      'isFlag',
      value,
    ),
  ),
  fault(
    'never-require-cannot-be-left-out',
    'Refuses a variant that leaves neverRequireSignedURLs out.',
    ['IMG-VARIANT-08', 'IMG-VARIANTS-01'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (body['neverRequireSignedURLs'] !== undefined || body['options'] === undefined)
          return body
        hit()
        return refuse('neverRequireSignedURLs has to be given')
      })
      return next()
    }, creating),
  ),
  fault(
    'never-require-takes-any-text',
    'Takes any text as neverRequireSignedURLs true.',
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
]
