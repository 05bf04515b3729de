import { startServer } from '../blind/images/server.ts'
import { switches } from '../blind/images/switches.ts'
import type { BlindServer } from './blind-server.ts'

export const images: BlindServer = {
  name: 'images',
  switches,
  skipped: [],
  realTime: [
    'slow-answers',
    'burst-limit',
    'list-lag',
    'delete-lag',
    'delivery-warm-up',
    'delivery-cache-second',
  ],
  async start(on) {
    const server = await startServer(on)
    const { baseUrl, account, token, limitedToken, maxFileBytes } = server
    return {
      target: {
        images: {
          url: baseUrl,
          account,
          token,
          limitedToken,
          other: server.secondAccount,
          batch: { url: server.batchUrl, token: server.batchToken },
          // The author's delivery URL ends with the hash of the account, which the target file does
          // not contain.
          delivery: server.deliveryUrl.replace(/\/[^/]+\/?$/, ''),
          maxFileBytes,
          bulk: true,
          clock: server.clockUrl,
          flexibleVariants: false,
          state: true,
        },
      },
      // The defaults of an ordinary run, in place of the settings of the proof. `settle` is in
      // milliseconds.
      suite: { pictures: {}, settle: 2000 },
      close: () => server.close(),
    }
  },
}
