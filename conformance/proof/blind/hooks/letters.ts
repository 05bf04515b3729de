import { createHash, createHmac, randomUUID } from 'node:crypto'
import { eventKinds } from './events.ts'
import type { Letter, Verify } from './sender.ts'
import type { Flag, Hook, Obj } from './types.ts'

export interface Post {
  hook: Hook
  hooks: readonly Hook[]
  flag: Flag
  headerFlag: Flag
  action: string
  test: boolean
  accessToken: string
  trusted: Set<string>
}

type On = (name: string) => boolean

const misnamed: [string, Flag, string][] = [
  ['header-push', 'push_events', 'Push'],
  ['header-tag', 'tag_push_events', 'Push Hook'],
  ['header-issue', 'issues_events', 'Issues Hook'],
  ['header-merge', 'merge_requests_events', 'MergeRequest Hook'],
  ['header-pipeline', 'pipeline_events', 'Build Hook'],
  ['header-job', 'job_events', 'Build Hook'],
  ['header-deployment', 'deployment_events', 'Deploy Hook'],
  ['header-wiki', 'wiki_page_events', 'Wiki Hook'],
  ['header-release', 'releases_events', 'Releases Hook'],
]

function secretOf({ hook, hooks, flag, test, accessToken }: Post, on: On): string | null {
  const own = hooks.filter((h) => h.project === hook.project)
  let secret = hook.token
  if (on('token-of-newest-hook')) secret = own.at(-1)?.token ?? null
  if (on('token-of-same-url')) secret = hooks.find((h) => h.url === hook.url)?.token ?? null
  if (secret === null) {
    if (on('token-null-word')) return 'null'
    if (on('token-empty-when-none')) return ''
    if (on('token-default-secret')) return createHash('md5').update(hook.url).digest('hex')
    if (on('token-of-previous-hook')) {
      return (
        hooks
          .slice(0, hooks.indexOf(hook))
          .filter((h) => h.token !== null)
          .at(-1)?.token ?? null
      )
    }
    return null
  }
  if (on('token-missing') || (on('token-missing-in-tests') && test)) return null
  if (on('token-missing-in-events') && !test) return null
  if (on('token-missing-for-deployments') && flag === 'deployment_events') return null
  if (on('token-missing-for-releases') && flag === 'releases_events') return null
  if (on('token-missing-later') && hook.delivered > 2) return null
  if (on('token-cut')) return secret.slice(0, 16)
  if (on('token-cut-64')) return secret.slice(0, 64)
  if (on('token-lower-case')) return secret.toLowerCase()
  if (on('token-hashed')) return createHash('sha256').update(secret).digest('hex')
  if (on('token-encoded')) return encodeURIComponent(secret)
  if (on('token-quoted')) return `"${secret}"`
  if (on('token-bearer')) return 'Bearer ' + secret
  if (on('token-is-access-token')) return accessToken
  return secret
}

function eventName({ headerFlag, action, test }: Post, on: On): string | null {
  if (on('event-header-missing') || (on('event-header-missing-in-tests') && test)) return null
  if (on('event-header-test-word') && test) return 'Test Hook'
  let name = eventKinds[headerFlag].header
  for (const [sw, flag, word] of misnamed) if (on(sw) && flag === headerFlag) name = word
  if (on('header-tag-delete') && headerFlag === 'tag_push_events' && action === 'delete') {
    name = 'Push Hook'
  }
  if (on('confidential-header-issue') && headerFlag === 'confidential_issues_events') {
    name = 'Issue Hook'
  }
  return on('event-header-lower') ? name.toLowerCase() : name
}

function agent({ test }: Post, on: On): string | null {
  if (on('agent-missing') || (on('agent-missing-in-tests') && test)) return null
  if (on('agent-without-version')) return 'Sandcastle'
  if (on('agent-space')) return 'Sandcastle 17.4.1'
  return on('user-agent-other') ? 'git-bay.hooks/2026.11-beta+5' : 'Sandcastle/17.4.1'
}

function sorted(value: any): any {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((k) => [k, sorted(value[k])]),
  )
}

