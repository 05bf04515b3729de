// Command line: --list prints the switches; --on NAME turns one on; otherwise the service runs until its input ends.
import { switches } from './switches.mjs'
import { start } from './service.mjs'

const args = process.argv.slice(2)
if (args.includes('--list')) {
  process.stdout.write(`${JSON.stringify(switches, null, 1)}\n`)
} else {
  const known = new Set(switches.map((one) => one.name))
  const active = new Set()
  for (let i = 0; i < args.length; i += 2) {
    if (args[i] !== '--on' || !known.has(args[i + 1])) {
      console.error(`not understood: ${args[i]} ${args[i + 1] ?? ''}`)
      process.exit(2)
    }
    active.add(args[i + 1])
  }
  const { facts, close } = await start((name) => active.has(name))
  const stop = () => {
    close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.stdin.on('end', stop).on('error', stop).resume()
  process.stdout.write(`${JSON.stringify(facts)}\n`)
}
