import type { IncomingMessage } from 'node:http'

type On = (name: string) => boolean
export type Verdict = 'ok' | 'missing' | 'wrong'

/** Judges the access token of calls to the hook API. */
export class Guard {
  private calls = 0
  private seen = false

  readonly token: string
  readonly on: On
  constructor(token: string, on: On) {
    this.token = token
    this.on = on
  }

  judge(req: IncomingMessage, second: boolean): Verdict {
    const { on } = this
    if (on('auth-second-project-open') && second) return 'ok'
    const given = this.given(req)
    let verdict: Verdict = given === undefined ? 'missing' : this.right(given) ? 'ok' : 'wrong'
    if (verdict === 'ok') this.calls += 1
    if (verdict === 'missing' && on('auth-remembered') && this.seen) verdict = 'ok'
    if (verdict === 'ok') this.seen = true
    return on('auth-wears-out') && this.calls > 25 ? 'wrong' : verdict
  }

  private given(req: IncomingMessage): string | undefined {
    const { on } = this
    const bearer = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1]
    if (on('auth-bearer-instead')) return bearer
    if (on('bearer-too') && bearer) return bearer
    if (on('auth-exact-header-name') && !req.rawHeaders.includes('PRIVATE-TOKEN')) return undefined
    const value = req.headers['private-token']
    return Array.isArray(value) ? value[0] : value
  }

  private right(given: string): boolean {
    const { on, token } = this
    if (on('auth-first-eight')) return given.slice(0, 8) === token.slice(0, 8)
    if (on('auth-any-case')) return given.toLowerCase() === token.toLowerCase()
    if (on('auth-empty-ok') && given === '') return true
    return given === token
  }
}
