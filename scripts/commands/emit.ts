import type { Command } from 'commander'

const examples = `
Examples:
  touchstone emit push --to http://127.0.0.1:4040/hook
  touchstone emit --list
      events and their sample payloads
  touchstone emit issue --action close --to URL
      a closed issue
  touchstone emit --all --to URL
      every sample payload
  touchstone emit --story --to URL
      a sequence of deliveries of one project
  touchstone emit push --seed 1 --repeat 10000 --rate 200 --to URL
  touchstone emit job --set build_status=failed --set 'runner.tags[0]="arm"' \\
    --to URL
  touchstone emit --file deliveries --to URL
      the deliveries that listen --save has written
  touchstone emit --all --print | touchstone validate

To keep the token out of the command line, set it in the environment variable
RECEIVER_SECRET instead of using --token.

Exit status:
  0    all deliveries were acknowledged, with a status from 200 to 299; with
       --wrong-token: all were refused, with a status from 400 to 499
  1    at least one delivery was not
  3    a usage error
  130  cancelled with Ctrl-C`

/** Declares `touchstone emit`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description('Sends valid or saved deliveries to a receiver, and prints its responses.')
    .argument(
      '[event]',
      'push, tag_push, issue, merge_request, pipeline, job, deployment, wiki_page or release; other names of an event, such as "Push Hook" and push_events, are accepted too, and confidential_issue sends a confidential issue',
    )
    .option('--to <url>', 'URL of the receiver')
    .option(
      '--action <name>',
      'name of the sample payload to send, such as close; --list prints the names (default: the payload with the most fields)',
    )
    .option(
      '--token <secret>',
      'value of X-Hook-Token (default: the environment variable RECEIVER_SECRET; without either, the header is not sent)',
    )
    .option(
      '--wrong-token',
      'send a wrong value in X-Hook-Token; a receiver is expected to refuse such deliveries',
    )
    .option(
      '--set <path=value>',
      'set a value of the payload, as in object_attributes.labels[0].title=bug; a value that is not valid JSON is used as a string; repeatable',
      collected,
    )
    .option(
      '--seed <n>',
      'generate ids, commits and times from this number; the same number generates the same values',
    )
    .option('--all', 'send every sample payload of the event, or of all events if none is named')
    .option('--story', 'send a sequence of related deliveries of one project')
    .option(
      '--file <path>',
      'file or folder of saved deliveries to send again, such as those of listen --save; the files of a folder are sent in the order of their names; repeatable',
      collected,
    )
    .option(
      '--pace <pace>',
      'with --file: none (send each delivery after the response to the previous one) or original (at the intervals at which they were received); default: none',
    )
    .option('--repeat <n>', 'send everything n times; with --seed, each time with the next seed')
    .option('--rate <n>', 'send at most n deliveries per second')
    .option('--timeout <duration>', 'timeout of each response', '10s')
    .option('--insecure', 'do not verify the certificate of the receiver')
    .option('--print', 'print the payloads instead of sending them')
    .option('--list', 'print the events and their sample payloads')
    .option(
      '--json',
      'print lines of JSON: one for each delivery, then a summary; with --repeat, only the summary',
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
