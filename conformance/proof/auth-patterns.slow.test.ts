import { describe, expect, it } from 'vitest'
import { startTools, targetOf, type Auth } from '../../mocks/stateful/tools.ts'
import { totalsOf } from '../engine/index.ts'
import type { AuthTarget } from '../checks/tools/authentication.ts'
import { judgeTarget, proofSettings } from './trial.ts'

const patterns: readonly Auth[] = [
  { pattern: 'none' },
  { pattern: 'jwt' },
  { pattern: 'oauth-provider', passwordCost: 2 },
  {
    pattern: 'oauth-proxy',
    env: { CLIENT_ID: 'shelf', CLIENT_SECRET: 'shelf-upstream-secret' },
    upstream: {
      authorizeUrl: 'http://127.0.0.1:9/authorize',
      tokenUrl: 'http://127.0.0.1:9/token',
      userUrl: 'http://127.0.0.1:9/user',
      scopes: ['read:user', 'user:email'],
    },
  },
]

async function judgePattern(
  auth: Auth,
  changeSection: (auth: AuthTarget | undefined) => AuthTarget | undefined = (same) => same,
  only?: string[],
) {
  const server = await startTools({ auth, controlRoutes: true })
  try {
    const { auth: mockSection, ...tools } = targetOf(server).tools
    const section = changeSection(mockSection)
    const selection = only === undefined ? {} : { selection: { only } }
    return await judgeTarget(
      {
        tools: { ...tools, ...(section === undefined ? {} : { auth: section }) },
        suite: proofSettings,
      },
      selection,
    )
  } finally {
    await server.close()
  }
}

describe('a tool server of each pattern', () => {
  it.each(patterns)(
    'passes all checks of tool servers and of authentication: $pattern',
    async (auth) => {
      const verdicts = await judgePattern(auth)
      const wrong = verdicts.filter(
        ({ verdict }) => !['pass', 'observed', 'not covered', 'not applicable'].includes(verdict),
      )
      expect(wrong.map(({ key, verdict, reason }) => `${verdict} ${key} ${reason ?? ''}`)).toEqual(
        [],
      )
      // Two kinds of checks are not covered here. Those of TOOL-STDIO start the server as a
      // subprocess, but this server runs in the process of the test. AUTH-PRACTICE-02 needs the
      // server's limit of token requests, which the target file does not contain.
      const notCovered = verdicts
        .filter(({ verdict }) => verdict === 'not covered')
        .map(({ requirement }) => requirement)
      expect(
        notCovered.filter((id) => !id.startsWith('TOOL-STDIO') && id !== 'AUTH-PRACTICE-02'),
      ).toEqual([])
      expect(
        totalsOf(verdicts.filter(({ contract }) => contract === 'tools')).pass,
      ).toBeGreaterThan(100)
    },
  )
})

describe('consent by a program', () => {
  const program = `
    const [url, decision] = process.argv.slice(1)
    const page = await fetch(url)
    const cookie = page.headers.getSetCookie().map((text) => text.split(';')[0]).join('; ')
    const request = /name="request" value="([^"]+)"/.exec(await page.text())[1]
    const body = new URLSearchParams({ request, login: 'ada', password: 'ada-password', decision })
    const { headers } = await fetch(new URL('/consent', url), { method: 'POST', headers: { cookie }, body, redirect: 'manual' })
    await fetch(headers.get('location'))`

  it('approves and denies', async () => {
    const command = {
      program: process.execPath,
      args: ['--input-type=module', '-e', program, '{url}', '{decision}'],
    }
    const verdicts = await judgePattern(
      patterns[2]!,
      (auth) => ({ ...auth!, consent: 'command', command }),
      ['AUTH-AUTHORIZE-01', 'AUTH-CONSENT-02', 'AUTH-TOKEN-01'],
    )
    expect(
      verdicts.map(({ requirement, verdict, reason }) => [requirement, verdict, reason]),
    ).toEqual([
      ['AUTH-AUTHORIZE-01', 'pass', undefined],
      ['AUTH-CONSENT-02', 'pass', undefined],
      ['AUTH-TOKEN-01', 'pass', undefined],
      ['AUTH-TOKEN-01', 'pass', undefined],
    ])
  })
})
