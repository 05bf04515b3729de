// stdio: one JSON message on each line; standard output carries nothing else.
import { StringDecoder } from 'node:string_decoder'
import { on } from './switches.mjs'
import { Session } from './session.mjs'
import { refusal } from './messages.mjs'
import { RpcError, PARSE_ERROR } from './errors.mjs'

const GRACE_MS = 2000

export function serveStdio() {
  const write = (m) => {
    const text = JSON.stringify(
      m,
      null,
      on('stdio-messages-over-several-lines') && m.result?.tools ? 2 : 0,
    )
    process.stdout.write(`${text}\n`, on('stdio-writes-latin1') ? 'latin1' : 'utf8')
  }
  if (on('stdio-banner-on-stdout')) process.stdout.write('seedbank_mcp running on stdio\n')
  if (on('stdio-logs-on-stderr')) process.stderr.write('seedbank_mcp running on stdio\n')
  const session = new Session('stdio', write)
  const pending = new Set()
  const decoder = new StringDecoder('utf8')
  let buffer = ''

  function line(text) {
    if (!text.trim()) return
    let value
    try {
      value = JSON.parse(text)
    } catch {
      write(refusal(null, new RpcError(PARSE_ERROR, 'Parse error')))
      return
    }
    if (on('stdio-notes-on-stdout') && value.method === 'tools/call')
      process.stdout.write(`calling ${value.params?.name}\n`)
    const work = session
      .take(value, { send: write })
      .then((reply) => {
        if (reply !== undefined) write(reply)
      })
      .finally(() => pending.delete(work))
    pending.add(work)
  }

  process.stdin.on('data', (chunk) => {
    buffer += on('stdio-splits-characters') ? chunk.toString() : decoder.write(chunk)
    if (
      on('stdio-long-lines-dropped') &&
      buffer.length > 16384 &&
      !buffer.slice(0, 16384).includes('\n')
    ) {
      buffer = buffer.slice(buffer.indexOf('\n') + 1 || buffer.length)
      return
    }
    const lines = buffer.split('\n')
    buffer = lines.pop()
    for (const l of lines) line(l)
  })
  process.stdin.on('end', async () => {
    line(buffer + decoder.end())
    // What was asked before the input ended is still answered, if that takes no long time.
    await Promise.race([Promise.all(pending), new Promise((r) => setTimeout(r, GRACE_MS))])
    session.close()
    if (on('stdio-stays-after-input-ends')) return void setInterval(() => {}, 1000)
    process.stdout.write('', () => process.exit(0))
  })
}
