/** The options as commander returns them. */
export interface MockOptions {
  stateful?: boolean
  cors?: boolean
  allowOrigin?: string[]
  port?: string[]
  /** The variable that contains `port`, if no option does. */
  portVariable?: string
  account?: string
  project?: string
  secret?: string
  token?: string
  host?: string
  tls?: boolean
  tlsCert?: string
  tlsKey?: string
  clientCa?: string
  maxFileBytes?: string
  seed?: string
  latency?: string
  failureRate?: string
  randomSeed?: string
  upstream?: string
  auth?: string
  jwtSecret?: string
  issuer?: string
  audience?: string
  identity?: string
  scopes?: string
  clientId?: string
  clientSecret?: string
  oauthKv?: string
  resourceServerId?: string
  resourceServerSecret?: string
  consentScreen?: boolean
  clientRegistration?: boolean
  consent?: string
  stateless?: boolean
  transport?: string
  auditLog?: string
  everything?: boolean
  json?: boolean
  quiet?: boolean
}
