// Operations 6 to 11: variants and the configuration of the account.
import { isFields, jsonBody, ok, type Answer, type Call } from './call.ts'
import { removeImage, restoreImages } from './store.ts'
import { variantView } from './views.ts'
import {
  Fault,
  bad,
  broken,
  missing,
  type Account,
  type Fields,
  type Json,
  type Options,
  type Variant,
  type World,
} from './world.ts'

const fits = ['scale-down', 'contain', 'cover', 'crop', 'pad']
const kept = ['none', 'copyright', 'keep']

function checkFit(w: World, fit: Json, change: boolean): void {
  if (change && typeof fit === 'string' && w.on('patch-fit-any-accepted')) return
  if (!change) {
    if (typeof fit === 'string' && w.on('variant-fit-any-accepted')) return
    if (typeof fit === 'number' && w.on('variant-fit-number-accepted')) return
    const refused = fits.some(
      (one) => one === fit && one !== 'contain' && w.on(`variant-fit-${one}-refused`),
    )
    if (refused) throw bad('Unknown fit')
  }
  if (typeof fit !== 'string' || !fits.includes(fit)) throw bad('Unknown fit')
}

function checkKept(w: World, value: Json, change: boolean): void {
  const any = change ? 'patch-metadata-any-accepted' : 'variant-metadata-any-accepted'
  if (typeof value === 'string' && w.on(any)) return
  if (!change && kept.some((one) => one === value && w.on(`variant-metadata-${one}-refused`))) {
    throw bad('Unknown options.metadata')
  }
  if (typeof value !== 'string' || !kept.includes(value)) throw bad('Unknown options.metadata')
}

function checkSide(w: World, key: 'width' | 'height', value: Json, change: boolean): void {
  const fraction = typeof value === 'number' && value > 0 && !Number.isInteger(value)
  if (change) {
    if (key === 'width' && typeof value === 'string' && w.on('patch-width-text-accepted')) return
    if (key === 'height' && fraction && w.on('patch-height-fraction-accepted')) return
  } else {
    if (key === 'width' && typeof value === 'string') {
      if (w.on('variant-width-500')) throw broken()
      if (w.on('variant-width-text-accepted')) return
    }
    if (fraction && w.on(`variant-${key}-fraction-accepted`)) return
    if (key === 'height' && value === true && w.on('variant-height-bool-accepted')) return
  }
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 12_000) {
    throw bad(`${key} has to be an integer from 1 to 12000`)
  }
  if (value > 4096 && w.on('variant-side-4096')) throw bad(`${key} may be 4096 at most`)
}

function checkOptions(w: World, sent: Json | undefined, change: boolean): Fields {
  if (typeof sent === 'string' && !change && w.on('variant-options-text-accepted')) return {}
  if (sent !== undefined && !isFields(sent)) throw bad('options has to be an object')
  const options = sent ?? {}
  for (const [key, value] of Object.entries(options)) {
    if (key === 'fit') checkFit(w, value, change)
    else if (key === 'metadata') checkKept(w, value, change)
    else if (key === 'width' || key === 'height') checkSide(w, key, value, change)
    else if (w.on('unknown-field-refused')) throw bad(`Unknown option ${key}`)
  }
  return options
}

function checkFlag(w: World, value: Json | undefined): Json {
  if (value === undefined) return false
  if (typeof value === 'string' && w.on('variant-flag-text-accepted')) return value
  if (typeof value !== 'boolean') throw bad('neverRequireSignedURLs has to be a boolean')
  return w.on('variant-flag-dropped') ? false : value
}

function checkName(w: World, sent: Json | undefined): string {
  if (sent === undefined && w.on('variant-id-missing-accepted')) return `variant${w.count('name')}`
  if (typeof sent === 'number' && w.on('variant-id-number-accepted')) return String(sent)
  if (typeof sent !== 'string' || !/^[A-Za-z0-9_-]{1,99}$/.test(sent)) {
    throw bad('id has to be a name of letters, digits, hyphens and underscores')
  }
  if (w.on('variant-id-alphanumeric') && !/^[A-Za-z0-9]+$/.test(sent)) {
    throw bad('id may hold letters and digits only')
  }
  if (w.on('variant-id-short') && sent.length > 32) throw bad('id is too long')
  return w.on('variant-id-lower-cased') ? sent.toLowerCase() : sent
}

