// Metadata documents: authorization server (RFC 8414) and protected resource (RFC 9728).
import { notAllowed, sendJson } from './http.mjs'
import { SCOPES } from './app.mjs'

const headersFor = (ctx) =>
  ctx.on('metadata-cacheable') ? { 'Cache-Control': 'public, max-age=300' } : {}

export function authorizationServerMetadata(ctx, req, res) {
  if (!['GET', 'HEAD'].includes(req.method)) return notAllowed(res, 'GET, HEAD')
  const base = ctx.on('metadata-endpoints-from-host-header')
    ? `http://${req.headers.host}`
    : ctx.origin
  const methods = ['none', 'client_secret_basic', 'client_secret_post']
  const document = {
    issuer: ctx.on('metadata-issuer-with-trailing-slash') ? `${ctx.origin}/` : ctx.origin,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    revocation_endpoint: `${base}/revoke`,
    scopes_supported: ctx.on('metadata-scopes-incomplete') ? SCOPES.slice(0, 1) : SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ctx.on('metadata-announces-plain')
      ? ['S256', 'plain']
      : ['S256'],
    authorization_response_iss_parameter_supported: ctx.on('no-iss-parameter') ? undefined : true,
  }
  if (ctx.pattern === 'oauth-provider') {
    document.introspection_endpoint = `${base}/introspect`
    document.introspection_endpoint_auth_methods_supported = ['client_secret_basic']
    if (ctx.on('introspection-accepts-credentials-in-body'))
      document.introspection_endpoint_auth_methods_supported.push('client_secret_post')
  }
  if (ctx.on('metadata-more-members'))
    Object.assign(document, {
      service_documentation: `${ctx.origin}/docs`,
      ui_locales_supported: ['en'],
    })
  if (ctx.on('metadata-empty-list')) document.ui_locales_supported = []
  if (ctx.on('metadata-without-pkce')) delete document.code_challenge_methods_supported
  if (ctx.on('metadata-without-response-types')) delete document.response_types_supported
  if (ctx.on('metadata-without-iss-support'))
    delete document.authorization_response_iss_parameter_supported
  if (ctx.on('metadata-without-introspection-methods'))
    delete document.introspection_endpoint_auth_methods_supported
  sendJson(res, 200, document, {
    ...headersFor(ctx),
    ...(ctx.on('metadata-as-plain-text') ? { 'Content-Type': 'text/plain' } : {}),
  })
}

export function protectedResourceMetadata(ctx, req, res) {
  if (!['GET', 'HEAD'].includes(req.method)) return notAllowed(res, 'GET, HEAD')
  const server = ctx.pattern === 'jwt' ? ctx.jwt.issuer : ctx.origin
  const document = {
    // The resource must be the identifier from which the address of this document was made (RFC 9728, 3.3).
    resource: ctx.on('resource-metadata-names-origin')
      ? ctx.origin
      : ctx.on('resource-metadata-with-trailing-slash')
        ? `${ctx.mcpUrl}/`
        : ctx.mcpUrl,
    authorization_servers: !URL.canParse(server)
      ? undefined
      : ctx.on('resource-metadata-server-with-slash')
        ? [`${server}/`]
        : [server],
    scopes_supported: ctx.pattern === 'jwt' ? undefined : SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Notes',
  }
  if (ctx.on('resource-metadata-announces-query')) document.bearer_methods_supported.push('query')
  if (ctx.on('resource-metadata-without-servers')) delete document.authorization_servers
  if (ctx.on('resource-metadata-without-methods')) delete document.bearer_methods_supported
  sendJson(res, 200, document, headersFor(ctx))
}
