// Command line: --list prints the switches; --on NAME turns one on; the server runs until stdin ends.
import { choices, eventsOf, mismatchOf, pathOf, secretOf } from './choices.mjs'
import { tokenRules } from './violations-token.mjs'
import { payloadRules } from './violations-payload.mjs'
import { httpRules } from './violations-http.mjs'
import { createReceiver } from './receiver.mjs'

const violations = [...tokenRules, ...httpRules, ...payloadRules].map(
  ({ name, where, does, breaks }) => ({ name, kind: 'violation', where, does, breaks }),
)
const switches = [...choices, ...violations]

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
  const server = createReceiver(on)
  server.listen(0, '127.0.0.1', () => {
    const facts = {
      url: `http://127.0.0.1:${server.address().port}${pathOf(on)}`,
      secret: secretOf(on),
      events: eventsOf(on),
      onMismatch: mismatchOf(on),
    }
    process.stdout.write(JSON.stringify(facts) + '\n')
  })
  process.on('SIGTERM', () => process.exit(0))
  process.stdin
    .on('end', () => process.exit(0))
    .on('error', () => process.exit(0))
    .resume()
}
