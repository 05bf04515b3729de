import { isDeepStrictEqual } from 'node:util'
import { defaultRules as oauthRules } from '../../../../mocks/stateful/oauth/rules.ts'
import type { Answered } from '../../../../mocks/stateful/oauth/realm.ts'
import { defaultJwtRules } from '../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import { defaultRules } from '../../../../mocks/stateful/tools.ts'
import type { Hit } from '../tools/building.ts'
import type { Choices, Fault, Rules } from './fault.ts'

// What most faults of servers that ask who comes are built from. What stands at other places is built as for all tool servers.
export { changesHead, door, pathOf, type Hit } from '../tools/building.ts'

export type Make = Fault['make']
type Reply = Parameters<Answered>[1]
type Changed<T> = T | undefined | void

export function fault(name: string, says: string, violates: Fault['violates'], make: Make): Fault {
  return { name, says, violates, make }
}

/** The same server, run or told otherwise. */
export function hosted(choices: Partial<Choices>, make: Make): Make {
  return (hit) => {
    const deviation = make(hit)
    return { ...deviation, choices: { ...deviation.choices, ...choices } }
  }
}

/** Replaces demands. `hit` is for the replaced functions to call. */
export function ruled(change: (hit: Hit) => Partial<Rules>): Make {
  return (hit) => ({ rules: change(hit) })
}

type Rule = (...given: unknown[]) => unknown
const right = { ...oauthRules, ...defaultJwtRules, ...defaultRules } as unknown as Readonly<
  Record<string, Rule>
>

/** Replaces demands by functions, which deviate where they say something else than the right ones. */
export function otherwise(change: Partial<Rules>): Make {
  return ruled(
    (hit) =>
      Object.fromEntries(
        Object.entries(change as Readonly<Record<string, Rule>>).map(
          ([name, rule]): [string, Rule] => [
            name,
            (...given) => {
              const compared = (said: unknown, due: unknown) => {
                if (!isDeepStrictEqual(said, due)) hit()
                return said
              }
              const [said, due] = [rule(...given), right[name]!(...given)]
              return said instanceof Promise || due instanceof Promise
                ? Promise.all([said, due]).then(([one, other]) => compared(one, other))
                : compared(said, due)
            },
          ],
        ),
      ) as Partial<Rules>,
  )
}

/** Changes answers of patterns 3 and 4; nothing given back leaves one as it is. */
export function answered(
  change: (
    endpoint: Parameters<Answered>[0],
    reply: Reply,
    request: Parameters<Answered>[2],
  ) => Changed<Reply>,
): Make {
  return (hit) => ({
    answered(endpoint, reply, request) {
      const changed = change(endpoint, reply, request)
      if (changed === undefined) return reply
      hit()
      return changed
    },
  })
}
