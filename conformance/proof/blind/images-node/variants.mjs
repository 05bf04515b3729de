// Variants (operations 6 to 10) and the configuration of an account (operation 11).
import { Fail, readJson } from './wire.mjs'
import { jsonBoolean } from './fields.mjs'
import { nextBirth, variantOwner } from './store.mjs'

export const FITS = ['scale-down', 'contain', 'cover', 'crop', 'pad']
const KEEPS = ['none', 'copyright', 'keep']

function checkName(s, name) {
  if (typeof name !== 'string' || name === '')
    throw new Fail(400, 'id must be a text that is not empty')
  // Commas and equals signs would be taken for a dynamic transformation.
  if (
    name.length > 256 ||
    !name.isWellFormed() ||
    /[\u0000-\u001f\u007f/,=]/.test(name) ||
    name === '.' ||
    name === '..'
  ) {
    throw new Fail(400, 'id has characters that are not allowed')
  }
  if (s.on('variant-names-letters-digits') && !/^[A-Za-z0-9]+$/.test(name))
    throw new Fail(400, 'id may have letters and digits only')
  if (s.on('variant-names-at-most-99') && name.length > 99) throw new Fail(400, 'id is too long')
  if (s.on('variant-name-original-reserved') && name === 'original')
    throw new Fail(400, 'id is reserved')
}

const lookUp = (s, account, name) => {
  if (account.variants.has(name)) return account.variants.get(name)
  if (s.on('variant-names-any-case'))
    for (const v of account.variants.values())
      if (v.id.toLowerCase() === name.toLowerCase()) return v
  return undefined
}

function checkOption(s, key, value, door) {
  if (key === 'fit') {
    if (s.on('fit-unchecked-on-create') && door === 'create' && typeof value === 'string')
      return value
    if (s.on('fit-unchecked-on-update') && door === 'update' && typeof value === 'string')
      return value
    if (s.on('fit-crop-refused') && value === 'crop') throw new Fail(400, 'unknown fit')
    if (s.on('fit-pad-refused-on-update') && value === 'pad' && door === 'update')
      throw new Fail(400, 'unknown fit')
    if (s.on('fit-any-case') && typeof value === 'string') value = value.toLowerCase()
    if (!FITS.includes(value)) throw new Fail(400, `fit must be one of ${FITS.join(', ')}`)
  } else if (key === 'metadata') {
    if (s.on('metadata-option-unchecked') && typeof value === 'string') return value
    if (s.on('metadata-option-update-unchecked') && door === 'update' && typeof value === 'string')
      return value
    if (!KEEPS.includes(value)) throw new Fail(400, `metadata must be one of ${KEEPS.join(', ')}`)
  } else {
    if (s.on('width-text-accepted') && /^\d+$/.test(value)) value = Number(value)
    if (s.on('fraction-sizes-rounded') && typeof value === 'number') value = Math.round(value)
    if (s.on('update-sizes-unchecked') && door === 'update' && typeof value === 'number')
      return value
    if (!Number.isSafeInteger(value)) throw new Fail(400, `${key} must be an integer`)
    if (value < 1 && !(value === 0 && s.on('variant-size-zero-free')))
      throw new Fail(400, `${key} must be positive`)
    if (s.on('variant-sizes-at-most-9999') && value > 9999)
      throw new Fail(400, `${key} is too large`)
  }
  return value
}

/** Checks the options that are there; with all four wanted when a variant is created. */
function readOptions(s, given, door) {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw new Fail(400, 'options must be an object')
  const usual = { fit: 'scale-down', width: 1366, height: 768, metadata: 'none' }
  const options = {}
  for (const key of Object.keys(usual)) {
    if (given[key] !== undefined) options[key] = checkOption(s, key, given[key], door)
    else if (door === 'create') {
      if (!s.on('variant-options-have-defaults')) throw new Fail(400, `options.${key} is required`)
      options[key] = usual[key]
    }
  }
  if (s.on('unknown-fields-refused'))
    for (const key of Object.keys(given))
      if (!(key in usual)) throw new Fail(400, `unknown option ${key}`)
  return options
}

function view(s, variant) {
  const shown = {
    id: variant.id,
    options: { ...variant.options },
    neverRequireSignedURLs: variant.never,
  }
  if (s.on('variant-false-flag-omitted') && !variant.never) delete shown.neverRequireSignedURLs
  return shown
}
const one = (s, variant) =>
  s.on('variant-record-wrapped') ? { variant: view(s, variant) } : view(s, variant)

export async function create(s, account, req) {
  const home = variantOwner(s, account)
  const body = await readJson(s, req, { known: ['id', 'options', 'neverRequireSignedURLs'] })
  checkName(s, body.id)
  let never =
    jsonBoolean(
      body.neverRequireSignedURLs,
      'neverRequireSignedURLs',
      s.on('never-flag-text-accepted'),
    ) ?? s.on('never-flag-default-true')
  if (s.on('never-flag-lost-on-create')) never = false
  if (lookUp(s, home, body.id) && !s.on('same-variant-is-replaced'))
    throw new Fail(400, 'there is a variant of this name')
  let options
  try {
    options = readOptions(s, body.options, 'create')
  } catch (err) {
    if (s.on('refused-variant-created'))
      home.variants.set(body.id, {
        id: body.id,
        options: { fit: 'scale-down', width: 100, height: 100, metadata: 'none' },
        never,
        born: nextBirth(),
      })
    throw err
  }
  const old = home.variants.get(body.id) ?? home.oldVariants?.get(body.id)
  if (old && s.on('recreated-variant-has-old-options')) options = old.options
  const variant = { id: body.id, options, never, born: nextBirth() }
  home.variants.set(variant.id, variant)
  return s.on('variant-create-result-empty') ? {} : one(s, variant)
}

