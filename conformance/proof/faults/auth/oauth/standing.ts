import type { IncomingMessage } from 'node:http'
import { defaultRules as right } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { MakeAuthDeviation } from '../building.ts'
import { membersOf } from './answers.ts'

/** What a server has given so far, by what it is. */
interface Given {
  readonly access: readonly string[]
  readonly refresh: readonly string[]
  readonly codes: readonly string[]
  readonly secrets: readonly string[]
}

/**
 * Lets in, by a token that somebody else was given, who should be refused. `takes` is shown what came in place of a token, undefined for nothing, and all
 * that was given.
 */
export const letsIn =
  (
    takes: (token: string | undefined, request: IncomingMessage, given: Given) => boolean,
  ): MakeAuthDeviation =>
  (hit) => {
    const given = {
      access: [] as string[],
      refresh: [] as string[],
      codes: [] as string[],
      secrets: [] as string[],
    }
    const keep = (list: string[], value: unknown) => {
      if (typeof value === 'string') list.push(value)
    }
    return {
      changeReply(_endpoint, reply) {
        const {
          access_token: access,
          refresh_token: refresh,
          client_secret: secret,
        } = membersOf(reply)
        keep(given.access, access)
        keep(given.refresh, refresh)
        keep(given.secrets, secret)
        keep(given.codes, /[?&]code=([^&]+)/.exec(reply.headers?.['Location'] ?? '')?.[1])
        return reply
      },
      rules: {
        oauth: {
          bearerOf(request) {
            const token = right.bearerOf(request)
            const isGood = token !== undefined && given.access.includes(token)
            if (isGood || given.access.length === 0 || !takes(token, request, given)) return token
            hit()
            return given.access.at(-1)
          },
        },
      },
    }
  }

/** The token in the query of a request. */
export const inQuery = ({ url = '/' }: IncomingMessage): string | undefined =>
  new URL(url, 'http://127.0.0.1').searchParams.get('access_token') ?? undefined
