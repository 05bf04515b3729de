import type { Command } from 'commander'

const examples = `
Examples:
  touchstone listen
      on port 4040, at any path
  touchstone listen --save deliveries
      saves every delivery
  touchstone listen --host 0.0.0.0 --port 80
      for senders on other machines
  touchstone listen --tls
      with a self-signed certificate
  touchstone listen --forward-to http://127.0.0.1:9000/hook
      between a sender and a receiver
  touchstone listen --status 500
      to see how a sender reacts
  touchstone listen --port 0 --json
      for a script

To keep the token out of the command line, set it in the environment variable
RECEIVER_SECRET instead of using --token.

Exit status:
  0    stopped with Ctrl-C
  3    a usage error, or a port that cannot be used`

/** Declares `touchstone listen`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Receives deliveries and checks them against the contract. For each delivery, prints the event, the verdict, the path, and whether the token is right. Runs until Ctrl-C.',
    )
    .option('--port <n>', 'port to listen on; 0 means any free port', '4040')
    .option('--host <address>', 'address of this machine to listen on', '127.0.0.1')
    .option(
      '--tls',
      'use TLS with a self-signed certificate; set enable_ssl_verification to false in the hook',
    )
    .option(
      '--token <secret>',
      'expected value of X-Hook-Token (default: the environment variable RECEIVER_SECRET)',
    )
    .option(
      '--save <folder>',
      'save each delivery to a file in this folder, without secrets; touchstone validate reads these files',
    )
    .option(
      '--forward-to <url>',
      'forward each delivery unchanged to this receiver, print its response, and return the response to the sender; without a path in the URL, the path of the delivery is used',
    )
    .option('--timeout <duration>', 'with --forward-to: timeout of each response (default: 10s)')
    .option('--insecure', 'with --forward-to: do not verify the certificate of the receiver')
    .option('--status <n>', 'HTTP status of the responses (default: 200)')
    .option(
      '--json',
      'print lines of JSON: one with the URL, one for each delivery, and one with a summary',
    )
    .addHelpText('after', examples)
    .action(async (options: object) => {
      const { run } = await import('./listen/run.ts')
      await run(options)
    })
}