function optionsFrom(w: World, sent: Fields): Options {
  const options: Options = {
    fit: sent['fit'] ?? 'scale-down',
    metadata: sent['metadata'] ?? 'none',
  }
  let [width, height] = [sent['width'], sent['height']]
  if (w.on('variant-sides-swapped')) [width, height] = [height, width]
  if (width !== undefined) options.width = width
  if (height !== undefined) options.height = height
  if (options.fit === 'contain' && w.on('variant-fit-contain-changed')) options.fit = 'scale-down'
  if (w.on('variant-metadata-dropped')) options.metadata = 'none'
  return options
}

function newVariant(w: World, id: string, options: Options, never: Json): Variant {
  return {
    id,
    options,
    never,
    createdAt: w.now(),
    modifiedAt: w.now(),
    deletedAt: 0,
    first: { ...options },
    changes: 0,
    builtIn: false,
  }
}

export function createVariant(call: Call): Answer {
  const { w, account } = call
  const body = jsonBody(call, ['id', 'options', 'neverRequireSignedURLs'])
  const id = checkName(w, body['id'])
  let sent: Fields
  try {
    sent = checkOptions(w, body['options'], false)
  } catch (error) {
    if (w.on('variant-refused-yet-made')) {
      const loose = isFields(body['options'] ?? null) ? (body['options'] as Fields) : {}
      const options = { ...optionsFrom(w, loose), fit: 'scale-down' }
      account.variants.push(newVariant(w, id, options, false))
    }
    throw error
  }
  if (
    w.on('variant-options-required') &&
    ['fit', 'metadata', 'width', 'height'].some((key) => sent[key] === undefined)
  ) {
    throw bad('options needs fit, metadata, width and height')
  }
  if (body['neverRequireSignedURLs'] === undefined && w.on('variant-flag-required')) {
    throw bad('neverRequireSignedURLs is needed')
  }
  const never = checkFlag(w, body['neverRequireSignedURLs'])
  const variant = newVariant(w, id, optionsFrom(w, sent), never)
  const result = w.on('variant-create-empty-result') ? {} : variantView(w, variant, 'create')
  const before = account.variants.find((one) => one.id === id)
  if (before) {
    const same =
      JSON.stringify([before.options, before.never]) ===
      JSON.stringify([variant.options, variant.never])
    if (same && w.on('variant-recreate-same')) return ok(result)
    if (w.on('variant-duplicate-yet-replaced')) {
      account.variants[account.variants.indexOf(before)] = variant
    }
    throw w.on('variant-duplicate-409')
      ? new Fault(409, 5409, 'The id is in use')
      : bad('The id is in use')
  }
  if (account.variants.length >= (w.on('variant-limit-20') ? 20 : 100)) {
    throw bad('The account has too many variants')
  }
  if (w.on('variant-not-stored')) return ok(result)
  account.variants.push(variant)
  if (w.on('variants-shared')) {
    for (const other of w.accounts) if (other !== account) other.variants.push({ ...variant })
  }
  if (w.on('delete-undone-by-variant')) restoreImages(account, () => true)
  return ok(result)
}

export function listVariants(call: Call): Answer {
  const { w, account } = call
  let variants = account.variants
  if (w.on('variant-list-newest-missing') && variants.length > 1) variants = variants.slice(0, -1)
  if (w.on('variant-list-keeps-deleted')) variants = [...variants, ...account.deletedVariants]
  if (w.on('variant-list-capped')) variants = variants.slice(0, 3)
  const views = variants.map((variant) => variantView(w, variant, 'list'))
  if (!w.on('variants-as-map')) return ok({ variants: views })
  return ok({ variants: Object.fromEntries(variants.map((one, at) => [one.id, views[at]])) })
}

const single = (w: World, view: unknown): Answer =>
  ok(w.on('variant-wrapped') ? { variant: view } : view)

function find(account: Account, id: string): Variant | undefined {
  return account.variants.find((variant) => variant.id === id)
}

export function readVariant(call: Call): Answer {
  const { w, account, id } = call
  let variant = find(account, id)
  if (variant && w.on('variant-read-first')) variant = account.variants[0]
  if (!variant && w.on('variant-delete-read-only')) {
    variant = account.deletedVariants.find((one) => one.id === id)
  }
  if (!variant) throw missing('Variant')
  return single(w, variantView(w, variant, 'read'))
}

function merged(w: World, variant: Variant, sent: Fields): Options {
  const defaults: Options = { fit: 'scale-down', metadata: 'none' }
  const before = w.on('patch-replaces-options') ? defaults : variant.options
  const options = { ...before, ...sent } as Options
  if (sent['width'] !== undefined && sent['height'] === undefined && w.on('patch-drops-height')) {
    delete options.height
  }
  const keep = (key: keyof Options): void => {
    const value = variant.options[key]
    if (value === undefined) delete options[key]
    else options[key] = value
  }
  if (w.on('patch-height-ignored')) keep('height')
  if (w.on('patch-fit-ignored')) keep('fit')
  if (w.on('patch-metadata-ignored')) keep('metadata')
  if (w.on('patch-not-smaller') && Number(options.width) < Number(variant.options.width)) {
    keep('width')
  }
  return options
}

