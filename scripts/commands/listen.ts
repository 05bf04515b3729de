import type { Command } from 'commander'

const examples = `
Examples:
  touchstone listen                            on port 4040, at any path
  touchstone listen --save deliveries          keeps what comes
  touchstone listen --host 0.0.0.0 --port 80   for senders on other machines
  touchstone listen --tls                      with a certificate of its own
  touchstone listen --status 500               to see what a sender does then
  touchstone listen --port 0 --json            for a script

The secret is best given by the environment: RECEIVER_SECRET.`

/** Declares `touchstone listen`. What it starts is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Receives deliveries, and checks and prints each as it comes: its event, its verdict by the contract, its token, its path. Runs until Ctrl-C.',
    )
    .option('--port <n>', 'where to listen; 0 is any free port', '4040')
    .option('--host <address>', 'address of this machine to listen on', '127.0.0.1')
    .option(
      '--tls',
      'speak TLS, with a certificate that nobody trusts: the hook needs enable_ssl_verification false',
    )
    .option('--token <secret>', 'what X-Hook-Token has to be; else RECEIVER_SECRET')
    .option(
      '--save <folder>',
      'keep each delivery as a file, without its secrets; touchstone validate reads it',
    )
    .option('--status <n>', 'what each delivery is answered with', '200')
    .option('--json', 'print lines of JSON: the URL, one for each delivery, a summary')
    .addHelpText('after', examples)
    .action(async (options: object) => {
      const { run } = await import('./listen/run.ts')
      await run(options)
    })
}
