import { Blocked } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { isEntrance } from '../support/guarded.ts'
import { isServed } from '../support/places.ts'
import { served } from '../support/expectations.ts'

/** Pattern 1: no authentication. */
export const none = [
  check('AUTH-NONE-01', {
    title: 'serves whoever knows the URL',
    patterns: ['none'],
    async play({ guarded, expect, requireMet }) {
      const reached = (await guarded()).filter(isEntrance)
      for (const { place, answer } of reached) {
        // That a transport does not work at all is its own row's affair: only who is sent away was asked who he is.
        if (!isServed(answer) && answer.status !== 401 && answer.status !== 403)
          await requireMet(
            place.transport === 'sse' ? 'TOOL-SSE-01' : 'TOOL-HTTP-01',
            answer.summary,
          )
        if (!isServed(answer) && answer.status === undefined)
          throw new Blocked(
            place.transport === 'sse' ? 'TOOL-SSE-01' : 'TOOL-HTTP-01',
            answer.summary,
          )
        // An answer of success is no service yet.
        if (isServed(answer))
          await requireMet(
            place.transport === 'sse' ? 'TOOL-SSE-01' : 'TOOL-HTTP-01',
            answer.summary,
          )
        expect(answer, served)
      }
    },
  }),
]
