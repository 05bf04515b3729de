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
 * How a server with authentication is run and what its target file declares, in addition to its
 * choices.
 */
interface Hosting {
  /** The pattern of authentication; that of the family by default. */
  pattern: 'none' | 'jwt' | 'oauth-proxy' | 'oauth-provider'
  /** The secret that signs the tokens of the pattern `jwt`. */
  secret: string
  /** The tested transports; the target file declares no others. */
  transports: readonly Exclude<TransportName, 'stdio'>[]
  /** Whether the target file declares that clients may register themselves. */
  registration: boolean
  /** Whether a proxy shows a consent screen before it redirects to the identity provider. */
  consentScreen: boolean
  /** The scope in the target file. */
  scope: string
  /** How the user decides, according to the target file. */
  consent: 'auto' | 'form' | 'command'
  /** Paths of transports that differ from the usual ones, also in the target file. */
  paths: Readonly<Partial<Record<'http' | 'sse', string>>>
  /**
   * The number of wrong attempts at /token per minute that is too many, according to the target
   * file.
   */
  attempts: number
  /** Keys of `tools.auth` that the target file omits: `secret`, `attempts`, `whoami`. */
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

/** Replaced rules by layer. Rules of another pattern have no effect. */
export interface AuthRules {
  jwt: Partial<JwtRules>
  oauth: Partial<OAuthRules>
  server: Partial<ToolsRules>
}

/** How a tool server with authentication differs from the reference: broken, or a variation. */
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

/** Merges choices; the latter win. */
export const mergeChoices = (one: AuthChoices = {}, other: AuthChoices = {}): AuthChoices => ({
  hosting: { ...one.hosting, ...other.hosting },
  jwt: { ...one.jwt, ...other.jwt },
  oauth: { ...one.oauth, ...other.oauth },
  server: { ...one.server, ...other.server },
})
