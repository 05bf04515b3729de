import type { IncomingMessage } from 'node:http'
import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import type { MakeAuthDeviation } from '../building.ts'
import { membersOf } from './token-replies.ts'

/** The credentials that the server has issued so far. */
interface IssuedCredentials {
  readonly access: readonly string[]
  readonly refresh: readonly string[]
  readonly codes: readonly string[]
  readonly secrets: readonly string[]
}

/**
 * Accepts some requests without a valid token, as if they contained the latest access token that
 * was issued. `accepts` selects these requests. It receives the token of the request, the request,
 * and the credentials that were issued so far.
 */
export const acceptInstead =
  (
    accepts: (
      token: string | undefined,
      request: IncomingMessage,
      issued: IssuedCredentials,
    ) => boolean,
  ): MakeAuthDeviation =>
  (hit) => {
    const issued = {
      access: [] as string[],
      refresh: [] as string[],
      codes: [] as string[],
      secrets: [] as string[],
    }
    const record = (list: string[], value: unknown) => {
      if (typeof value === 'string') list.push(value)
    }
    return {
      changeReply(_endpoint, reply) {
        const {
          access_token: access,
          refresh_token: refresh,
          client_secret: secret,
        } = membersOf(reply)
        record(issued.access, access)
        record(issued.refresh, refresh)
        record(issued.secrets, secret)
        record(issued.codes, /[?&]code=([^&]+)/.exec(reply.headers?.['Location'] ?? '')?.[1])
        return reply
      },
      rules: {
        oauth: {
          bearerTokenOf(request) {
            const token = defaultRules.bearerTokenOf(request)
            const isValid = token !== undefined && issued.access.includes(token)
            if (isValid || issued.access.length === 0 || !accepts(token, request, issued))
              return token
            hit()
            return issued.access.at(-1)
          },
        },
      },
    }
  }

/** The access token in the query of a request. */
export const inQuery = ({ url = '/' }: IncomingMessage): string | undefined =>
  new URL(url, 'http://127.0.0.1').searchParams.get('access_token') ?? undefined
