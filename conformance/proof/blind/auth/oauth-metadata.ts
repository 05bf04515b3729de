import { jsonAnswer, withHeaders } from './http.ts'
import type { Answer } from './http.ts'
import type { JsonObject } from './json.ts'
import type { OAuthEnv } from './oauth-env.ts'
import { refreshOffered } from './oauth-register.ts'

/** Authorization server metadata (RFC 8414). */
export function serverMetadata(env: OAuthEnv): Answer {
  const { on, origin } = env
  const authMethods = ['none', 'client_secret_basic', 'client_secret_post']
  const refreshes = refreshOffered(env) && !on('no-refresh-tokens')
  const body: JsonObject = {
    issuer: on('metadata-issuer-other') ? origin.replace('127.0.0.1', 'localhost') : origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    scopes_supported: env.scopes,
    response_modes_supported: ['query'],
    grant_types_supported: refreshes
      ? ['authorization_code', 'refresh_token']
      : ['authorization_code'],
    token_endpoint_auth_methods_supported: authMethods,
  }
  if (env.registration) body['registration_endpoint'] = `${origin}/register`
  if (!on('metadata-response-types-missing')) body['response_types_supported'] = ['code']
  if (!on('metadata-challenge-methods-missing')) {
    body['code_challenge_methods_supported'] = on('plain-challenge-allowed')
      ? ['S256', 'plain']
      : ['S256']
  }
  if (!on('no-iss-parameter')) body['authorization_response_iss_parameter_supported'] = true
  if (!on('no-revocation-endpoint')) {
    body['revocation_endpoint'] = `${origin}/revoke`
    body['revocation_endpoint_auth_methods_supported'] = authMethods
  }
  if (!on('no-introspection')) {
    body['introspection_endpoint'] = `${origin}/introspect`
    body['introspection_endpoint_auth_methods_supported'] = authMethods.slice(1)
  }
  const answer = jsonAnswer(200, body)
  return on('metadata-as-text') ? withHeaders(answer, { 'Content-Type': 'text/plain' }) : answer
}

/** Protected resource metadata (RFC 9728). */
export function resourceMetadata(env: OAuthEnv): Answer {
  return jsonAnswer(200, {
    resource: env.on('resource-document-other') ? `${env.origin}/api` : env.mcpUrl,
    authorization_servers: [env.origin],
    scopes_supported: env.scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Desk tools',
  })
}
