import { check } from '../support/define.ts'
import { jsonAt } from '../support/expectations.ts'
import { findMembersNamed } from '../support/json-search.ts'
import { nothingToRead } from '../support/read-back.ts'
import { wrongValues } from '../support/wrong-values.ts'

export const configurationChecks = [
  check('IMG-CONFIG-01', {
    title: 'switches flexible variants on and off',
    // A shared lock is enough: the other checks that share this lock also send the setting, but do
    // not depend on the stored setting.
    sharedLock: 'config',
    async run({ target, withUndo, expectSuccess, request }) {
      const current = target.flexibleVariants === true
      await withUndo(request.config({ flexible_variants: current }), async () => {
        await expectSuccess(request.config({ flexible_variants: !current }), String(!current))
        await expectSuccess(request.config({ flexible_variants: current }), String(current))
      })
    },
  }),

  check('IMG-CONFIG-04', {
    title: 'returns the requested setting, if the response contains a setting',
    // A service may return the stored setting, which other checks change.
    exclusiveLock: 'config',
    async run({ target, withUndo, sendOrBlock, expect, request }) {
      const current = target.flexibleVariants === true
      await withUndo(request.config({ flexible_variants: current }), async () => {
        for (const setting of [!current, current]) {
          const response = await sendOrBlock(request.config({ flexible_variants: setting }))
          const shown = findMembersNamed('flexible_variants', jsonAt(response, 'result'))
          expect(response, {
            name: 'is the setting',
            expected: `flexible_variants ${setting}, or no such field`,
            test: () => shown.every((value) => value === setting),
            received: () =>
              `flexible_variants ${shown.map((one) => JSON.stringify(one)).join(', ')}`,
          })
        }
      })
    },
  }),

  check('IMG-CONFIG-02', {
    title: 'refuses a flexible_variants that is not a boolean',
    sharedLock: 'config',
    needs: ['images.flexibleVariants'],
    async run({ target, expectRefusal, request, randomInt }) {
      const contrast = request.config({ flexible_variants: target.flexibleVariants === true })
      const readBack = nothingToRead('no operation reads the configuration')
      await Promise.all(
        wrongValues('boolean', randomInt).map(([label, flexible_variants]) =>
          expectRefusal(request.config({ flexible_variants }), 'invalid', {
            contrast,
            label,
            readBack,
          }),
        ),
      )
    },
  }),

  check('IMG-CONFIG-03', {
    title: 'records the responses to delivery URLs with image options',
    exclusiveLock: 'config',
    async run({ target, sharedImage, send, sendOrBlock, withUndo, observe, request }) {
      const variants = jsonAt((await sharedImage()).upload, 'result', 'variants')
      const url =
        Array.isArray(variants) && typeof variants[0] === 'string' ? variants[0] : undefined
      if (url === undefined) return observe('the image has no delivery URL to transform')
      const resized = request.deliver(url.replace(/[^/]*$/, 'w=20,h=10'))
      // The document states a status for a failed transformation, 502, but gives no example of
      // such a transformation.
      const impossible = request.deliver(url.replace(/[^/]*$/, 'w=0,fit=nothing'))
      const current = target.flexibleVariants === true
      const observeSetting = async (flexible: boolean) => {
        const [possible, failing] = await Promise.all([send(resized), send(impossible)])
        const setting = `flexible variants ${flexible ? 'on' : 'off'}`
        observe(
          `${setting}: status ${possible.status} for w=20,h=10, and status ${failing.status} for w=0,fit=nothing`,
        )
      }
      await observeSetting(current)
      await withUndo(request.config({ flexible_variants: current }), async () => {
        await sendOrBlock(request.config({ flexible_variants: !current }))
        await observeSetting(!current)
      })
    },
  }),
]
