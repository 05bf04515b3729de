import type { ReplyMiddleware } from '../../../../mocks/stateful/oauth/realm.ts'
import type { OAuthChoices as OAuthChoices } from '../../../../mocks/stateful/oauth/choices.ts'
import type { OAuthRules as OAuthRules } from '../../../../mocks/stateful/oauth/rules.ts'
import type { JwtChoices } from '../../../../mocks/stateful/tools/auth/jwt/choices.ts'
import type { JwtRules } from '../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import type {
  ToolsChoices,
  DeviationPoints,
  ToolsRules,
  TransportName,
} from '../../../../mocks/stateful/tools.ts'
import type { Fault } from '../fault.ts'

/**
 * Choices of the operator, not of the server: how the server is run, and what its target file
 * declares.
 */
interface Hosting {
  /** The pattern of authentication. By default, the pattern of the family. */
  pattern: 'none' | 'jwt' | 'oauth-proxy' | 'oauth-provider'
  /** The secret that signs the tokens of the pattern `jwt`. */
  secret: string
  /** The tested transports; the target file declares no others. */
  transports: readonly Exclude<TransportName, 'stdio'>[]
  /**
   * Whether clients may register themselves, both in the server and according to the target file.
   */
  registration: boolean
  /**
   * Whether the operator has registered a client that the target file names, even if clients may
   * register themselves.
   */
  namesClient: boolean
  /** Whether a proxy shows a consent screen before it redirects to the identity provider. */
  consentScreen: boolean
  /** The scope in the target file. */
  scope: string
  /** Whether the target file contains the credentials of a resource server. */
  namesResourceServer: boolean
  /** How the user decides, according to the target file. */
  consent: 'auto' | 'form' | 'command'
  /** Unusual paths of transports, which the target file also contains. */
  paths: Readonly<Partial<Record<'http' | 'sse', string>>>
  /**
   * According to the target file, how many token requests with a wrong code the server accepts per
   * minute. It returns 429 to further requests.
   */
  attempts: number
  /** Keys of `tools.auth` that the target file omits, such as `secret` or `whoami`. */
  omittedKeys: readonly string[]
}

/**
 * Choices by layer: how the server is run, authentication with JWT or OAuth, and the tool server.
 */
export interface AuthChoices {
  hosting?: Partial<Hosting>
  jwt?: Partial<JwtChoices>
  oauth?: Partial<OAuthChoices>
  server?: Partial<ToolsChoices>
}

/** Replaced rules by layer. Rules of a pattern that the server does not use have no effect. */
export interface AuthRules {
  jwt: Partial<JwtRules>
  oauth: Partial<OAuthRules>
  server: Partial<ToolsRules>
}

/**
 * How a tool server with authentication differs from the stateful mock, by a fault or by a
 * conforming variation.
 */
export interface AuthDeviation extends DeviationPoints {
  choices?: AuthChoices
  rules?: Partial<AuthRules>
  /**
   * Changes replies of the authorization endpoints, and refusals of the endpoints that they
   * protect.
   */
  changeReply?: ReplyMiddleware
}

export type AuthFault = Fault<AuthDeviation>

/** Merges choices by layer. Choices of `other` replace those of the same name. */
export const mergeChoices = (one: AuthChoices = {}, other: AuthChoices = {}): AuthChoices => ({
  hosting: { ...one.hosting, ...other.hosting },
  jwt: { ...one.jwt, ...other.jwt },
  oauth: { ...one.oauth, ...other.oauth },
  server: { ...one.server, ...other.server },
})
