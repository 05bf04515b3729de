import { Blocked, type Expectation } from '../../../engine/index.ts'
import { check } from '../support/define.ts'

/** Why a connection could not be opened, with TLS and without; undefined if it could. */
interface ConnectionFailures {
  secure: string | undefined
  plain: string | undefined
}

const supportsTls: Expectation<ConnectionFailures> = {
  name: 'supports TLS',
  expected: 'a connection with HTTP/2 over TLS',
  test: ({ secure }) => secure === undefined,
  received: ({ secure }) => `${secure}; the server accepts HTTP/2 without TLS`,
}

export const authenticationChecks = [
  check('GRT-AUTH-01', {
    title: 'supports TLS',
    // Does not have the usual root (the server responds to ordinary names), which would block this
    // check if no connection can be opened as the target file describes it.
    root: undefined,
    async run({ grpc, expectValue, observe, runThroughGate, requireMet }) {
      const [secure, plain] = await runThroughGate(() =>
        Promise.all(
          [{}, { tls: null }].map(async (options) => {
            const { failure, close } = await grpc.openChannel(options)
            close()
            return failure
          }),
        ),
      )
      // The server does not speak HTTP/2 at all.
      if (secure !== undefined && plain !== undefined) throw new Blocked('GRT-SERVICE-02', secure)
      expectValue({ secure, plain }, supportsTls)
      observe(`a client without TLS on the same port: ${plain ?? 'HTTP/2 is accepted'}`)
      await requireMet('GRT-SERVICE-02')
    },
  }),

  check('GRT-AUTH-03', {
    title: 'records the response to a call without credentials',
    async run({ newRequests, greet, observe }) {
      observe(
        `a call without the configured metadata: ${(await greet(newRequests(1), { isBare: true })).summary}`,
      )
    },
  }),
]
