import { wrongAttempt, once } from '../../support/oauth/attempts.ts'
import { NotApplicable, NotCovered } from '../../../../engine/index.ts'
import { check, oauth } from '../../support/define.ts'

/** How many attempts are under way at the same time. */
const together = 20

const isLoopback = (url: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)

/** What is recommended to whoever guards a server. */
export const practice = [
  check('AUTH-PRACTICE-02', {
    title: 'refuses attempts with 429 when there were too many wrong ones in a minute',
    patterns: oauth,
    async play(world) {
      const { attempts = 0 } = world.auth
      const statuses = new Map<number | undefined, number>()
      let began = 0
      const last = async () => {
        began = world.clock.now()
        for (let sent = 0; sent <= attempts && !statuses.has(429); sent += together) {
          const requests = await Promise.all(
            Array.from({ length: Math.min(together, attempts + 1 - sent) }, () =>
              wrongAttempt(world),
            ),
          )
          for (const { httpStatus } of await Promise.all(
            requests.map((request) => once(world, request)),
          ))
            statuses.set(httpStatus, (statuses.get(httpStatus) ?? 0) + 1)
        }
      }
      // Whoever comes after this is refused for a while: whoever has something to do at the end of the run goes before.
      await world.last(async () => {})
      await world.last(last)
      if (!statuses.has(429) && world.clock.now() - began > 60_000)
        throw new NotCovered('so many attempts take longer than a minute')
      const told = () =>
        [...statuses].map(([status, count]) => `${count} times ${status ?? 'no answer'}`).join(', ')
      world.expectOf(statuses, {
        name: 'limits attempts',
        expected: `429 within ${attempts + 1} attempts`,
        test: () => statuses.has(429),
        received: told,
      })
    },
  }),

  check('AUTH-PRACTICE-04', {
    title: 'is reached over HTTPS alone',
    patterns: oauth,
    async play({ access: { http, sse }, endpoints, guarded, expectOf }) {
      const { authorize, token, register } = await endpoints()
      const urls = [http, sse, authorize, token, register].filter((url) => url !== undefined)
      if (urls.every(isLoopback))
        throw new NotApplicable('the server is on the loopback interface, where nobody listens')
      // An address says nothing unless somebody is there.
      await guarded()
      const plain = urls.filter((url) => !isLoopback(url) && !url.startsWith('https:'))
      expectOf(plain, {
        name: 'every address is of HTTPS',
        expected: 'https:',
        test: (all) => all.length === 0,
        received: (all) => all.join(', '),
      })
    },
  }),
]
