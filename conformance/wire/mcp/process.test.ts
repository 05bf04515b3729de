import { afterEach, describe, expect, it, vi } from 'vitest'
import { newTestClient, endAll } from './mcp.testing.ts'

afterEach(endAll)

/** Answers each request with its method and the argument of the script. */
const echo = `
  let rest = ''
  console.error('ready')
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\\n')
    rest = lines.pop()
    for (const { id, method } of lines.map((line) => JSON.parse(line))) {
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { method, arg: process.argv[1], env: process.env.SHELF, path: process.env.PATH !== undefined } }))
    }
  })`
const subprocess = (script: string, ...args: string[]) => ({
  command: process.execPath,
  args: ['-e', script, ...args],
  env: { SHELF: 'b $HOME' },
})
const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a subprocess', () => {
  it('is started without a shell, and ends when its input is closed', async () => {
    const connection = await newTestClient(
      { stdio: subprocess(echo, '$HOME; "x"') },
      { timeout: 100_000 },
    ).connect('stdio', {})
    const exchange = await connection.request('ping')
    expect(exchange.result).toEqual({
      method: 'ping',
      arg: '$HOME; "x"',
      env: 'b $HOME',
      path: true,
    })
    // Standard error is a different pipe, which can be read later than the response.
    await vi.waitFor(() => expect(connection.stderr).toBe('ready\n'), { timeout: 60_000 })
    await Promise.all([connection.close(), connection.close()])
    expect(connection.exit).toMatchObject({ code: 0 })
    expect(['input', 'SIGTERM']).toContain(connection.exit!.by)
    expect(await connection.request('ping')).toMatchObject({
      failure: 'closed',
      why: 'the client closed the connection',
    })
  })

  it('gets signals if it keeps running, together with its own subprocesses', async () => {
    const stays = `
      process.on('SIGTERM', () => {})
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      console.log(JSON.stringify({ jsonrpc: '2.0', method: 'pid', params: { pids: [process.pid, child.pid] } }))
      setInterval(() => {}, 1000)`
    const connection = await newTestClient({ stdio: subprocess(stays) }).connect('stdio')
    expect(await connection.until(() => connection.received.length === 1, 200_000)).toBe(true)
    const { pids } = connection.received[0]!.json.params as { pids: number[] }
    expect(pids.map(alive)).toEqual([true, true])
    await connection.close()
    expect(connection.exit).toMatchObject({ by: 'SIGKILL', signal: 'SIGKILL' })
    while (pids.some(alive)) await new Promise((resolve) => setTimeout(resolve, 10))
  })

  it.runIf(process.platform === 'linux')(
    'does not leave processes that started separate sessions',
    async () => {
      const starts = `
        const { spawn } = require('node:child_process')
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
        child.unref()
        console.log(JSON.stringify({ jsonrpc: '2.0', method: 'pid', params: { pid: child.pid } }))
        process.stdin.resume()`
      const connection = await newTestClient({ stdio: subprocess(starts) }).connect('stdio')
      expect(await connection.until(() => connection.received.length === 1, 200_000)).toBe(true)
      const { pid } = connection.received[0]!.json.params as { pid: number }
      expect(alive(pid)).toBe(true)
      await connection.close()
      while (alive(pid)) await new Promise((resolve) => setTimeout(resolve, 10))
    },
  )

  it('is reported if it ends at once or does not exist', async () => {
    const gone = await newTestClient(
      { stdio: subprocess('process.stdout.write("half"); process.exitCode = 4') },
      { timeout: 200_000 },
    ).connect('stdio')
    expect(await gone.request('x')).toMatchObject({
      failure: 'closed',
      why: 'the process ended (exit code 4)',
      problems: [
        { code: 'line-unfinished', text: 'the output ended in the middle of a line: "half"' },
      ],
    })
    await gone.close()
    expect(gone.exit).toMatchObject({ by: 'itself', code: 4 })
    const broken = await newTestClient(
      { stdio: subprocess('console.error("warming up"); throw new RangeError("no port is left")') },
      { timeout: 200_000 },
    ).connect('stdio')
    expect(await broken.request('x')).toMatchObject({
      failure: 'closed',
      why: 'the process ended (exit code 1), and wrote "RangeError: no port is left"',
    })
    const missing = await newTestClient({ stdio: { command: 'no-such-command-here' } }).connect(
      'stdio',
    )
    expect(await missing.request('x')).toMatchObject({
      failure: 'unreachable',
      why: expect.stringContaining('the command "no-such-command-here"') as string,
    })
    expect(
      (
        await newTestClient({
          stdio: { command: process.execPath, cwd: '/no/such/folder' },
        }).connect('stdio')
      ).failure,
    ).toBe('unreachable')
  })

  it('is not started once the run is cancelled', async () => {
    const client = newTestClient(
      { stdio: { command: 'no-such-command-here' } },
      { signal: AbortSignal.abort() },
    )
    expect(await client.connect('stdio')).toMatchObject({
      failure: 'unreachable',
      why: 'the run was cancelled',
    })
  })
})
