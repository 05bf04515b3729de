import { success } from './answers.ts'
import type { ImagesCall, ImagesReply } from './call.ts'
import { objectOf } from './json-body.ts'
import type { Variant, VariantOptions } from './store.ts'
import { ImagesRefusal } from './refusal.ts'

/** What a variant starts from where its creator is silent. */
export const standardOptions: Readonly<VariantOptions> = Object.freeze({
  fit: 'scale-down',
  width: 1366,
  height: 768,
  metadata: 'none',
})

/** Adds a variant; every picture has a delivery URL for it from then on. */
export async function createVariant(call: ImagesCall): Promise<ImagesReply> {
  const { store, rules, choices } = call.server
  const body = objectOf(await call.json())
  const id = body['id'] as string
  if (!rules.isVariantId(id))
    throw new ImagesRefusal(
      'variant-id-malformed',
      400,
      'id has to be a name of letters, digits, _ and -',
    )
  const options = givenOptions(call, body['options'])
  if (choices.variantOptions === 'required' && Object.keys(options).length < 4)
    throw new ImagesRefusal(
      'options-incomplete',
      400,
      'options has to give fit, width, height and metadata',
    )
  const never = givenFlag(call, body) ?? false
  if (store.variants.has(id))
    throw new ImagesRefusal(
      'variant-id-taken',
      choices.duplicateVariantStatus,
      'There is a variant with this id already',
    )
  const variant: Variant = {
    id,
    options: rules.mergeOptions(standardOptions, options),
    neverRequireSignedURLs: never,
  }
  store.putVariant(variant)
  return written(call, variant)
}

/** Lists all variants. */
export function listVariants(call: ImagesCall): ImagesReply {
  const { server } = call
  const records = [...server.store.readVariants().values()].map((variant) =>
    recordOf(call, variant),
  )
  if (server.choices.variantList === 'array') return success(call, { variants: records })
  return success(call, {
    variants: Object.fromEntries(records.map((record) => [record['id'], record])),
  })
}

/** Shows one variant. */
export function getVariant(call: ImagesCall): ImagesReply {
  const variant = call.server.store.readVariants().get(call.params['variant_id'] ?? '')
  if (variant === undefined) throw missing()
  return shown(call, variant)
}

/** Changes the options that are given and keeps the others. */
export async function updateVariant(call: ImagesCall): Promise<ImagesReply> {
  const { store, rules } = call.server
  const id = call.params['variant_id'] ?? ''
  if (!store.variants.has(id)) throw missing()
  const body = objectOf(await call.json())
  const options = givenOptions(call, body['options'])
  const never = givenFlag(call, body)
  if (body['options'] === undefined && never === undefined)
    throw new ImagesRefusal('change-missing', 400, 'The body has to say what changes')
  // Read only now: while the body came in, another call may have changed or deleted it.
  const old = store.variants.get(id)
  if (old === undefined) throw missing()
  const variant: Variant = {
    id: old.id,
    options: rules.mergeOptions(old.options, options),
    neverRequireSignedURLs: never ?? old.neverRequireSignedURLs,
  }
  store.putVariant(variant)
  return written(call, variant)
}

/** Deletes a variant; its delivery URLs end with it. */
export function deleteVariant(call: ImagesCall): ImagesReply {
  const id = call.params['variant_id'] ?? ''
  if (!call.server.store.removeVariant(id)) throw missing()
  return success(call, call.server.choices.emptyResult === 'record' ? { id } : {})
}

/** Switches flexible variants on or off. */
export async function updateConfig(call: ImagesCall): Promise<ImagesReply> {
  const { store, rules, choices } = call.server
  const body = objectOf(await call.json())
  const flag = body['flexible_variants']
  if (!rules.isFlag(flag))
    throw new ImagesRefusal('flag-not-boolean', 400, 'flexible_variants has to be a boolean')
  store.flexibleVariants = flag as boolean
  return success(call, choices.emptyResult === 'record' ? { flexible_variants: flag } : {})
}

function givenOptions({ server }: ImagesCall, value: unknown): Partial<VariantOptions> {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ImagesRefusal('options-not-object', 400, 'options has to be an object')
  const { rules } = server
  const { fit, width, height, metadata } = value as Record<string, unknown>
  const given: Record<string, unknown> = {}
  const take = (
    name: keyof VariantOptions,
    field: unknown,
    fits: (value: unknown) => boolean,
    wanted: string,
  ) => {
    if (field === undefined) return
    if (!fits(field))
      throw new ImagesRefusal(`option-${name}`, 400, `options.${name} has to be ${wanted}`)
    given[name] = field
  }
  take('fit', fit, rules.isFit, 'one of scale-down, contain, cover, crop and pad')
  take('width', width, rules.isDimension, 'a positive integer')
  take('height', height, rules.isDimension, 'a positive integer')
  take('metadata', metadata, rules.isMetadataMode, 'one of none, copyright and keep')
  return given as Partial<VariantOptions>
}

function givenFlag({ server }: ImagesCall, body: Record<string, unknown>): boolean | undefined {
  const flag = body['neverRequireSignedURLs']
  if (flag !== undefined && !server.rules.isFlag(flag))
    throw new ImagesRefusal('flag-not-boolean', 400, 'neverRequireSignedURLs has to be a boolean')
  return flag as boolean | undefined
}

function recordOf({ server }: ImagesCall, variant: Variant): Record<string, unknown> {
  if (server.choices.variantRecord === 'minimal') return { id: variant.id }
  return {
    id: variant.id,
    options: { ...variant.options },
    neverRequireSignedURLs: variant.neverRequireSignedURLs,
  }
}

function shown(call: ImagesCall, variant: Variant): ImagesReply {
  const record = recordOf(call, variant)
  return success(
    call,
    call.server.choices.variantRecord === 'nested' ? { variant: record } : record,
  )
}

function written(call: ImagesCall, variant: Variant): ImagesReply {
  return call.server.choices.variantWriteResult === 'empty'
    ? success(call, {})
    : shown(call, variant)
}

function missing(): ImagesRefusal {
  return new ImagesRefusal('variant-unknown', 404, 'There is no such variant')
}
