import { Blocked, type Expectation } from '../../../engine/index.ts'
import { check } from '../support/define.ts'

/** Why a connection could not be opened, with TLS and without; undefined where it could. */
interface ConnectionFailures {
  secure: string | undefined
  plain: string | undefined
}

const offered: Expectation<ConnectionFailures> = {
  name: 'is offered over TLS',
  expected: 'HTTP/2 over TLS',
  test: ({ secure }) => secure === undefined,
  received: ({ secure }) => `${secure}; without TLS HTTP/2 is spoken`,
}

export const authentication = [
  check('GRT-AUTH-01', {
    title: 'speaks TLS',
    // Where the connection is not as the target file has it, nothing is greeted either.
    root: undefined,
    async run({ door, expectOf, observe, runThroughGate, requireMet }) {
      const [secure, plain] = await runThroughGate(() =>
        Promise.all(
          [{}, { tls: null }].map(async (options) => {
            const { failure, close } = await door.openChannel(options)
            close()
            return failure
          }),
        ),
      )
      // What speaks HTTP/2 in neither way may be anything.
      if (secure !== undefined && plain !== undefined) throw new Blocked('GRT-SERVICE-02', secure)
      expectOf({ secure, plain }, offered)
      observe(`a client without TLS at the same port: ${plain ?? 'HTTP/2 is spoken with it'}`)
      await requireMet('GRT-SERVICE-02')
    },
  }),

  check('GRT-AUTH-03', {
    title: 'meets a caller who does not prove itself',
    async run({ newRequests, greet, observe }) {
      observe(
        `a stream without the metadata of the target file: ${(await greet(newRequests(1), { isBare: true })).summary}`,
      )
    },
  }),
]
