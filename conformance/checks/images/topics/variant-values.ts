import { check } from '../support/define.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { noVariant } from '../support/read-back.ts'
import { wrongValues } from '../support/wrong-values.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'

const fits = ['scale-down', 'contain', 'cover', 'crop', 'pad']
const metadata = ['none', 'copyright', 'keep']

/**
 * The lock of all checks that expect refusals. They run one at a time, because each creates a
 * variant, and accounts may limit the number of variants.
 */
const refusals = 'refused variants'

/** A request that creates a variant with valid options, some of which are replaced by `changed`. */
const variantRequest = (
  { request, newName }: ImagesWorld,
  changed: Record<string, unknown>,
  id = newName(),
) => request.createVariant({ id, options: { ...options, ...changed } })

const acceptanceCheck = (
  requirement: RequirementId,
  title: string,
  option: string,
  values: readonly unknown[],
) =>
  check(requirement, {
    title,
    async run(world) {
      await world.withManyVariants(() =>
        world.expectEachSuccess(
          Object.fromEntries(
            values.map((value) => [String(value), variantRequest(world, { [option]: value })]),
          ),
        ),
      )
    },
  })

const refusalCheck = (
  requirement: RequirementId,
  title: string,
  option: string,
  invalid: readonly unknown[],
  valid: unknown,
  root?: RequirementId,
) =>
  check(requirement, {
    title,
    exclusiveLock: refusals,
    async run(world) {
      const contrast = variantRequest(world, { [option]: valid })
      await Promise.all(
        invalid.map((value) => {
          // Each request has a different id. If they had the same id and a service wrongly accepted
          // one of them, it would refuse the others as conflicts.
          const id = world.newName()
          return world.expectRefusal(variantRequest(world, { [option]: value }, id), 'invalid', {
            contrast,
            label: JSON.stringify(value),
            readBack: noVariant(id),
            ...(root === undefined ? {} : { root }),
          })
        }),
      )
    },
  })

export const variantValuesChecks = [
  acceptanceCheck('IMG-VARIANT-02', 'accepts each of the five values of fit', 'fit', fits),
  refusalCheck(
    'IMG-VARIANT-03',
    'refuses values of fit that the document does not list',
    'fit',
    ['stretch', '', 3],
    'cover',
    'IMG-VARIANT-02',
  ),
  refusalCheck(
    'IMG-VARIANT-04',
    'refuses a width that is not an integer',
    'width',
    ['wide', 1.5, true],
    300,
  ),
  refusalCheck(
    'IMG-VARIANT-05',
    'refuses a height that is not an integer',
    'height',
    ['high', 1.5, true],
    300,
  ),
  acceptanceCheck(
    'IMG-VARIANT-06',
    'accepts each of the three values of metadata',
    'metadata',
    metadata,
  ),
  refusalCheck(
    'IMG-VARIANT-07',
    'refuses values of metadata that the document does not list',
    'metadata',
    ['everything', '', 3],
    'keep',
    'IMG-VARIANT-06',
  ),

  check('IMG-VARIANT-08', {
    title: 'accepts variants with neverRequireSignedURLs true, false or absent',
    async run({ expectEachSuccess, withManyVariants, request, newName }) {
      const variant = (more: Record<string, unknown>) =>
        request.createVariant({ id: newName(), options, ...more })
      await withManyVariants(() =>
        expectEachSuccess({
          true: variant({ neverRequireSignedURLs: true }),
          false: variant({ neverRequireSignedURLs: false }),
          absent: variant({}),
        }),
      )
    },
  }),

  check('IMG-VARIANT-09', {
    title: 'refuses a neverRequireSignedURLs that is not a boolean',
    exclusiveLock: refusals,
    async run({ expectRefusal, request, newName, randomInt }) {
      const variant = (id: string, neverRequireSignedURLs: unknown) =>
        request.createVariant({ id, options, neverRequireSignedURLs })
      const [id, contrast] = [newName(), variant(newName(), true)]
      const readBack = noVariant(id)
      await Promise.all(
        wrongValues('boolean', randomInt).map(([label, value]) =>
          expectRefusal(variant(id, value), 'invalid', {
            contrast,
            root: 'IMG-VARIANT-08',
            label,
            readBack,
          }),
        ),
      )
    },
  }),
]
