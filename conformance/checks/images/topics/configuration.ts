import { check } from '../support/define.ts'
import { at } from '../support/expectations.ts'

export const configuration = [
  check('IMG-CONFIG-01', {
    title: 'switches flexible variants and back',
    // Whoever else sends the present setting meanwhile reads nothing that depends on it.
    sharedLock: 'config',
    async run({ access, restoring, succeeds, request }) {
      const current = access.flexibleVariants === true
      await restoring(request.config({ flexible_variants: current }), async () => {
        await succeeds(request.config({ flexible_variants: !current }), String(!current))
        await succeeds(request.config({ flexible_variants: current }), String(current))
      })
    },
  }),

  check('IMG-CONFIG-02', {
    title: 'refuses a flexible_variants that is no boolean',
    sharedLock: 'config',
    needs: ['images.flexibleVariants'],
    async run({ access, refuses, request }) {
      const contrast = request.config({ flexible_variants: access.flexibleVariants === true })
      await refuses(request.config({ flexible_variants: 'perhaps' }), 'invalid', { contrast })
    },
  }),

  check('IMG-CONFIG-03', {
    title: 'delivers something for a transformation',
    exclusiveLock: 'config',
    async run({ access, image, send, given, restoring, observe, request }) {
      const variants = at((await image()).upload, 'result', 'variants')
      const url =
        Array.isArray(variants) && typeof variants[0] === 'string' ? variants[0] : undefined
      if (url === undefined) return observe('no delivery URL to try it on')
      const at20 = request.deliver(url.replace(/[^/]*$/, 'w=20,h=10'))
      // The document has a status for a transformation that fails, 502, and no example of one.
      const impossible = request.deliver(url.replace(/[^/]*$/, 'w=0,fit=nothing'))
      const current = access.flexibleVariants === true
      const look = async (flexible: boolean) => {
        const [possible, failing] = await Promise.all([send(at20), send(impossible)])
        const setting = `flexible variants ${flexible ? 'on' : 'off'}`
        observe(
          `in place of a variant, ${setting}: w=20,h=10 gives ${possible.status}, w=0,fit=nothing gives ${failing.status}`,
        )
      }
      await look(current)
      await restoring(request.config({ flexible_variants: current }), async () => {
        await given(request.config({ flexible_variants: !current }))
        await look(!current)
      })
    },
  }),
]
