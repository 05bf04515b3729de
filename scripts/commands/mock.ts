import type { Command } from 'commander'

const examples = `
Examples:
  touchstone mock                                      all of them: images on ports 4010 to 4013, hooks on 4020, receiver on 4030, greeting on 50051, tools on 4050, identity on 4060
  touchstone mock greeting --tls --token hush          the greeting RPC over TLS, for clients with that token
  touchstone mock images --stateful --port 0           the stateful image service on free ports
  touchstone mock hooks receiver --stateful            hooks that send deliveries, and a receiver
  touchstone mock tools --stdio                        the tool server over standard input and output
  touchstone mock tools --auth jwt                     the tool server for clients with a JSON Web Token; prints one
  touchstone mock tools --auth oauth-provider          the tool server with users, a consent page and tokens
  touchstone mock tools --auth oauth-proxy             the same with an identity provider, by default a built-in one
  touchstone mock identity --consent form              an identity provider with a login form
  touchstone mock images --port 5000 --port batch=80   ports 5000, 5002 and 5003, and 80
  touchstone mock --stateful --json > mock.json        URLs and tokens for a script

The stateless mocks return any documented error on request:
  curl -H 'Prefer: code=429' -H 'Authorization: Bearer images-token' \\
    http://127.0.0.1:4010/client/v4/accounts/acc-1/images/v2
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
    .option('--stateful', 'servers with a memory, instead of responses from the contract')
    .option(
      '--port <port>',
      'first of consecutive ports, or HOST=PORT for one host; repeatable; 0 means any free port',
      collected,
    )
    .option('--account <id>', "the account's id (images; default: acc-1)")
    .option('--project <id>', "the project's id (hooks; default: 42)")
    .option(
      '--secret <text>',
      'required value of X-Hook-Token (receiver; default: receiver-secret)',
    )
    .option('--token <text>', 'bearer token that clients must send (greeting; default: none)')
    .option('--tls', 'use TLS with a self-signed certificate (greeting)')
    .option(
      '--client-ca <file>',
      'use TLS and require client certificates of the authority in this PEM file (greeting)',
    )
    .option('--upstream <url>', 'the API behind the tools (tools; default: a built-in one)')
    .option('--stateless', 'streamable HTTP without sessions (tools)')
    .option('--stdio', 'serve one client over standard input and output instead of a port (tools)')
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
      'the identity provider, with authorize, token and user below that URL (tools with --auth oauth-proxy; default: a built-in one)',
    )
    .option(
      '--scopes <list>',
      'scopes to request there, separated by commas (tools with --auth oauth-proxy; default: read:user,user:email)',
    )
    .option(
      '--client-id <id>',
      'client id of the tool server at the identity provider (identity, and tools with --auth oauth-proxy; default: CLIENT_ID, or shelf)',
    )
    .option(
      '--client-secret <text>',
      'client secret for that (default: CLIENT_SECRET, or shelf-upstream-secret)',
    )
    .option(
      '--oauth-kv <file>',
      'file that keeps the state (tools with an oauth pattern; default: OAUTH_KV, or memory)',
    )
    .option(
      '--no-consent-screen',
      'redirect users to the identity provider without a consent page (tools with --auth oauth-proxy)',
    )
    .option('--no-client-registration', 'disable client registration (tools with an oauth pattern)')
    .option(
      '--consent <how>',
      'auto signs users in at once, form shows a login page (identity; default: auto)',
    )
    .option(
      '--max-file-bytes <bytes>',
      'largest file that is accepted (images with --stateful; default: 10485760)',
    )
    .option('--delay <ms>', 'delay of every response (with --stateful; default: 0)')
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
