import { readSwitches, startBlindProcess, type BlindServer } from './blind-server.ts'
import { targetOf, type ImageFacts } from './images-python.ts'

export const imagesPython2: BlindServer = {
  name: 'images-python-2',
  switches: readSwitches('images-python-2'),
  skipped: [],
  realTime: 'all',
  async start(on) {
    const { facts, close } = await startBlindProcess<ImageFacts>('images-python-2/server.py', on)
    return { target: targetOf(facts), suite: { pictures: {}, settle: 2000 }, close }
  },
}
