import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { clockOf } from '../../engine/index.ts'
import { ConsentProgram } from './consent-program.ts'
import { endAll, site } from './oauth.testing.ts'

afterEach(endAll)

/** A redirect URI at a free port. */
async function redirectUri(host = '127.0.0.1'): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://${host}:${port}/cb`
}

const program = (script: string, more: { timeout?: number; speed?: number } = {}) =>
  new ConsentProgram({
    command: process.execPath,
    args: ['-e', script, '{url}', 'decision={decision}'],
    clock: clockOf(more.speed ?? 1),
    ...(more.timeout === undefined ? {} : { timeout: more.timeout }),
  })

/**
 * The source of a program that opens the URL with the decision in its query, and follows the
 * redirect.
 */
const opens = `const [url, decision] = process.argv.slice(1); fetch(url + '&' + decision).then((answer) => answer.text()).then(console.log)`

describe('consent by a program', () => {
  it('runs one program at a time, and resolves with the redirect of each', async () => {
    const redirect = await redirectUri()
    const { url, requests } = await site(({ query }) => ({
      to: `${redirect}?${query.get('decision') === 'approve' ? 'code=1' : 'error=access_denied'}&state=${query.get('state')}`,
    }))
    const one = program(opens)
    const ends = await Promise.all([
      one.decide(`${url}/authorize?state=$1`, 'approve', redirect),
      one.decide(`${url}/authorize?state=b`, 'deny', redirect),
    ])
    expect(ends.map(({ destination, problem }) => [destination?.href, problem])).toEqual([
      [`${redirect}?code=1&state=$1`, undefined],
      [`${redirect}?error=access_denied&state=b`, undefined],
    ])
    expect(requests).toHaveLength(2)
  })

  it('ignores requests to other paths, and stops a program that keeps running', async () => {
    const redirect = await redirectUri()
    const stays = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); const redirect = process.argv[1]; fetch(new URL('/favicon.ico', redirect)).then(() => fetch(redirect + '?pid=' + process.pid))`
    const { destination } = await program(stays, { speed: 10 }).decide(
      redirect,
      'approve',
      redirect,
    )
    const pid = Number(destination!.searchParams.get('pid'))
    expect(() => process.kill(pid, 0)).toThrow()
  })

  it.each([
    [
      'a program that fails',
      'console.error("no display"); console.error(""); process.exitCode = 3',
      /^the program ended \(exit code 3\) before a browser requested .*: no display$/,
    ],
    [
      'a program that does nothing',
      '',
      /^the program ended \(exit code 0\) before a browser requested the redirect URI$/,
    ],
    [
      'a program that never ends',
      'console.log("waiting"); setInterval(() => {}, 1000)',
      /^no browser requested the redirect URI within 20 s; its last output: waiting$/,
    ],
  ])('reports %s', async (_, script, why) => {
    expect(
      (
        await program(script, { timeout: 20_000, speed: 20 }).decide(
          'http://h/',
          'approve',
          await redirectUri(),
        )
      ).problem,
    ).toMatch(why)
  })

  it('reports an address or a command that cannot be used', async () => {
    const taken = new URL((await site(() => ({}))).url)
    expect(
      (await program('').decide('http://h/', 'approve', `${taken.origin}/cb`)).problem,
    ).toMatch(/^port \d+ on 127\.0\.0\.1 is in use/)
    for (const redirect of ['http://example.com/cb', 'https://127.0.0.1/cb', 'app:cb'])
      expect((await program('').decide('http://h/', 'approve', redirect)).problem).toMatch(
        /^the suite cannot listen at/,
      )
    expect(
      (
        await new ConsentProgram({ command: 'no-such-program-here' }).decide(
          'http://h/',
          'deny',
          await redirectUri(),
        )
      ).problem,
    ).toMatch(/could not be started \(the command/)
  })

  it('can be cancelled', async () => {
    const cancellation = new AbortController()
    const one = program('setInterval(() => {}, 1000)')
    const redirect = await redirectUri()
    const [first, second] = [
      one.decide('http://h/', 'approve', redirect, cancellation.signal),
      one.decide('http://h/', 'approve', redirect, cancellation.signal),
    ]
    setTimeout(() => cancellation.abort(), 100)
    expect([await first, await second]).toEqual([
      { problem: 'the consent program was cancelled' },
      { problem: 'the consent program was cancelled' },
    ])
  })
})
