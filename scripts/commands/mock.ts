import type { Command } from 'commander'

const examples = `
Examples:
  touchstone mock
      all mocks: images on ports 4010 to 4013, hooks on 4020, receiver on 4030,
      greeting on 50051, tools on 4050, identity on 4060
  touchstone mock greeting --tls --token hush
      the greeting RPC over TLS, for clients with that token
  touchstone mock images --stateful --port 0
      the stateful image service on free ports
  touchstone mock hooks receiver --stateful
      hooks that send deliveries, and a receiver
  touchstone mock tools --transport stdio
      the tool server over standard input and output
  touchstone mock tools --transport sse --port 0
      the tool server with HTTP+SSE alone, on a free port
  touchstone mock tools --everything
      the tool server with the fixtures of @modelcontextprotocol/conformance
  touchstone mock tools --auth jwt
      the tool server for clients with a JSON Web Token; prints one
  touchstone mock tools --auth oauth-provider
      the tool server with users, a consent page and tokens
  touchstone mock tools --auth oauth-proxy
      the tool server with users who sign in at an identity provider
  touchstone mock identity --consent form
      an identity provider with a login form
  touchstone mock images --port 5000 --port batch=80
      account 5000, batch 80, upload 5002, delivery 5003
  touchstone mock --stateful --json > mock.json
      URLs and tokens for a script

The mocks images and hooks return any documented error on request:
  curl -H 'Prefer: code=429' -H 'Authorization: Bearer images-token' \\
    http://127.0.0.1:4010/client/v4/accounts/acc-1/images/v2

Exit status:
  0    stopped with Ctrl-C, or with --transport stdio: the input ended
  3    a usage error, or a port that cannot be used
`

/** Declares `touchstone mock`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Starts mock servers on 127.0.0.1, prints their URLs and tokens, and runs until Ctrl-C.',
    )
    .argument(
      '[name...]',
      'which mocks: images, hooks, receiver, greeting, tools, identity (default: all)',
    )
    .option(
      '--stateful',
      'store what clients send, instead of returning examples from the OpenAPI document (images, hooks)',
    )
    .option(
      '--port <port>',
      'port of the first server; the others use the ports that follow. NAME=PORT sets the port of one mock, or of one of the four servers of the mock images: account, batch, upload, delivery. Repeatable; 0 means any free port',
      collected,
    )
    .option('--account <id>', 'id of the account (images; default: acc-1)')
    .option('--project <id>', 'id of the project (hooks; default: 42)')
    .option(
      '--secret <text>',
      'required value of X-Hook-Token (receiver; default: receiver-secret)',
    )
    .option('--token <text>', 'bearer token that clients must send (greeting; default: none)')
    .option('--tls', 'use TLS with a self-signed certificate (greeting)')
    .option(
      '--client-ca <file>',
      'use TLS and require client certificates that are signed by the authority in this PEM file (greeting)',
    )
    .option(
      '--upstream <url>',
      'base URL of the API behind the tools (tools; default: a built-in API)',
    )
    .option('--stateless', 'serve streamable HTTP without sessions (tools)')
    .option(
      '--transport <name>',
      'the only transport: streamable_http, sse, or stdio, which serves one client over standard input and output instead of a port (tools; default: streamable_http and sse on one port)',
    )
    .option(
      '--everything',
      'offer also the tools, resources and prompts that @modelcontextprotocol/conformance uses; their names do not follow the conventions (tools)',
    )
    .option(
      '--audit-log <file>',
      'append tool calls, logins and requests for tokens to this file, as lines of JSON without secrets (tools)',
    )
    .option(
      '--auth <pattern>',
      'authentication: none, jwt, oauth-proxy or oauth-provider (tools; default: none)',
    )
    .option(
      '--jwt-secret <text>',
      'secret that signs tokens, at least 32 bytes (tools with --auth jwt; default: TOOLS_JWT_SECRET, or a generated one)',
    )
    .option(
      '--issuer <text>',
      'required issuer of tokens (tools with --auth jwt; default: https://issuer.example)',
    )
    .option(
      '--audience <text>',
      'required audience of tokens (tools with --auth jwt; default: shelf_mcp)',
    )
    .option(
      '--identity <url>',
      'base URL of the identity provider, which serves /authorize, /token and /user (tools with --auth oauth-proxy; default: a built-in one)',
    )
    .option(
      '--scopes <list>',
      'scopes to request from the identity provider, separated by commas (tools with --auth oauth-proxy; default: read:user,user:email)',
    )
    .option(
      '--client-id <id>',
      'client id of the tool server at the identity provider (identity, and tools with --auth oauth-proxy; default: CLIENT_ID, or shelf)',
    )
    .option(
      '--client-secret <text>',
      'client secret of the tool server at the identity provider (identity, and tools with --auth oauth-proxy; default: CLIENT_SECRET, or shelf-upstream-secret)',
    )
    .option(
      '--oauth-kv <file>',
      'file that stores clients, codes and tokens (tools with --auth oauth-proxy or oauth-provider; default: the file in OAUTH_KV; without either, they are kept in memory)',
    )
    .option(
      '--resource-server-id <id>',
      'id with which a resource server introspects access tokens at /introspect (tools with --auth oauth-proxy or oauth-provider; default: RESOURCE_SERVER_ID, or shelf-api)',
    )
    .option(
      '--resource-server-secret <text>',
      'secret with which a resource server introspects access tokens (tools with --auth oauth-proxy or oauth-provider; default: RESOURCE_SERVER_SECRET, or a generated one)',
    )
    .option(
      '--no-consent-screen',
      'redirect users to the identity provider without a consent page (tools with --auth oauth-proxy)',
    )
    .option(
      '--no-client-registration',
      'disable client registration (tools with --auth oauth-proxy or oauth-provider)',
    )
    .option(
      '--consent <how>',
      'how users sign in and consent: auto (no page is shown) or form (a login page) (identity; default: auto)',
    )
    .option(
      '--max-file-bytes <bytes>',
      'size of the largest accepted file in bytes (images with --stateful; default: 10485760)',
    )
    .option(
      '--delay <ms>',
      'delay of every response in milliseconds (receiver and greeting, and images and hooks with --stateful; default: 0)',
    )
    .option('--json', 'print one line of JSON when all servers are ready')
    .addHelpText('after', examples)
    .action(async (names: string[], options: object) => {
      const { run } = await import('./mock/run.ts')
      await run(names, options)
    })
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
