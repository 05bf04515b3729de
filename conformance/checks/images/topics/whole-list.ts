import { walksOnce, toMeet } from '../support/page-walks.ts'
import { check } from '../support/define.ts'

export const walk = [
  check('IMG-LIST-04', {
    title: 'shows each image once over all pages',
    async run(world) {
      const own = await toMeet(world, 'account')
      await world.waitForStage('stable-reads')
      await walksOnce(world, 'account', own)
    },
  }),
]
