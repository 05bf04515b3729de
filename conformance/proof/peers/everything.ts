import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

/**
 * The path of the server "everything" of the MCP project. The server is independent of this suite.
 */
export const everythingEntry = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)

// The server listens on all addresses, at a given port. This preloaded module makes it listen on
// the loopback address, at a free port.
const preload = `data:text/javascript,${encodeURIComponent(`
import { Server } from 'node:net'
const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  const callback = args.find((one) => typeof one === 'function')
  return listen.call(this, 0, '127.0.0.1', () => {
    process.stderr.write('LISTENING ' + this.address().port + '\\n')
    callback?.()
  })
}`)}`

export interface Everything {
  /** The `tools` section of a target file. */
  tools: { http: string; sse: string; stdio: { command: string; args: string[] } }
  close(): Promise<void>
}

/** Starts the server once for each HTTP transport; the suite starts it for stdio. */
export async function startEverything(): Promise<Everything> {
  const servers = [serve('streamableHttp'), serve('sse')] as const
  const close = async () => void (await Promise.all(servers.map(({ child }) => end(child))))
  try {
    const [http, sse] = await Promise.all(servers.map(({ port }) => port))
    return {
      tools: {
        http: `http://127.0.0.1:${http}/mcp`,
        sse: `http://127.0.0.1:${sse}/sse`,
        stdio: { command: process.execPath, args: [everythingEntry, 'stdio'] },
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function serve(transport: string): { child: ChildProcess; port: Promise<number> } {
  const child = spawn(process.execPath, ['--import', preload, everythingEntry, transport], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const port = new Promise<number>((resolve, reject) => {
    let output = ''
    createInterface(child.stderr!).on('line', (line) => {
      output += `${line}\n`
      const [, found] = /^LISTENING (\d+)$/.exec(line) ?? []
      if (found !== undefined) resolve(Number(found))
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the server exited: ${output}`)))
    setTimeout(() => reject(new Error(`the server did not listen: ${output}`)), 30_000).unref()
  })
  return { child, port }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}
