import { newWrongAttempt, sendOnce } from '../../support/oauth/wrong-attempts.ts'
import { NotApplicable, NotCovered } from '../../../../engine/index.ts'
import { check, oauth } from '../../support/define.ts'

/** How many attempts are sent concurrently. */
const concurrentAttempts = 20

const isLoopback = (url: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)

/** Checks of recommendations for operators. */
export const practiceChecks = [
  check('AUTH-PRACTICE-02', {
    title: 'returns 429 after too many wrong attempts within a minute',
    patterns: oauth,
    async run(world) {
      const { attempts = 0 } = world.auth
      const statuses = new Map<number | undefined, number>()
      let startedAt = 0
      const sendAttempts = async () => {
        startedAt = world.clock.now()
        for (let sent = 0; sent <= attempts && !statuses.has(429); sent += concurrentAttempts) {
          const requests = await Promise.all(
            Array.from({ length: Math.min(concurrentAttempts, attempts + 1 - sent) }, () =>
              newWrongAttempt(world),
            ),
          )
          for (const { httpStatus } of await Promise.all(
            requests.map((request) => sendOnce(world, request)),
          ))
            statuses.set(httpStatus, (statuses.get(httpStatus) ?? 0) + 1)
        }
      }
      // The first, empty call waits behind the other checks of the final stage, so that they run
      // first: after these attempts, the server may refuse their requests for a while.
      await world.runInFinalStage(async () => {})
      await world.runInFinalStage(sendAttempts)
      if (!statuses.has(429) && world.clock.now() - startedAt > 60_000)
        throw new NotCovered('the configured number of attempts takes longer than a minute')
      const describeStatuses = () =>
        [...statuses]
          .map(([status, count]) => `${count} times ${status ?? 'no response'}`)
          .join(', ')
      world.expectValue(statuses, {
        name: 'limits attempts',
        expected: `status 429 within ${attempts + 1} attempts`,
        test: () => statuses.has(429),
        received: describeStatuses,
      })
    },
  }),

  check('AUTH-PRACTICE-04', {
    title: 'is reachable only over HTTPS',
    patterns: oauth,
    async run({ target: { http, sse }, findEndpoints, probeEndpoints, expectValue }) {
      const { authorize, token, register } = await findEndpoints()
      const urls = [http, sse, authorize, token, register].filter((url) => url !== undefined)
      if (urls.every(isLoopback))
        throw new NotApplicable(
          'the server is on the loopback interface, where traffic cannot be intercepted',
        )
      // First ensures that the server responds at these URLs.
      await probeEndpoints()
      const plain = urls.filter((url) => !isLoopback(url) && !url.startsWith('https:'))
      expectValue(plain, {
        name: 'every URL uses HTTPS',
        expected: 'only URLs with https:',
        test: (all) => all.length === 0,
        received: (all) => all.join(', '),
      })
    },
  }),
]
