import type { Command } from 'commander'

const examples = `
Examples:
  touchstone greet 127.0.0.1:50051                     type names, see greetings; Ctrl-D ends the stream, Ctrl-C calls it off
  touchstone greet 127.0.0.1:50051 Ada Grace           two names, and the end
  cut -f1 people.tsv | touchstone greet HOST:PORT      names from standard input, one line each
  touchstone greet HOST:PORT --ca ca.pem --metadata "authorization=Bearer $TOKEN" Ada

Without --service the server is asked for it by reflection.
Exit status: 0 where the stream ended with OK, 1 otherwise, 3 an error of usage, 130 called off.`

/** Declares `touchstone greet`. What it runs is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Talks to a greeting service: sends names on one stream, and prints each response as it comes, with the time that it took.',
    )
    .argument('<address>', 'host:port')
    .argument('[name...]', 'whom to greet (default: what is typed, or comes on standard input)')
    .option('--service <name>', 'full name of the service, such as examples.GreetingService')
    .option('--metadata <name=value>', 'sent with the call; repeatable', collected)
    .option('--tls', 'connect over TLS, and trust whom the system trusts')
    .option('--ca <file>', 'connect over TLS, and trust the certificates in this PEM file')
    .option('--cert <file>', "the client's own certificate, with --key")
    .option('--key <file>', 'the key of that certificate')
    .option('--insecure', 'connect over TLS, and trust anybody')
    .option('--json', 'one line of JSON for each response, and one for the end')
    .addHelpText('after', examples)
    .action(async (address: string, names: string[], options: object) => {
      const { run } = await import('./greet/run.ts')
      await run(address, names, options)
    })
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
