// Command line: --list prints the switches; --on NAME turns one on; the server runs until stdin ends.
import { choices, serviceName } from './choices.mjs'
import { textRules } from './violations-text.mjs'
import { flowRules } from './violations-flow.mjs'
import { wireRules } from './violations-wire.mjs'
import { createGreeter } from './greeter.mjs'

const violations = [...textRules, ...flowRules, ...wireRules].map(
  ({ name, where, does, breaks }) => ({ name, kind: 'violation', where, does, breaks }),
)
const listed = choices.map(({ name, kind, where, does }) => ({ name, kind, where, does }))
const switches = [...listed, ...violations]
const wire = new Set(
  [...choices.filter((c) => c.stack === 'wire'), ...wireRules].map((s) => s.name),
)

const on = new Set()
const args = process.argv.slice(2)
if (args.includes('--list')) {
  process.stdout.write(JSON.stringify(switches, null, 1) + '\n')
} else {
  for (let i = 0; i < args.length; i += 2) {
    if (args[i] !== '--on' || !switches.some((s) => s.name === args[i + 1])) {
      process.stderr.write(`unknown: ${args[i]} ${args[i + 1] ?? ''}\n`)
      process.exit(2)
    }
    on.add(args[i + 1])
  }
  const file = [...on].some((name) => wire.has(name)) ? './backend-wire.mjs' : './backend-grpc.mjs'
  const { listen } = await import(file)
  const port = await listen(createGreeter(on), on)
  process.stdout.write(
    JSON.stringify({ address: `127.0.0.1:${port}`, service: serviceName(on) }) + '\n',
  )
  process.on('SIGTERM', () => process.exit(0))
  process.stdin
    .on('end', () => process.exit(0))
    .on('error', () => process.exit(0))
    .resume()
}
