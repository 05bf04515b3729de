import type { Started } from '../family.ts'
import { readSwitches, startBlindProcess, type BlindServer } from './blind-server.ts'

export interface ImageFacts {
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

/** The target of a server that prints these facts. */
export const targetOf = ({
  baseUrl,
  account,
  token,
  limitedToken,
  otherAccount,
  batchUrl,
  batchToken,
  deliveryUrl,
  maxFileBytes,
}: ImageFacts): Started['target'] => ({
  images: {
    url: baseUrl,
    account,
    token,
    limitedToken,
    other: otherAccount,
    batch: { url: batchUrl, token: batchToken },
    delivery: deliveryUrl,
    maxFileBytes,
    bulk: true,
    flexibleVariants: false,
    state: true,
  },
})

export const imagesPython: BlindServer = {
  name: 'images-python',
  switches: readSwitches('images-python'),
  skipped: [],
  realTime: 'all',
  async start(on) {
    const { facts, close } = await startBlindProcess<ImageFacts>('images-python/server.py', on)
    return {
      target: targetOf(facts),
      // The defaults of an ordinary run, in place of the settings of the proof. `settle` is in
      // milliseconds.
      suite: { pictures: {}, settle: 2000 },
      close,
    }
  },
}
