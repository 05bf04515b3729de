import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { commandCost } from './command.ts'
import { costs } from './cost.ts'
import { deliveries } from './deliveries.ts'
import { farAway } from './far-away.ts'
import { greetings } from './greeting.ts'
import { memory } from './memory.ts'
import { greetingRun, toolsRun } from './mock-run.ts'
import { readiness } from './ready.ts'
import { table, type Measurement } from './measurement.ts'
import { toolCalls } from './tools.ts'
import { validation } from './validate.ts'
import { wholeRun } from './whole-run.ts'

// Reports ratios measured together on one machine, because absolute times depend on the machine. A
// ratio over its limit is shown, but the exit code stays 0.
const measures: Record<string, () => Promise<Measurement[]>> = {
  run: wholeRun,
  delay: farAway,
  command: commandCost,
  cost: costs,
  ready: readiness,
  memory,
  deliveries,
  validate: validation,
  greeting: async () => [...(await greetings()), ...(await greetingRun())],
  tools: async () => [...(await toolCalls()), ...(await toolsRun())],
}

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.find((name) => !Object.hasOwn(measures, name))
if (values.help || unknown !== undefined) {
  process.stdout.write(`npm run bench -- [--json] [${Object.keys(measures).join('] [')}]\n`)
  process.exit(unknown === undefined ? 0 : 3)
}

const rows: Measurement[] = []
for (const [name, measure] of Object.entries(measures)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  process.stderr.write(`measuring: ${name}\n`)
  rows.push(...(await measure()))
}
if (values.json)
  process.stdout.write(
    `${JSON.stringify({ node: process.version, processors: availableParallelism(), rows }, null, 2)}\n`,
  )
else
  process.stdout.write(
    `\nNode ${process.version}, ${availableParallelism()} processors\n\n${table(rows)}\n`,
  )
