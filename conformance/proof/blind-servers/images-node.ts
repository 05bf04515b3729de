import { startPython } from '../python.ts'
import { blindPath, readSwitches, type BlindServer } from './blind-server.ts'
import { targetOf, type ImageFacts } from './images-python.ts'

export const imagesNode: BlindServer = {
  name: 'images-node',
  switches: readSwitches('images-node'),
  skipped: [],
  realTime: 'all',
  async start(on) {
    const { facts, close } = await startPython<ImageFacts>(
      [blindPath('images-node/server.mjs'), ...on.flatMap((name) => ['--on', name])],
      { command: process.execPath },
    )
    return { target: targetOf(facts), suite: { pictures: {}, settle: 2000 }, close }
  },
}
