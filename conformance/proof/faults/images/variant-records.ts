import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { ImagesCall, ImagesOperation, Variant } from '../../../../mocks/stateful/images.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import type { ImagesFault } from './fault.ts'
import {
  changeJson,
  fault,
  isObject,
  onRequest,
  resultOf,
  withResult,
  type Json,
} from './building.ts'

// Servers that lose, mix up or misrepresent the values of variants.

const idOf = ({ params }: ImagesCall) => params['variant_id'] ?? ''

/** The variants in a reply, to be changed in place. */
function variantsIn(result: Json): Json[] {
  const { variant, variants } = result
  if (isObject(variant)) return [variant]
  if (Array.isArray(variants)) return variants.filter(isObject)
  return isObject(variants) ? Object.values(variants).filter(isObject) : []
}

/** Changes the variants in the replies of some operations. */
const changeShown = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  operations: readonly ImagesOperation[],
  change: (variant: Json) => boolean,
): ImagesFault =>
  fault(
    name,
    description,
    violates,
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      if (reply.status !== 200) return reply
      const result = structuredClone(resultOf(reply))
      for (const variant of variantsIn(result)) if (change(variant)) hit()
      return withResult(reply, result)
    }, operations),
  )

/** Changes a variant in the store directly after an operation wrote it. */
const changeStored = (
  name: string,
  description: string,
  violates: readonly RequirementId[],
  operation: ImagesOperation,
  change: (variant: Variant, old: Variant | undefined) => Variant,
): ImagesFault =>
  fault(
    name,
    description,
    violates,
    onRequest(async (call, next, hit) => {
      const { store } = call.server
      const named = operation === 'createVariant' ? undefined : idOf(call)
      const old = store.variants.get(named ?? '')
      const reply = await next()
      const id = named ?? String(((await call.json()) as Json)['id'])
      const variant = store.variants.get(id)
      if (reply.status !== 200 || variant === undefined) return reply
      const changed = change(variant, old)
      if (JSON.stringify(changed) !== JSON.stringify(variant)) hit()
      store.putVariant(changed)
      return reply
    }, operation),
  )

const everywhere = ['createVariant', 'getVariant', 'listVariants', 'updateVariant'] as const
const optionsOf = (variant: Json) => variant['options'] as Json

/** Ignores changes of one option. */
const ignoreChange = (option: 'fit' | 'width' | 'height' | 'metadata'): ImagesFault =>
  changeStored(
    `change-of-${option}-is-lost`,
    `Responds to a change with the new ${option}, but does not store it.`,
    ['IMG-VARIANTS-04'],
    'updateVariant',
    (variant, old) => ({
      ...variant,
      options: { ...variant.options, [option]: old?.options[option] ?? variant.options[option] },
    }),
  )

/** Stores a new variant with a value other than that of the request. */
const storeWrong = (name: string, description: string, change: (variant: Variant) => Variant) =>
  changeStored(name, description, ['IMG-VARIANTS-18'], 'createVariant', change)

/** Shows one field of a variant as a string in the responses to one operation. */
const asString = (operation: (typeof everywhere)[number], option: string): ImagesFault =>
  changeShown(
    `${operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-shows-${option}-as-string`,
    `Shows ${option} as a string in the response to ${operation}.`,
    ['IMG-VARIANT-12'],
    [operation],
    (variant) => {
      const holder = option in variant ? variant : optionsOf(variant)
      holder[option] = String(holder[option])
      return true
    },
  )

