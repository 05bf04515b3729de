import { success } from './replies.ts'
import type { ImagesCall, ImagesReply } from './call.ts'
import { objectOf } from './json-body.ts'
import type { Variant, VariantOptions } from './store.ts'
import { ImagesRefusal } from './refusal.ts'

/** The defaults of a variant's options. */
export const defaultOptions: Readonly<VariantOptions> = Object.freeze({
  fit: 'scale-down',
  width: 1366,
  height: 768,
  metadata: 'none',
})

/** Adds a variant. Every image then has a delivery URL for it. */
export async function createVariant(call: ImagesCall): Promise<ImagesReply> {
  const { store, rules, choices } = call.server
  const body = objectOf(await call.json())
  const id = body['id'] as string
  if (!rules.isVariantId(id))
    throw new ImagesRefusal(
      'variant-id-malformed',
      400,
      'id must consist of letters, digits, _ and -',
    )
  const options = readOptions(call, body['options'])
  if (choices.variantOptions === 'required' && Object.keys(options).length < 4)
    throw new ImagesRefusal(
      'options-incomplete',
      400,
      'options must contain fit, width, height and metadata',
    )
  const neverRequireSignedURLs = readFlag(call, body) ?? false
  if (store.variants.has(id))
    throw new ImagesRefusal(
      'variant-id-taken',
      choices.duplicateVariantStatus,
      'A variant with this id already exists',
    )
  const variant: Variant = {
    id,
    options: rules.mergeOptions(defaultOptions, options),
    neverRequireSignedURLs,
  }
  store.putVariant(variant)
  return showWrittenVariant(call, variant)
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

/** Returns one variant. */
export function getVariant(call: ImagesCall): ImagesReply {
  const variant = call.server.store.readVariants().get(call.params['variant_id'] ?? '')
  if (variant === undefined) throw unknownVariant()
  return showVariant(call, variant)
}

/** Changes the options in the request and keeps the others. */
export async function updateVariant(call: ImagesCall): Promise<ImagesReply> {
  const { store, rules } = call.server
  const id = call.params['variant_id'] ?? ''
  if (!store.variants.has(id)) throw unknownVariant()
  const body = objectOf(await call.json())
  const options = readOptions(call, body['options'])
  const neverRequireSignedURLs = readFlag(call, body)
  if (body['options'] === undefined && neverRequireSignedURLs === undefined)
    throw new ImagesRefusal('change-missing', 400, 'The body must contain a change')
  // Looks up the variant after reading the body, because another call may have changed or deleted
  // it in the meantime.
  const old = store.variants.get(id)
  if (old === undefined) throw unknownVariant()
  const variant: Variant = {
    id: old.id,
    options: rules.mergeOptions(old.options, options),
    neverRequireSignedURLs: neverRequireSignedURLs ?? old.neverRequireSignedURLs,
  }
  store.putVariant(variant)
  return showWrittenVariant(call, variant)
}

/** Deletes a variant and its delivery URLs. */
export function deleteVariant(call: ImagesCall): ImagesReply {
  const id = call.params['variant_id'] ?? ''
  if (!call.server.store.removeVariant(id)) throw unknownVariant()
  return success(call, call.server.choices.emptyResult === 'record' ? { id } : {})
}

/** Switches flexible variants on or off. */
export async function updateConfig(call: ImagesCall): Promise<ImagesReply> {
  const { store, rules, choices } = call.server
  const body = objectOf(await call.json())
  const flag = body['flexible_variants']
  if (!rules.isFlag(flag))
    throw new ImagesRefusal('flag-not-boolean', 400, 'flexible_variants must be a boolean')
  store.flexibleVariants = flag as boolean
  return success(call, choices.configResult === 'record' ? { flexible_variants: flag } : {})
}

function readOptions({ server }: ImagesCall, value: unknown): Partial<VariantOptions> {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ImagesRefusal('options-not-object', 400, 'options must be an object')
  const { rules } = server
  const { fit, width, height, metadata } = value as Record<string, unknown>
  const options: Record<string, unknown> = {}
  const readOption = (
    name: keyof VariantOptions,
    field: unknown,
    isValid: (value: unknown) => boolean,
    expected: string,
  ) => {
    if (field === undefined) return
    if (!isValid(field))
      throw new ImagesRefusal(`option-${name}`, 400, `options.${name} must be ${expected}`)
    options[name] = field
  }
  readOption('fit', fit, rules.isFit, 'one of scale-down, contain, cover, crop and pad')
  readOption('width', width, rules.isDimension, 'a positive integer')
  readOption('height', height, rules.isDimension, 'a positive integer')
  readOption('metadata', metadata, rules.isMetadataMode, 'one of none, copyright and keep')
  return options as Partial<VariantOptions>
}

function readFlag({ server }: ImagesCall, body: Record<string, unknown>): boolean | undefined {
  const flag = body['neverRequireSignedURLs']
  if (flag !== undefined && !server.rules.isFlag(flag))
    throw new ImagesRefusal('flag-not-boolean', 400, 'neverRequireSignedURLs must be a boolean')
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

function showVariant(call: ImagesCall, variant: Variant): ImagesReply {
  const record = recordOf(call, variant)
  return success(
    call,
    call.server.choices.variantRecord === 'nested' ? { variant: record } : record,
  )
}

function showWrittenVariant(call: ImagesCall, variant: Variant): ImagesReply {
  return call.server.choices.variantWriteResult === 'empty'
    ? success(call, {})
    : showVariant(call, variant)
}

function unknownVariant(): ImagesRefusal {
  return new ImagesRefusal('variant-unknown', 404, 'There is no such variant')
}
