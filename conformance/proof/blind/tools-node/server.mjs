// Entry: reads the command line, then serves. Everything that depends on switches is imported after
// they are set, because some modules read them once when they load.
import { all, turnOn, on } from './switches.mjs'

const argv = process.argv.slice(2)
if (argv.includes('--list')) {
  process.stdout.write(`${JSON.stringify(all, null, 1)}\n`, () => process.exit(0))
} else {
  const given = { transport: 'all', port: 0 }
  for (let i = 0; i < argv.length; i += 2) {
    if (argv[i] === '--on') turnOn(argv[i + 1])
    else if (argv[i] === '--transport') given.transport = argv[i + 1]
    else if (argv[i] === '--port') given.port = Number(argv[i + 1])
    else throw new Error(`unknown argument: ${argv[i]}`)
  }
  process.on('SIGTERM', () => process.exit(0))
  if (given.transport === 'stdio') (await import('./stdio.mjs')).serveStdio()
  else await serveHttp(given)
}

async function serveHttp({ transport, port }) {
  const { createServer } = await import('node:http')
  const { handleMcp } = await import('./http.mjs')
  const { handleSse, handleMessages } = await import('./sse.mjs')
  const { names } = await import('./tools.mjs')
  const { withdrawalForm } = await import('./tools-write.mjs')
  const { setEveryone } = await import('./context.mjs')
  const { sessions } = await import('./session.mjs')
  setEveryone(() => [...sessions])
  const has = (name) => transport === 'all' || transport === name

  async function route(req, res) {
    const url = new URL(req.url, 'http://localhost')
    if (url.pathname === '/mcp' && has('streamable_http')) return handleMcp(req, res)
    if (url.pathname === '/sse' && has('sse')) return handleSse(req, res)
    if (/^\/messages(\/|$)/.test(url.pathname) && has('sse')) return handleMessages(req, res, url)
    res.writeHead(404, { 'content-type': 'text/plain' })
    return res.end('Not found')
  }

  const server = createServer((req, res) => {
    // A client that is gone must not take the server with it.
    res.on('error', () => {})
    Promise.resolve()
      .then(() => route(req, res))
      .catch((error) => {
        process.stderr.write(`${error.stack}\n`)
        if (!res.headersSent) res.writeHead(500)
        res.end()
      })
  })
  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1', () => {
    const base = `http://127.0.0.1:${server.address().port}`
    const facts = {
      http: `${base}/mcp`,
      sse: `${base}/sse`,
      search: { tool: names.search, arguments: { query: 'wheat' }, id: 'id', title: 'name' },
      long: { tool: names.list, arguments: { limit: 100 }, id: 'id' },
      get: { tool: names.get, arguments: { accession_id: 'ACC-0004' } },
      upstreamTool: { tool: names.climate, arguments: { station_id: 'ST-100' } },
      calls: [
        {
          tool: names.create,
          arguments: {
            name: 'Møn rye',
            species: 'Secale cereale',
            origin: 'DK',
            quantity: 400,
            tags: ['landrace'],
          },
        },
        { tool: names.update, arguments: { accession_id: 'ACC-0007', notes: 'Moved to shelf 4.' } },
        { tool: names.audit, arguments: { minimum_stock: 300 } },
      ],
      elicit: {
        tool: names.withdraw,
        arguments: { accession_id: 'ACC-0012', quantity: 1 },
        content: withdrawalForm().example,
      },
      resource: 'seedbank://accessions/ACC-0004',
    }
    process.stdout.write(`${JSON.stringify(facts)}\n`)
  })
  process.stdin.on('end', () => process.exit(0))
  process.stdin.on('error', () => process.exit(0))
  process.stdin.resume()
}
