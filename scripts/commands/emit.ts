import type { Command } from 'commander'

const examples = `
Examples:
  touchstone emit push --to http://127.0.0.1:4040/hook
  touchstone emit --list                              what can be sent
  touchstone emit issue --action close --to URL       a closed issue
  touchstone emit --all --to URL                      every golden payload
  touchstone emit --story --to URL                    a sequence of deliveries of one project
  touchstone emit push --seed 1 --repeat 10000 --rate 200 --to URL
  touchstone emit job --set build_status=failed --set 'runner.tags[0]="arm"' \\
    --to URL
  touchstone emit --all --print | touchstone validate

Set the secret in the environment: RECEIVER_SECRET.
Exit status: 0 all acknowledged with a status from 200 to 299, 1 one was not,
3 an error in the usage, 130 cancelled.`

/** Declares `touchstone emit`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description('Sends valid deliveries to a receiver, and prints its responses.')
    .argument(
      '[event]',
      'push, tag_push, issue, merge_request, pipeline, job, deployment, wiki_page or release; also Push Hook, push_events …',
    )
    .option('--to <url>', 'URL of the receiver')
    .option(
      '--action <name>',
      'one of the payloads of the event, by its action or state (default: the most complete one)',
    )
    .option(
      '--token <secret>',
      'value of X-Hook-Token (default: RECEIVER_SECRET; without either, the header is not sent)',
    )
    .option('--wrong-token', 'send a wrong token')
    .option(
      '--set <path=value>',
      'set a value of the payload, as in object_attributes.labels[0].title=bug; the value is JSON, or else a string; repeatable',
      collected,
    )
    .option('--seed <n>', 'generate ids, commits and times; the same seed generates the same ones')
    .option('--all', 'every golden payload, of the event or of all events')
    .option('--story', 'deliveries that belong together, one after the other')
    .option('--repeat <n>', 'send it n times; with --seed, each with the next seed')
    .option('--rate <n>', 'at most n deliveries per second')
    .option('--timeout <duration>', 'time limit of a response', '10s')
    .option('--insecure', 'do not verify certificates')
    .option('--print', 'print the payload instead of sending it')
    .option('--list', 'print what can be sent')
    .option(
      '--json',
      'print lines of JSON: one for each delivery (with --repeat none), then a summary',
    )
    .addHelpText('after', examples)
    .action(async (event: string | undefined, options: object) => {
      const { run } = await import('./emit/run.ts')
      await run(event, options)
    })
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