/** Faults in which a change or a deletion also concerns other variants, by their names. */
const concernOthers = (
  which: string,
  description: string,
  isAffected: (name: string, requested: string) => boolean,
): ImagesFault[] => [
  fault(
    `change-concerns-${which}`,
    `Changes ${description}.`,
    ['IMG-VARIANTS-17'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const { store } = call.server
      const own = store.variants.get(idOf(call))
      if (reply.status !== 200 || own === undefined) return reply
      for (const other of [...store.variants.values()])
        if (other.id !== own.id && isAffected(other.id, own.id)) {
          hit()
          store.putVariant({ ...other, options: own.options })
        }
      return reply
    }, 'updateVariant'),
  ),
  fault(
    `deletion-concerns-${which}`,
    `Deletes ${description}.`,
    ['IMG-VARIANTS-17'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const { store } = call.server
      if (reply.status === 200)
        for (const id of [...store.variants.keys()])
          if (isAffected(id, idOf(call)) && store.removeVariant(id)) hit()
      return reply
    }, 'deleteVariant'),
  ),
]

export const variantRecords: readonly ImagesFault[] = [
  ...(['fit', 'width', 'height', 'metadata'] as const).map(ignoreChange),
  fault(
    'second-change-is-ignored',
    'Ignores every change of a variant after the first one.',
    ['IMG-VARIANTS-04'],
    (hit) => {
      const changed = new Set<string>()
      return onRequest((call, next) => {
        if (changed.has(idOf(call))) {
          hit()
          replaceRulesOf(call, { mergeOptions: (old) => old })
        }
        changed.add(idOf(call))
        return next()
      }, 'updateVariant')(hit)
    },
  ),
  changeStored(
    'smaller-sizes-are-ignored',
    'Ignores a change of the width or height to a smaller value.',
    ['IMG-VARIANTS-04'],
    'updateVariant',
    (variant, old) => ({
      ...variant,
      options: {
        ...variant.options,
        width: Math.max(variant.options.width, old?.options.width ?? 0),
        height: Math.max(variant.options.height, old?.options.height ?? 0),
      },
    }),
  ),
  fault(
    'list-shows-variants-before-their-changes',
    'Lists variants with the options of their creation.',
    ['IMG-VARIANTS-04'],
    (hit) => {
      const first = new Map<string, Json>()
      return onRequest(
        async (call, next) => {
          const reply = await next()
          const result = structuredClone(resultOf(reply))
          for (const variant of variantsIn(result)) {
            const id = String(variant['id'])
            if (call.operation === 'createVariant') first.set(id, optionsOf(variant))
            else if (JSON.stringify(first.get(id)) !== JSON.stringify(variant['options'])) {
              hit()
              variant['options'] = first.get(id) ?? variant['options']
            }
          }
          return call.operation === 'createVariant' ? reply : withResult(reply, result)
        },
        ['createVariant', 'listVariants'],
      )(hit)
    },
  ),
  fault(
    'change-responds-with-the-old-values',
    'Responds to a change with the old values of the variant.',
    ['IMG-VARIANTS-04'],
    onRequest(async (call, next, hit) => {
      const old = call.server.store.variants.get(idOf(call))
      const reply = await next()
      if (reply.status !== 200 || old === undefined) return reply
      hit()
      return withResult(reply, { variant: { ...old } })
    }, 'updateVariant'),
  ),
  changeStored(
    'change-resets-neverRequireSignedURLs',
    'Sets neverRequireSignedURLs to false at each change of a variant.',
    ['IMG-VARIANTS-04'],
    'updateVariant',
    (variant) => ({ ...variant, neverRequireSignedURLs: false }),
  ),

  fault(
    'recreated-variant-has-its-old-options',
    'Gives a variant that was deleted and created again the options of the deleted one.',
    ['IMG-VARIANTS-18'],
    (hit) => {
      const known = new Map<string, Variant['options']>()
      return {
        around: async (call, next) => {
          const { variants } = call.server.store
          if (call.operation === 'deleteVariant') {
            const old = variants.get(idOf(call))
            if (old !== undefined) known.set(old.id, old.options)
          }
          const before = new Set(variants.keys())
          const reply = await next()
          if (call.operation === 'createVariant')
            for (const [id, variant] of variants)
              if (!before.has(id) && known.has(id)) {
                hit()
                variant.options = known.get(id)!
              }
          return reply
        },
      }
    },
  ),
  storeWrong(
    'new-variant-loses-its-flag',
    'Stores every new variant with neverRequireSignedURLs: false.',
    (variant) => ({
      ...variant,
      neverRequireSignedURLs: false,
    }),
  ),
  storeWrong(
    'new-variant-loses-its-metadata',
    'Stores every new variant with the metadata none.',
    (variant) => ({
      ...variant,
      options: { ...variant.options, metadata: 'none' },
    }),
  ),
  storeWrong(
    'new-variant-has-another-fit',
    'Stores a new variant whose fit is contain with the fit scale-down.',
    (variant) => ({
      ...variant,
      options: {
        ...variant.options,
        fit: variant.options.fit === 'contain' ? 'scale-down' : variant.options.fit,
      },
    }),
  ),
  changeShown(
    'creation-shows-the-default-values',
    'Responds to the creation of a variant with the default width.',
    ['IMG-VARIANTS-18'],
    ['createVariant'],
    (variant) => {
      optionsOf(variant)['width'] = 1366
      return true
    },
  ),
  changeShown(
    'list-shows-one-fit',
    'Lists every variant with the fit scale-down.',
    ['IMG-VARIANTS-18'],
    ['listVariants'],
    (variant) => {
      const hadOtherFit = optionsOf(variant)['fit'] !== 'scale-down'
      optionsOf(variant)['fit'] = 'scale-down'
      return hadOtherFit
    },
  ),
  fault(
    'refused-creation-replaces-the-variant',
    'Refuses a new variant whose name is in use, but replaces the options of the existing one.',
    ['IMG-VARIANTS-18'],
    onRequest(async (call, next, hit) => {
      const reply = await next()
      const { id, options } = (await call.json()) as { id?: string; options?: object }
      const old = call.server.store.variants.get(id ?? '')
      if (reply.reason !== 'variant-id-taken' || old === undefined) return reply
      hit()
      call.server.store.putVariant({ ...old, options: { ...old.options, ...options } })
      return reply
    }, 'createVariant'),
  ),

  asString('createVariant', 'width'),
  asString('getVariant', 'neverRequireSignedURLs'),
  asString('listVariants', 'height'),
  changeShown(
    'variant-has-its-options-outside',
    'Shows the options of a variant next to its id instead of inside the field options.',
    ['IMG-VARIANT-12'],
    everywhere,
    (variant) => {
      Object.assign(variant, variant['options'])
      delete variant['options']
      return true
    },
  ),

  ...concernOthers(
    'all-names-with-that-beginning',
    'every variant whose name begins with the requested name',
    (name, requested) => name.startsWith(requested),
  ),
  ...concernOthers(
    'a-name-in-any-case',
    'every variant whose name differs from the requested name only in case',
    (name, requested) => name.toLowerCase() === requested.toLowerCase(),
  ),
  fault(
    'variant-options-may-be-an-array',
    'Accepts an array as the options of a new variant, and uses the default options.',
    ['IMG-VARIANTS-15'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (!Array.isArray(body['options'])) return body
        hit()
        return { ...body, options: {} }
      })
      return next()
    }, 'createVariant'),
  ),
  fault(
    'list-of-variants-ends-after-five',
    'Lists at most five variants.',
    ['IMG-VARIANTS-11'],
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      const all = Object.entries((resultOf(reply)['variants'] ?? {}) as Json)
      if (all.length <= 5) return reply
      hit()
      return withResult(reply, { variants: Object.fromEntries(all.slice(0, 5)) })
    }, 'listVariants'),
  ),
  fault(
    'list-lacks-the-oldest-variant',
    'Lists all variants but the oldest.',
    ['IMG-VARIANTS-02'],
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      const all = Object.entries((resultOf(reply)['variants'] ?? {}) as Json)
      if (reply.status !== 200 || all.length < 2) return reply
      hit()
      return withResult(reply, { variants: Object.fromEntries(all.slice(1)) })
    }, 'listVariants'),
  ),
  fault(
    'newest-variant-is-not-listed',
    'Lists all variants but the newest.',
    ['IMG-VARIANTS-11'],
    onRequest(async (_call, next, hit) => {
      const reply = await next()
      const all = Object.entries((resultOf(reply)['variants'] ?? {}) as Json)
      if (all.length < 2) return reply
      hit()
      return withResult(reply, { variants: Object.fromEntries(all.slice(0, -1)) })
    }, 'listVariants'),
  ),

  ...(
    [
      [
        'variant-needs-no-id',
        'Creates a variant although the request contains no id.',
        'IMG-VARIANTS-14',
        (body: Json) => body['id'] === undefined,
        false,
      ],
      [
        'variant-id-is-converted',
        'Accepts a number as the id of a new variant.',
        'IMG-VARIANTS-15',
        (body: Json) => typeof body['id'] === 'number',
        false,
      ],
      [
        'variant-id-may-be-an-object',
        'Accepts an object as the id of a new variant.',
        'IMG-VARIANTS-15',
        (body: Json) => isObject(body['id']),
        false,
      ],
      [
        'variant-without-an-id-is-refused-and-made',
        'Refuses a new variant without an id, but creates it.',
        'IMG-VARIANTS-14',
        (body: Json) => body['id'] === undefined,
        true,
      ],
    ] as const
  ).map(([name, description, requirement, isAffected, isRefused]) =>
    fault(
      name,
      description,
      [requirement],
      onRequest(async (call, next, hit) => {
        let isChanged = false
        changeJson(call, (body) => {
          if (!isAffected(body)) return body
          isChanged = true
          return { ...body, id: `v${String(body['id'] ?? Math.random()).replace(/\W/g, '')}` }
        })
        const reply = await next()
        if (!isChanged) return reply
        hit()
        return isRefused
          ? { status: 400, body: { success: false, errors: [{ code: 5400, message: 'No id' }] } }
          : reply
      }, 'createVariant'),
    ),
  ),
  fault(
    'options-of-another-type-are-ignored',
    'Ignores the options of a new variant if they are not an object.',
    ['IMG-VARIANTS-15'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (body['options'] === undefined || isObject(body['options'])) return body
        hit()
        const { options: _, ...others } = body
        return others
      })
      return next()
    }, 'createVariant'),
  ),
  fault(
    'first-of-several-variants-is-created',
    'Accepts an array of new variants, and creates the first one.',
    ['IMG-VARIANTS-15'],
    onRequest((call, next, hit) => {
      const read = call.json.bind(call)
      let once: Promise<unknown> | undefined
      call.json = () =>
        (once ??= read().then((body) => {
          if (!Array.isArray(body)) return body
          hit()
          return body[0] as unknown
        }))
      return next()
    }, 'createVariant'),
  ),
  ...(['width', 'height'] as const).map((option) =>
    fault(
      `change-ignores-a-${option}-of-another-type`,
      `Ignores the ${option} in a change of a variant if it is not an integer.`,
      ['IMG-VARIANTS-16'],
      onRequest((call, next, hit) => {
        changeJson(call, (body) => {
          const options = body['options']
          if (!isObject(options) || !(option in options) || Number.isInteger(options[option]))
            return body
          hit()
          const { [option]: _, ...others } = options
          return { ...body, options: others }
        })
        return next()
      }, 'updateVariant'),
    ),
  ),
  fault(
    'change-ignores-options-of-another-type',
    'Ignores the options in a change of a variant if they are not an object.',
    ['IMG-VARIANTS-16'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (body['options'] === undefined || isObject(body['options'])) return body
        hit()
        return { ...body, options: {} }
      })
      return next()
    }, 'updateVariant'),
  ),
]
