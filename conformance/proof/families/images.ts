import { faults, mutants } from '../faults/images/index.ts'
import { startImages, targetOf, type ImagesChoices } from '../../../mocks/stateful/images.ts'
import { exclusions, factors } from '../variations/images/index.ts'
import { defineFamily } from '../family.ts'
import { operationOf } from '../doors.ts'
import { serverTimers } from '../clock.ts'
import { speed } from '../variations/speed.ts'

/** The maximum size of a file in the proof, low enough that small images can exceed it. */
const maxFileBytes = 32 * 1024

/** How long servers wait for the rest of an image that stalls, in milliseconds of their timers. */
const fetchStallMs = 25

/** Servers of the image API. */
export const images = defineFamily({
  name: 'images',
  faults,
  mutants,
  factors,
  exclusions,
  doorOf: operationOf,
  async start(deviation, choices: Partial<ImagesChoices>) {
    const server = await startImages({
      maxFileBytes,
      timers: serverTimers,
      ...deviation,
      rules: { fetchStallMs, ...deviation.rules },
      choices: { ...choices, ...deviation.choices },
    })
    return {
      // The target file describes the reference server, even if the deviation changes these values.
      target: { images: { ...targetOf(server), fetchTimeout: fetchStallMs * speed } },
      suite: { pictures: {}, settle: (choices.settleMs ?? 0) * 2 * speed },
      close: () => server.close(),
    }
  },
  completeTarget: (origin) => ({
    images: {
      url: `${origin}/client/v4`,
      account: 'acc-1',
      token: 'a-token',
      limitedToken: 'a-limited-token',
      other: { account: 'acc-2', token: 'another-token' },
      batch: { url: origin, token: 'a-batch-token' },
      upload: origin,
      delivery: origin,
      maxFileBytes: 65536,
      bulk: true,
      flexibleVariants: false,
      fetchTimeout: 1000,
      state: true,
      clock: `${origin}/clock`,
    },
  }),
})
