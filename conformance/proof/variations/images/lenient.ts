import type { ImagesFactor } from './variation.ts'
import { changeForm, changeJson } from '../../faults/images/building.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import { isObject, onOperations, lists, uploads, type Json } from './building.ts'

/** Replaces a value that is not a boolean with false. */
const withFlag = (body: Json, name: string): Json =>
  name in body && typeof body[name] !== 'boolean' ? { ...body, [name]: false } : body

/** Replaces a width or height that is not an integer with a default. */
function withValidSizes(body: Json): Json {
  const { options } = body
  if (!isObject(options)) return body
  return {
    ...body,
    options: Object.fromEntries(
      Object.entries(options).map(([name, value]) => [
        name,
        ['width', 'height'].includes(name) && !Number.isInteger(value) ? 1024 : (value as unknown),
      ]),
    ),
  }
}

/**
 * Missing validation of values. The document does not require this validation explicitly, so a
 * service that accepts an invalid value only violates a requirement of level `should`. The last
 * factor, unknown fields, violates nothing.
 */
export const lenient: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-LIST-06',
    name: 'a page that is not a number',
    values: [
      { name: 'refused', description: 'Refuses a page that is not a positive integer.' },
      {
        name: 'the default',
        description: 'Uses the default instead of a page that is not a positive integer.',
        deviation: onOperations(lists, (call, next) => {
          call.query = new URLSearchParams(
            [...call.query].filter(([, value]) => /^[1-9]\d*$/.test(value)),
          )
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-08',
    name: 'a flag that is not a boolean',
    values: [
      { name: 'refused', description: 'Refuses a flag that is not a boolean.' },
      {
        name: 'false',
        description: 'Treats a flag that is not a boolean as false.',
        unmet: ['IMG-UPLOAD-08', 'IMG-TICKET-15', 'IMG-VARIANT-09', 'IMG-CONFIG-02'],
        deviation: {
          around: (call, next) => {
            if (uploads.includes(call.operation))
              replaceRulesOf(call, { parseFlag: (text) => text === 'true' })
            else
              changeJson(call, (body) =>
                ['requireSignedURLs', 'neverRequireSignedURLs', 'flexible_variants'].reduce(
                  withFlag,
                  body,
                ),
              )
            return next()
          },
        },
      },
    ],
  },
  {
    requirement: 'IMG-VARIANT-04',
    name: 'a size that is not an integer',
    values: [
      { name: 'refused', description: 'Refuses a width or height that is not an integer.' },
      {
        name: 'the default',
        description: 'Uses 1024 instead of a width or height that is not an integer.',
        unmet: ['IMG-VARIANT-04', 'IMG-VARIANT-05', 'IMG-VARIANTS-16'],
        deviation: onOperations(['createVariant', 'updateVariant'], (call, next) => {
          changeJson(call, withValidSizes)
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-TICKET-09',
    name: 'an expiry that is not a timestamp',
    values: [
      { name: 'refused', description: 'Refuses an expiry that is not a timestamp.' },
      {
        name: 'the default',
        description: 'Uses 30 minutes instead of an expiry that is not a timestamp.',
        unmet: ['IMG-TICKET-09'],
        deviation: onOperations(['createDirectUpload'], (call, next) => {
          const { rules } = call.server
          changeJson(call, (body) => {
            const { expiry, ...others } = body
            return rules.parseExpiry(expiry) === undefined ? others : body
          })
          return next()
        }),
      },
    ],
  },
  {
    requirement: 'IMG-UPLOAD-01',
    name: 'unknown fields',
    values: [
      { name: 'ignored', description: 'Ignores fields that the document does not define.' },
      {
        name: 'refused',
        description: 'Refuses fields that the document does not define.',
        deviation: onOperations(uploads, (call, next) => {
          changeForm(call, (form) => ({
            ...form,
            fields: Object.keys(form.fields).every((name) => known.includes(name))
              ? form.fields
              : { ...form.fields, file: '' },
          }))
          return next()
        }),
      },
    ],
  },
]

const known = ['url', 'id', 'requireSignedURLs', 'metadata']
