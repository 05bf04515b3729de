// Webhook configuration API and the sender of its deliveries. See hooks.md.
import { all, activate } from './lib/registry.mjs'

const args = process.argv.slice(2)
if (args.includes('--list')) {
  const rows = all.map(({ name, kind, where, does, breaks }) =>
    breaks ? { name, kind, where, does, breaks } : { name, kind, where, does },
  )
  process.stdout.write(JSON.stringify(rows, null, 1) + '\n')
} else {
  const names = []
  for (let i = 0; i < args.length; i += 1) {
    if (args[i] !== '--on' || args[i + 1] === undefined) fail(`unknown argument: ${args[i]}`)
    names.push(args[(i += 1)])
  }
  const known = new Set(all.map((s) => s.name))
  for (const name of names) if (!known.has(name)) fail(`unknown switch: ${name}`)
  activate(names)
  const { start } = await import('./lib/start.mjs')
  const facts = await start()
  process.stdout.write(JSON.stringify(facts) + '\n')
  const stop = () => process.exit(0)
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.stdin.on('end', stop).on('close', stop).on('error', stop)
  process.stdin.resume()
}

function fail(message) {
  process.stderr.write(message + '\n')
  process.exit(2)
}
