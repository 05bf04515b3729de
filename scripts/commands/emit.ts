import type { Command } from 'commander'

const examples = `
Examples:
  touchstone emit push --to http://127.0.0.1:4040/hook
  touchstone emit --list                              what there is to send
  touchstone emit issue --action close --to URL       an issue that is closed
  touchstone emit --all --to URL                      every golden payload
  touchstone emit --story --to URL                    some days of a project
  touchstone emit push --seed 1 --repeat 10000 --rate 200 --to URL
  touchstone emit job --set build_status=failed --set 'runner.tags[0]="arm"' \\
    --to URL
  touchstone emit --all --print | touchstone validate

The secret is best given by the environment: RECEIVER_SECRET.
Exit status: 0 all acknowledged with a status of the 200s, 1 one was not,
3 an error of usage, 130 called off.`

/** Declares `touchstone emit`. What it sends is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description("Sends genuine deliveries to somebody's receiver, and prints what it answers.")
    .argument(
      '[event]',
      'push, tag_push, issue, merge_request, pipeline, job, deployment, wiki_page or release; also Push Hook, push_events …',
    )
    .option('--to <url>', 'where the receiver takes deliveries')
    .option(
      '--action <name>',
      'which of its payloads: an action, a state or a situation (default: the one that shows most)',
    )
    .option(
      '--token <secret>',
      'what X-Hook-Token is; else RECEIVER_SECRET; without one there is no such header',
    )
    .option('--wrong-token', 'send another token in its place')
    .option(
      '--set <path=value>',
      'set a place of the payload, as in object_attributes.labels[0].title=bug; the value is JSON, or else text; repeatable',
      collected,
    )
    .option('--seed <n>', 'ids, commits and times of their own; the same seed gives the same ones')
    .option('--all', 'every golden payload, of the event or of all events')
    .option('--story', 'deliveries that belong together, one after the other')
    .option('--repeat <n>', 'so many times; with --seed each with the next one')
    .option('--rate <n>', 'at most so many in a second')
    .option('--timeout <duration>', 'how long an answer may take', '10s')
    .option('--insecure', 'send also where the certificate cannot be verified')
    .option('--print', 'print the payload in place of sending it')
    .option('--list', 'print what there is to send')
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