export function listAll(s, account) {
  let all = [...variantOwner(s, account).variants.values()]
  if (s.on('variant-list-sorted')) all.sort((a, b) => (a.id < b.id ? -1 : 1))
  if (s.on('variant-list-misses-first') && all.length > 1) all = all.slice(1)
  if (s.on('variant-list-shows-ten')) all = all.slice(0, 10)
  const shown = all.map((v) =>
    view(s, s.on('variant-list-before-update') && v.first ? { ...v, options: v.first } : v),
  )
  return {
    variants: s.on('variant-list-as-map') ? Object.fromEntries(shown.map((v) => [v.id, v])) : shown,
  }
}

function need(s, account, name) {
  const found = lookUp(s, variantOwner(s, account), name)
  if (!found) throw new Fail(404, 'no such variant')
  return found
}

export function read(s, account, name) {
  const gone = variantOwner(s, account).oldVariants?.get(name)
  if (gone && !variantOwner(s, account).variants.has(name) && s.on('deleted-variant-still-read'))
    return one(s, gone)
  return one(s, need(s, account, name))
}

export async function update(s, account, req, name) {
  const home = variantOwner(s, account)
  if (!lookUp(s, home, name) && s.on('updating-nothing-creates')) {
    home.variants.set(name, {
      id: name,
      options: { fit: 'scale-down', width: 100, height: 100, metadata: 'none' },
      never: false,
      born: nextBirth(),
    })
  }
  need(s, account, name)
  const body = await readJson(s, req, { known: ['options', 'neverRequireSignedURLs'] })
  const variant = need(s, account, name) // it may have been deleted while the body came in
  const never = jsonBoolean(body.neverRequireSignedURLs, 'neverRequireSignedURLs')
  if (body.options === undefined && (never === undefined || s.on('update-needs-options')))
    throw new Fail(400, 'options is required')
  if (
    s.on('refused-update-half-applied') &&
    Number.isSafeInteger(body.options?.width) &&
    body.options.width > 0
  )
    variant.options.width = body.options.width
  const changes = readOptions(s, body.options ?? {}, 'update')
  if (
    s.on('update-without-change-refused') &&
    Object.keys(changes).length === 0 &&
    never === undefined
  )
    throw new Fail(400, 'nothing to change')
  if (s.on('update-ignores-height')) delete changes.height
  if (s.on('update-ignores-metadata')) delete changes.metadata
  variant.first ??= { ...variant.options }
  const usual = {
    fit: 'scale-down',
    width: variant.options.width,
    height: variant.options.height,
    metadata: 'none',
  }
  const before = variant.options
  variant.options = { ...(s.on('update-resets-other-options') ? usual : before), ...changes }
  if (s.on('update-keeps-proportion') && changes.width && !changes.height)
    variant.options.height = Math.max(1, Math.round((before.height * changes.width) / before.width))
  if (never !== undefined && !s.on('update-ignores-never-flag')) variant.never = never
  if (never === undefined && s.on('update-resets-never-flag')) variant.never = false
  if (s.on('update-answers-old-record')) return one(s, { ...variant, options: before })
  return one(s, variant)
}

export function remove(s, account, name) {
  const home = variantOwner(s, account)
  if (!lookUp(s, home, name) && s.on('deleting-no-variant-succeeds')) return {}
  const variant = need(s, account, name)
  home.variants.delete(variant.id)
  ;(home.oldVariants ??= new Map()).set(variant.id, variant)
  ;(home.goneVariants ??= []).push(variant.id)
  if (s.on('variant-deletion-takes-images'))
    for (const image of [...home.images.values()])
      if (image.born > variant.born) home.images.delete(image.id)
  return s.on('variant-delete-returns-record') ? one(s, variant) : {}
}

export async function configure(s, account, req) {
  const body = await readJson(s, req, { known: ['flexible_variants'] })
  let value = body.flexible_variants
  if (value === undefined && s.on('config-without-field-accepted')) value = false
  if (value === 1 || value === 0) {
    if (s.on('config-number-accepted')) value = Boolean(value)
  }
  if (typeof value === 'string' && s.on('config-text-accepted')) value = value === 'true'
  if (value === false && s.on('config-false-refused'))
    throw new Fail(400, 'flexible_variants is required')
  if (typeof value !== 'boolean') throw new Fail(400, 'flexible_variants must be a boolean')
  if (account.flexible === value && s.on('config-same-value-refused'))
    throw new Fail(400, 'nothing to change')
  account.flexible = value
  if (s.on('config-answers-nothing-special')) return {}
  return { flexible_variants: value }
}
