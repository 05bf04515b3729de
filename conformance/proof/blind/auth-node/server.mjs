// Command line: node server.mjs --pattern jwt|oauth-proxy|oauth-provider [--on NAME]… | --list
import { startApp, jwtSettings } from './app.mjs'
import { SWITCHES } from './switches.mjs'

const PATTERNS = ['jwt', 'oauth-proxy', 'oauth-provider']

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function parse(args) {
  const options = { pattern: 'oauth-provider', switches: new Set(), list: false }
  for (let i = 0; i < args.length; i += 1) {
    if (args[i] === '--list') options.list = true
    else if (args[i] === '--pattern') options.pattern = args[(i += 1)]
    else if (args[i] === '--on') options.switches.add(args[(i += 1)])
    else fail(`unknown argument: ${args[i]}`)
  }
  return options
}

const options = parse(process.argv.slice(2))
if (options.list) {
  process.stdout.write(`${JSON.stringify(SWITCHES, null, 1)}\n`, () => process.exit(0))
} else {
  if (!PATTERNS.includes(options.pattern)) fail(`--pattern must be one of ${PATTERNS.join(', ')}`)
  for (const name of options.switches) {
    const known = SWITCHES.find((one) => one.name === name)
    if (!known) fail(`unknown switch: ${name}`)
    if (!known.patterns.includes(options.pattern))
      fail(`switch ${name} does not apply to ${options.pattern}`)
  }
  // RFC 7518, 3.2: a key of at least the size of the hash output must be used with HS256.
  if (options.pattern === 'jwt' && Buffer.byteLength(jwtSettings(process.env).secret) < 32)
    fail('JWT_SECRET must have at least 256 bits')
  if (options.pattern === 'oauth-proxy') {
    for (const name of [
      'UPSTREAM_AUTHORIZE_URL',
      'UPSTREAM_TOKEN_URL',
      'UPSTREAM_USER_URL',
      'UPSTREAM_CLIENT_ID',
      'UPSTREAM_CLIENT_SECRET',
    ]) {
      if (!process.env[name]) fail(`${name} is not set`)
    }
  }
  const app = await startApp({
    pattern: options.pattern,
    switches: options.switches,
    env: process.env,
  })
  const stop = () => app.close().then(() => process.exit(0))
  process.on('SIGTERM', stop)
  process.stdin.on('end', stop)
  process.stdin.on('error', stop)
  process.stdin.resume()
  process.stdout.write(`${JSON.stringify(app.facts)}\n`)
}
