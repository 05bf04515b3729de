import type { Command } from 'commander'

const examples = `
Examples:
  touchstone mock                                      all of them: images on ports 4010 to 4013, hooks on 4020, receiver on 4030, greeting on 50051, tools on 4050, identity on 4060
  touchstone mock greeting --tls --token hush          the greeting RPC over TLS, for callers with that token
  touchstone mock images --stateful --port 0           the image service that remembers, on free ports
  touchstone mock hooks receiver --stateful            hooks that deliver, and a receiver for them
  touchstone mock tools --stdio                        the tool server as a subprocess: MCP on stdin and stdout, and nothing else
  touchstone mock tools --auth jwt                     the tool server for callers with a JSON Web Token, and such a token
  touchstone mock tools --auth oauth-provider          the tool server with its own users, consent page and tokens
  touchstone mock tools --auth oauth-proxy             the same with the users of an identity provider, by default a built-in one
  touchstone mock identity --consent form              an identity provider, whose users sign in
  touchstone mock images --port 5000 --port batch=80   ports 5000, 5002 and 5003, and 80
  touchstone mock --stateful --json > mock.json        addresses and tokens for a script

Ask the contract mock for any failure that the document knows:
  curl -H 'Prefer: code=429' -H 'Authorization: Bearer images-token' \\
    http://127.0.0.1:4010/client/v4/accounts/acc-1/images/v2
`

/** Declares `touchstone mock`. What it starts is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Starts mock servers on 127.0.0.1, prints their addresses and tokens, and runs until Ctrl-C.',
    )
    .argument(
      '[name...]',
      'which mocks: images, hooks, receiver, greeting, tools, identity (default: all)',
    )
    .option('--stateful', 'servers that remember, in place of answers from the documents')
    .option(
      '--port <port>',
      'first port of a row, or HOST=PORT for one host; repeatable; 0 is any free port',
      collected,
    )
    .option('--account <id>', "the account's id (images; default: acc-1)")
    .option('--project <id>', "the project's id (hooks; default: 42)")
    .option('--secret <text>', 'what X-Hook-Token has to be (receiver; default: receiver-secret)')
    .option(
      '--token <text>',
      'the bearer token that callers have to send (greeting; default: none)',
    )
    .option('--tls', 'serve over TLS, under a certificate that signs itself (greeting)')
    .option(
      '--client-ca <file>',
      'serve over TLS, and only callers with a certificate of the authority in this PEM file (greeting)',
    )
    .option('--upstream <url>', 'the API behind the tools (tools; default: one of its own)')
    .option('--stateless', 'streamable HTTP without sessions (tools)')
    .option(
      '--stdio',
      'serve one client over standard input and output, in place of a port (tools)',
    )
    .option(
      '--auth <pattern>',
      'who may call: none, jwt, oauth-proxy or oauth-provider (tools; default: none)',
    )
    .option(
      '--jwt-secret <text>',
      'what tokens are signed with, at least 32 bytes (tools with --auth jwt; default: TOOLS_JWT_SECRET, or a new one)',
    )
    .option(
      '--issuer <text>',
      "what a token's iss has to be (tools with --auth jwt; default: https://issuer.example)",
    )
    .option(
      '--audience <text>',
      "what a token's aud has to be (tools with --auth jwt; default: shelf_mcp)",
    )
    .option(
      '--identity <url>',
      'the identity provider, with authorize, token and user below that URL (tools with --auth oauth-proxy; default: one of its own)',
    )
    .option(
      '--scopes <list>',
      'what is asked for there, with commas (tools with --auth oauth-proxy; default: read:user,user:email)',
    )
    .option(
      '--client-id <id>',
      'who the tool server is at the identity provider (identity, and tools with --auth oauth-proxy; default: CLIENT_ID, or shelf)',
    )
    .option(
      '--client-secret <text>',
      'the secret for that (default: CLIENT_SECRET, or shelf-upstream-secret)',
    )
    .option(
      '--oauth-kv <file>',
      'keep the state in this file (tools with either oauth pattern; default: OAUTH_KV, or memory)',
    )
    .option(
      '--no-consent-screen',
      'do not ask users before they go to the identity provider (tools with --auth oauth-proxy)',
    )
    .option(
      '--no-client-registration',
      'let no client register by itself (tools with either oauth pattern)',
    )
    .option(
      '--consent <how>',
      'auto lets everybody in, form has users sign in (identity; default: auto)',
    )
    .option(
      '--max-file-bytes <bytes>',
      'the largest file taken (images with --stateful; default: 10485760)',
    )
    .option('--delay <ms>', 'hold every answer back (with --stateful; default: 0)')
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
