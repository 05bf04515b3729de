import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

// These servers listen on all addresses, or at a given port. This preloaded module makes a server
// listen on the loopback address, at a free port.
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

/** A server in a separate process, which listens on loopback. */
export interface ListeningProcess {
  /** Without a trailing slash. */
  origin: string
  close(): Promise<void>
}

/** Starts a program with Node.js, and waits until it listens. */
export async function startListening(args: readonly string[]): Promise<ListeningProcess> {
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const close = () => end(child)
  try {
    return { origin: `http://127.0.0.1:${await portOf(child)}`, close }
  } catch (error) {
    await close()
    throw error
  }
}

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
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

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}
