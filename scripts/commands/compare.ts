import type { Command } from 'commander'

const examples = `
Examples:
  touchstone compare main/report.json report/report.json
      what changed between two runs of one server
  touchstone compare main/ report/ --strict
      also exit with 1 for new warnings and lost coverage
  touchstone compare go/ rust/ node/
      several servers side by side, in comparison.html
  touchstone compare go/ rust/ --matrix public/index.html --name Go --name Rust
      two servers side by side

A report is a report.json, or a folder that contains one. Reports of different
versions of Touchstone can be compared: a check that is missing in the first
report is listed as a new check. Its failure is a regression only with --strict.

Exit status:
  0    no regression, or the page was written
  1    in the second run, a check fails or is blocked by a failure, although its
       outcome in the first run was pass, warn or observed. With --strict, also:
       a new warning, a check that is no longer covered, or a failure of a check
       that was missing, not covered or a known failure in the first run
  3    a usage error, a file that is not a report, or a run without a result.
       When several servers are compared, the page is still written, and shows
       which servers have no result`

/** Declares `touchstone compare`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Compares reports of touchstone test. With two reports, compares two runs of one server (the older one first), and prints what is newly failing, fixed, newly covered, and so on. With three or more reports, or with --matrix, compares different servers, and writes a page that shows every requirement for each server.',
    )
    .argument('<report...>', 'two or more reports: report.json, or its folder')
    .option(
      '--matrix <file>',
      'write to this file a page that shows the servers side by side; if the path is a folder, write comparison.html in it (default for three or more reports: comparison.html)',
    )
    .option(
      '--name <name>',
      'name of a server or run, in the order of the reports; repeatable (default: from the paths)',
      (name: string, before: readonly string[] = []) => [...before, name],
    )
    .option('--strict', 'count more changes as regressions (see "Exit status")')
    .option('--verbose', 'print every changed check')
    .option('--json', 'print the comparison as JSON')
    .addHelpText('after', examples)
    .action(async (reports: string[], options: object) => {
      const { run } = await import('./compare/run.ts')
      await run(reports, options)
    })
}