export function patchVariant(call: Call): Answer {
  const { w, account, id } = call
  const body = jsonBody(call, ['id', 'options', 'neverRequireSignedURLs'])
  let variant = find(account, id)
  if (!variant && w.on('patch-unknown-creates')) {
    variant = newVariant(w, id, optionsFrom(w, {}), false)
    account.variants.push(variant)
  }
  if (!variant) throw missing('Variant')
  let sent: Fields
  try {
    sent = checkOptions(w, body['options'], true)
  } catch (error) {
    const options = body['options']
    const width = isFields(options) ? options['width'] : undefined
    if (w.on('patch-refused-yet-applied') && typeof width === 'number') {
      variant.options.width = width
    }
    throw error
  }
  const flag = body['neverRequireSignedURLs']
  if (flag !== undefined && w.on('patch-flag-refused')) throw bad('Only options can be changed')
  const never = flag === undefined ? variant.never : checkFlag(w, flag)
  if (body['id'] !== undefined && body['id'] !== id && w.on('patch-same-name-only')) {
    throw bad('The id cannot be changed')
  }
  if (Object.keys(sent).length === 0 && flag === undefined && w.on('empty-patch-400')) {
    throw bad('Nothing to change')
  }
  const known = Object.fromEntries(
    Object.entries(sent).filter(([key]) => ['fit', 'metadata', 'width', 'height'].includes(key)),
  )
  const changed: Variant = { ...variant, options: merged(w, variant, known), never }
  changed.modifiedAt = w.now()
  if (w.on('patch-resets-flag')) changed.never = false
  const old = variantView(w, variant, 'patch')
  if (w.on('patch-noop')) return single(w, old)
  const view = variantView(w, changed, 'patch')
  if (w.on('patch-echo-only')) return single(w, view)
  if (w.on('patch-second-ignored') && variant.changes > 0) return single(w, view)
  Object.assign(variant, changed, { changes: variant.changes + 1 })
  if (w.on('patch-all')) {
    for (const one of account.variants) one.options = { ...one.options, ...known }
  }
  if (w.on('patch-renames')) variant.id = `${variant.id}-2`
  return single(w, w.on('patch-answers-old') ? old : view)
}

export function deleteVariant(call: Call): Answer {
  const { w, account, id } = call
  const variant = find(account, id)
  if (!variant) throw missing('Variant')
  if (variant.builtIn && w.on('default-variant-protected')) {
    throw new Fault(403, 5403, 'This variant is built in')
  }
  if (w.on('variant-delete-noop')) return ok({})
  const gone = account.variants.filter(
    (one) => one === variant || (w.on('variant-delete-by-prefix') && one.id.startsWith(id)),
  )
  for (const one of gone) one.deletedAt = w.now()
  account.variants = account.variants.filter((one) => !gone.includes(one))
  account.deletedVariants.push(...gone)
  if (w.on('variant-delete-other-account')) {
    for (const other of w.accounts) {
      other.variants = other.variants.filter((one) => one.id !== id)
    }
  }
  if (w.on('variant-delete-takes-images')) {
    for (const image of account.images) removeImage(w, account, image)
  }
  return ok({})
}

export function configure(call: Call): Answer {
  const { w, account } = call
  const body = jsonBody(call, ['flexible_variants'])
  let value = body['flexible_variants']
  if (typeof value === 'string' && w.on('config-text-accepted')) value = value === 'true'
  if (typeof value === 'number' && w.on('config-number-accepted')) value = value !== 0
  if (typeof value !== 'boolean') throw bad('flexible_variants has to be a boolean')
  if (!value && w.on('config-false-refused')) throw bad('flexible_variants has to be true')
  if (value && w.on('config-true-500')) throw broken()
  if (account.flexibleSet && account.flexible === value && w.on('config-second-refused')) {
    throw bad('flexible_variants has this value already')
  }
  account.flexible = value
  account.flexibleSet = true
  if (w.on('config-drops-variants')) {
    account.variants = account.variants.filter((variant) => variant.builtIn)
  }
  if (w.on('config-result-empty')) return ok({})
  const shown = w.on('config-echo-inverted') ? !value : value
  const result: Record<string, unknown> = {
    flexible_variants: w.on('config-text-shown') ? String(shown) : shown,
  }
  if (w.on('config-extra-settings')) result['webp_quality'] = 80
  return ok(result)
}
