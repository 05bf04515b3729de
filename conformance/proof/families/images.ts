import { faults, mutants } from '../faults/images/index.ts'
import { startImages, targetOf, type ImagesChoices } from '../../../mocks/stateful/images.ts'
import { exclusions, factors, withoutLevels } from '../variations/images/index.ts'
import { family } from '../family.ts'
import { serverTimers, speed } from '../clock.ts'

/** A file's largest size in the proof: small pictures on both sides of it. */
const maxFileBytes = 32 * 1024

/** Milliseconds of the process after which the servers of the proof give up a picture that stalls. */
const fetchStallMs = 25

/** Servers of the image hosting API. */
export const images = family({
  name: 'images',
  faults,
  mutants,
  factors,
  exclusions,
  withoutLevels,
  async start(deviation, choices: Partial<ImagesChoices>) {
    const server = await startImages({
      maxFileBytes,
      timers: serverTimers,
      ...deviation,
      rules: { fetchStallMs, ...deviation.rules },
      choices: { ...choices, ...deviation.choices },
    })
    return {
      // What a server says of itself stays the same, whatever it is that deviates.
      target: { images: { ...targetOf(server), fetchTimeout: fetchStallMs * speed } },
      suite: { pictures: {}, settle: (choices.settleMs ?? 0) * 2 * speed },
      close: () => server.close(),
    }
  },
  nullTarget: (origin) => ({
    images: {
      url: `${origin}/client/v4`,
      account: 'acc-1',
      token: 'a-token',
      limitedToken: 'a-limited-token',
      batch: { url: origin, token: 'a-batch-token' },
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
