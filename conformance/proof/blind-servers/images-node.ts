import { readSwitches, startBlindProcess, type BlindServer } from './blind-server.ts'
import { targetOf, type ImageFacts } from './images-python.ts'

export const imagesNode: BlindServer = {
  name: 'images-node',
  switches: readSwitches('images-node'),
  skipped: [],
  realTime: 'all',
  async start(on) {
    const { facts, close } = await startBlindProcess<ImageFacts>('images-node/server.mjs', on)
    return { target: targetOf(facts), suite: { pictures: {}, settle: 2000 }, close }
  },
}
