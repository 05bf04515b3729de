import type { Command } from 'commander'

const examples = `
Examples:
  touchstone greet 127.0.0.1:50051
      enter names; Ctrl-D ends the stream, Ctrl-C cancels it
  touchstone greet 127.0.0.1:50051 Ada Grace
      greet two names
  cut -f1 people.tsv | touchstone greet HOST:PORT
      names from standard input, one per line
  touchstone greet HOST:PORT --tls --metadata "authorization=Bearer $TOKEN" Ada
      over TLS, with a token

Without --service, the name of the service is found through server reflection.

Exit status:
  0    the stream ended with status OK
  1    the stream did not end with status OK
  3    a usage error
  130  cancelled with Ctrl-C`

/** Declares `touchstone greet`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Calls a greeting service: sends names on one stream, and prints each response with the milliseconds since the most recently sent name.',
    )
    .argument('<address>', 'address of the service, as host:port')
    .argument('[name...]', 'names to greet (default: standard input)')
    .option('--service <name>', 'full name of the service, such as examples.GreetingService')
    .option('--metadata <name=value>', 'metadata to send with the call; repeatable', collected)
    .option('--tls', 'connect over TLS with the CA certificates of the system')
    .option('--ca <file>', 'connect over TLS with the CA certificates in this PEM file')
    .option('--cert <file>', 'PEM file with a client certificate; needs --key')
    .option('--key <file>', 'PEM file with the private key of that certificate')
    .option('--insecure', 'connect over TLS without verifying the certificate')
    .option(
      '--json',
      'print lines of JSON: one for each response, then one for the end of the stream',
    )
    .addHelpText('after', examples)
    .action(async (address: string, names: string[], options: object) => {
      const { run } = await import('./greet/run.ts')
      await run(address, names, options)
    })
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
