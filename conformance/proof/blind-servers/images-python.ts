import { startPython } from '../python.ts'
import { blindPath, readSwitches, type BlindServer } from './blind-server.ts'

interface ImageFacts {
  baseUrl: string
  account: string
  token: string
  limitedToken: string
  otherAccount: { account: string; token: string }
  batchUrl: string
  batchToken: string
  deliveryUrl: string
  maxFileBytes: number
}

export const imagesPython: BlindServer = {
  name: 'images-python',
  switches: readSwitches('images-python'),
  skipped: [],
  realTime: 'all',
  async start(on) {
    const { facts, close } = await startPython<ImageFacts>([
      blindPath('images-python/server.py'),
      ...on.flatMap((name) => ['--on', name]),
    ])
    const { baseUrl, account, token, limitedToken, maxFileBytes } = facts
    return {
      target: {
        images: {
          url: baseUrl,
          account,
          token,
          limitedToken,
          other: facts.otherAccount,
          batch: { url: facts.batchUrl, token: facts.batchToken },
          delivery: facts.deliveryUrl,
          maxFileBytes,
          bulk: true,
          flexibleVariants: false,
          state: true,
        },
      },
      // The defaults of an ordinary run, in place of the settings of the proof. `settle` is in
      // milliseconds.
      suite: { pictures: {}, settle: 2000 },
      close,
    }
  },
}
