import { expectEachImageOnce, storeOwnImages } from '../support/pages.ts'
import { check } from '../support/define.ts'

export const wholeListChecks = [
  check('IMG-LIST-04', {
    title: 'lists each image once over all pages',
    async run(world) {
      const own = await storeOwnImages(world, 'account')
      await world.waitForStage('stable-reads')
      await expectEachImageOnce(world, 'account', own)
    },
  }),
]