function bodyOf(payload: Obj, test: boolean, on: On): Buffer {
  const value = on('deliver-sorted-keys') ? sorted(payload) : payload
  let text = JSON.stringify(
    on('body-array') ? [value] : value,
    null,
    on('deliver-pretty') ? 2 : undefined,
  )
  if (on('deliver-escapes')) {
    text = text.replace(
      /[^\x00-\x7f]/g,
      (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'),
    )
  }
  if (on('body-quoted')) text = JSON.stringify(text)
  if (on('body-trailing-comma')) text = text.replace(/}$/, ',}')
  if (on('body-form')) text = 'payload=' + encodeURIComponent(text)
  if (on('body-byte-order-mark')) text = '\ufeff' + text
  if (on('body-empty-in-tests') && test) text = ''
  if (on('body-latin-1')) return Buffer.from(text, 'latin1')
  const body = Buffer.from(text)
  return on('body-length-in-characters') ? body.subarray(0, text.length) : body
}

function target({ hook, test }: Post, on: On): URL {
  const url = new URL(hook.url)
  if (on('url-query-dropped')) url.search = ''
  if (on('url-lower-case')) url.pathname = url.pathname.toLowerCase()
  if (on('url-slash-added') && !url.pathname.endsWith('/')) url.pathname += '/'
  if (on('url-path-dropped-in-tests') && test) url.pathname = '/'
  if (on('url-escapes-decoded')) url.pathname = url.pathname.replace(/%2f/gi, '/')
  return url
}

function verification({ hook, hooks, flag, test, trusted }: Post, on: On): Verify {
  let verify = hook.ssl
  if (on('ssl-last-hook-decides')) {
    verify = hooks.filter((h) => h.project === hook.project).at(-1)?.ssl ?? verify
  }
  if (on('ssl-never-verified') || (on('ssl-tests-unverified') && test)) return 'no'
  if (on('ssl-events-unverified') && !test) return 'no'
  if (on('ssl-one-event-unverified') && flag === 'tag_push_events') return 'no'
  if (on('ssl-false-ignored')) return 'yes'
  if (on('ssl-host-remembered')) {
    const { host } = new URL(hook.url)
    if (!verify) trusted.add(host)
    else if (trusted.has(host)) return 'no'
  }
  if (!verify) return 'no'
  if (on('ssl-self-signed-ok')) return 'not-self-signed'
  return on('ssl-leaf-only') ? 'not-unknown-issuer' : 'yes'
}

/** Writes the delivery of a payload to a hook. */
export function letter(post: Post, payload: Obj, on: On): Letter {
  const body = bodyOf(payload, post.test, on)
  const charset = on('deliver-charset') ? '; charset=utf-8' : ''
  const headers: Record<string, string> = {
    'Content-Type': on('body-form')
      ? 'application/x-www-form-urlencoded'
      : 'application/json' + charset,
  }
  const chunked = on('deliver-chunked') || on('deliver-slow-body')
  if (chunked) headers['Transfer-Encoding'] = 'chunked'
  else headers['Content-Length'] = String(body.length)
  const secret = secretOf(post, on)
  const name = eventName(post, on)
  const product = agent(post, on)
  if (secret !== null) {
    headers[on('token-other-header') ? 'X-Hook-Secret' : 'X-Hook-Token'] = secret
  }
  if (name !== null) headers['X-Hook-Event'] = name
  if (product !== null) headers['User-Agent'] = product
  if (on('deliver-extra-headers')) {
    Object.assign(headers, {
      'X-Hook-UUID': randomUUID(),
      'X-Hook-Instance': 'https://git.sandcastle.example',
      'Idempotency-Key': randomUUID(),
      'X-Hook-Id': String(post.hook.id),
    })
  }
  if (on('deliver-signature')) {
    headers['X-Hook-Signature-256'] =
      'sha256=' +
      createHmac('sha256', post.hook.token ?? '')
        .update(body)
        .digest('hex')
  }
  if (on('deliver-expect-continue')) headers['Expect'] = '100-continue'
  if (on('deliver-accept-headers')) {
    headers['Accept'] = '*/*'
    headers['Accept-Encoding'] = 'gzip;q=1.0,deflate;q=0.6,identity;q=0.3'
  }
  let sent = headers
  if (on('deliver-lower-case-headers') || on('deliver-upper-case-headers')) {
    const lower = on('deliver-lower-case-headers')
    sent = Object.fromEntries(
      Object.entries(headers).map(([k, v]) => [lower ? k.toLowerCase() : k.toUpperCase(), v]),
    )
  }
  const method =
    on('method-put') && !post.test ? 'PUT' : on('method-get-tests') && post.test ? 'GET' : 'POST'
  if (method === 'GET') delete sent['Content-Length']
  return {
    url: target(post, on),
    method,
    headers: sent,
    body,
    verify: verification(post, on),
    timeout: on('cut-off-early') ? 2000 : 10000,
    keepAlive: on('deliver-keep-alive'),
    slowBody: on('deliver-slow-body'),
  }
}
