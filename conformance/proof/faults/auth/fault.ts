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

/** How a server that asks who comes is run, and what its target file tells of it, beside the choices that it makes itself. */
interface Hosting {
  /** Which of the four patterns it has; that of the family where nothing is said. */
  pattern: 'none' | 'jwt' | 'oauth-proxy' | 'oauth-provider'
  /** What tokens of pattern 2 are signed with. */
  secret: string
  /** Over which transports it is judged; the target file names no others. */
  transports: readonly Exclude<TransportName, 'stdio'>[]
  /** Whether clients may register by themselves, which the target file tells. */
  registration: boolean
  /** Whether users of a proxy are asked before they go to the identity provider. */
  consentScreen: boolean
  /** What the target file says that the suite asks for. */
  scope: string
  /** How the target file says that users decide. */
  consent: 'auto' | 'form' | 'command'
  /** The paths of transports that are elsewhere than usual, as the target file tells them. */
  paths: Readonly<Partial<Record<'http' | 'sse', string>>>
  /** So many wrong attempts at /token in a minute are too many, as the target file tells. */
  attempts: number
  /** Keys within `tools.auth` that the target file keeps to itself: `secret`, `attempts`, `whoami`. */
  omittedKeys: readonly string[]
}

/** What can be chosen, by the layer that it belongs to: how the server is run, the authentication of pattern 2 or of patterns 3 and 4, the tool server. */
export interface AuthChoices {
  hosting?: Partial<Hosting>
  jwt?: Partial<JwtChoices>
  oauth?: Partial<OAuthChoices>
  server?: Partial<ToolsChoices>
}

/** Rules that can be replaced, by layer. Those of another pattern change nothing. */
export interface AuthRules {
  jwt: Partial<JwtRules>
  oauth: Partial<OAuthRules>
  server: Partial<ToolsRules>
}

/** How a tool server that asks who comes differs from the correct one. */
export interface AuthDeviation extends DeviationPoints {
  choices?: AuthChoices
  rules?: Partial<AuthRules>
  /** Changes answers of the endpoints of patterns 3 and 4, and refusals of what they guard. */
  changeReply?: ReplyMiddleware
}

export type AuthFault = Fault<AuthDeviation>

/** Choices of two origins; the latter prevail. */
export const mergeChoices = (one: AuthChoices = {}, other: AuthChoices = {}): AuthChoices => ({
  hosting: { ...one.hosting, ...other.hosting },
  jwt: { ...one.jwt, ...other.jwt },
  oauth: { ...one.oauth, ...other.oauth },
  server: { ...one.server, ...other.server },
})
