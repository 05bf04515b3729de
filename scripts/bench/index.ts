import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { measureCommandCost } from './command.ts'
import { measureCosts } from './cost.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureDistantMock } from './far-away.ts'
import { measureGreetings } from './greeting.ts'
import { measureMemory } from './memory.ts'
import { greetingRun, toolsRun } from './mock-run.ts'
import { measureStartup } from './ready.ts'
import { table, type Measurement } from './measurement.ts'
import { measureToolCalls } from './tools.ts'
import { measureValidation } from './validate.ts'
import { measureWholeRun } from './whole-run.ts'

// Reports the ratio of each time to the time of a reference task in the same run, because absolute
// times depend on the machine. A ratio above its limit is marked, but the exit code stays 0.
const measures: Record<string, () => Promise<Measurement[]>> = {
  run: measureWholeRun,
  delay: measureDistantMock,
  command: measureCommandCost,
  cost: measureCosts,
  ready: measureStartup,
  memory: measureMemory,
  deliveries: measureDeliveries,
  validate: measureValidation,
  greeting: async () => [...(await measureGreetings()), ...(await greetingRun())],
  tools: async () => [...(await measureToolCalls()), ...(await toolsRun())],
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
