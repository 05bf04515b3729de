// Bugs of creation: fields that are read or kept wrongly, also TLS verification.
import { violation as v } from './make.mjs'

const FIELDS = 'Hook configuration (request fields)'
const TOKEN = 'token: secret sent back in X-Hook-Token'
const URL_SET = 'an HTTP POST to the URL set in a hook'
const PUSH = 'push_events: default true'
const SSL = 'enable_ssl_verification (default true) makes the service verify the certificate'
const cfg = (name, does, breaks, config) => v(name, FIELDS, does, breaks, { config })
const token = (name, does, change, when = () => true) =>
  cfg(name, does, TOKEN, (config, c) => {
    if (config.token && c.fields.token !== undefined && when(c))
      config.token = change(config.token, c)
  })
const url = (name, does, change) =>
  v(name, FIELDS, does, URL_SET, {
    request(r) {
      const [origin] = /^[a-z]+:\/\/[^/?#]*/i.exec(r.url)
      const rest = r.url.slice(origin.length)
      r.url = origin + change(rest.startsWith('/') ? rest : `/${rest}`)
    },
  })
const unread = (name, flag, meant) =>
  cfg(
    name,
    `${flag} is never read, ${meant} is read instead`,
    `each event is governed by the flag named in Hook configuration (${flag})`,
    (config, c) => {
      config[flag] = [true, 'true'].includes(c.fields[meant])
    },
  )
const ssl = (name, does, stages) => v(name, FIELDS, does, SSL, stages)
const SELF = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]
const tlsFailed = (result) => SELF.includes(result.code)
const sticky = {}
let lax = false

export const configBugs = [
  v('missing-url-accepted', FIELDS, 'a hook without a url is created', 'url: required'),
  v('empty-url-accepted', FIELDS, 'a hook with an empty url is created', 'url: required'),
  v(
    'json-with-charset-refused',
    FIELDS,
    'application/json; charset=utf-8 is refused with 415',
    'RFC 9110 8.3.1: a media type may have parameters',
  ),
  v(
    'form-plus-kept',
    FIELDS,
    'a plus in a form body stays a plus',
    'URL standard: + in application/x-www-form-urlencoded is a space',
  ),
  v(
    'second-hook-gets-id-of-first',
    FIELDS,
    'the second hook of a project gets the id of the first',
    '/projects/{id}/hooks/{hook_id}: the id names one hook',
  ),
  v(
    'new-hook-replaces-old',
    FIELDS,
    'a project has one hook: a new one replaces it',
    'When configured events happen, the service sends an HTTP POST',
  ),

  cfg('push-default-false', 'push_events is false when not given', PUSH, (config, c) => {
    if (c.fields.push_events === undefined && !c.old) config.push_events = false
  }),
  cfg(
    'push-default-false-beside-others',
    'push_events is false when another flag is given',
    PUSH,
    (config, c) => {
      const others = Object.keys(c.fields).some((f) => f.endsWith('_events') && f !== 'push_events')
      if (others && c.fields.push_events === undefined) config.push_events = false
    },
  ),
  cfg(
    'push-default-false-in-forms',
    'push_events is false when not given in a form',
    PUSH,
    (config, c) => {
      if (c.kind === 'form' && c.fields.push_events === undefined) config.push_events = false
    },
  ),
  cfg(
    'push-false-overruled',
    'push_events false is overruled by the default',
    'push_events: boolean',
    (config) => {
      config.push_events = true
    },
  ),
  cfg(
    'form-false-is-true',
    'every text in a form is true, also "false"',
    'the flags are boolean',
    (config, c) => {
      if (c.kind !== 'form') return
      for (const f of Object.keys(c.fields)) if (f.endsWith('_events')) config[f] = true
    },
  ),
  cfg(
    'form-true-is-false',
    'flags in a form are never true',
    'the flags are boolean',
    (config, c) => {
      if (c.kind !== 'form') return
      for (const f of Object.keys(c.fields)) if (f.endsWith('_events')) config[f] = false
    },
  ),
  cfg(
    'flags-stick-to-later-hooks',
    'flags that one hook sets are the defaults of the next hooks, also false for push',
    PUSH,
    (config, c) => {
      for (const f of Object.keys(config)) {
        if (!f.endsWith('_events')) continue
        if (c.fields[f] !== undefined) sticky[f] = config[f]
        else if (f in sticky) config[f] = sticky[f]
      }
    },
  ),
  unread('wiki-flag-misnamed', 'wiki_page_events', 'wiki_events'),
  unread('releases-flag-misnamed', 'releases_events', 'release_events'),
  unread('job-flag-misnamed', 'job_events', 'build_events'),
  unread('confidential-flag-misnamed', 'confidential_issues_events', 'confidential_issue_events'),
  cfg(
    'deployment-flag-unread-in-forms',
    'deployment_events in a form is ignored',
    'deployment_events: boolean',
    (config, c) => {
      if (c.kind === 'form') config.deployment_events = false
    },
  ),

  token('token-cut-at-32', 'only 32 characters of the token are kept', (t) => t.slice(0, 32)),
  token('token-in-lower-case', 'the token is kept in lower case', (t) => t.toLowerCase()),
  token('token-spaces-collapsed', 'runs of spaces in the token become one', (t) =>
    t.replace(/ +/g, ' '),
  ),
  token('token-as-a-number', 'a token of digits is kept as a number and loses its zeros', (t) =>
    /^\d+$/.test(t) ? String(Number(t)) : t,
  ),
  token(
    'form-token-decoded-twice',
    'a token in a form is percent-decoded twice',
    (t) => t.replace(/%([0-9a-f]{2})/gi, (m, hex) => String.fromCharCode(parseInt(hex, 16))),
    (c) => c.kind === 'form',
  ),
  token(
    'form-token-cut-at-equals',
    'a token in a form ends before its first "="',
    (t) => t.split('=')[0],
    (c) => c.kind === 'form',
  ),
  token('token-html-escaped', 'the token is kept HTML-escaped', (t) =>
    t.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ),
  token(
    'token-without-symbols',
    'characters other than letters, digits, - and _ are taken out of the token',
    (t) => t.replace(/[!-,./:-@[-^`{-~]/g, ''),
  ),
  token(
    'form-token-dropped',
    'the token in a form is ignored',
    () => null,
    (c) => c.kind === 'form',
  ),

  url('url-query-dropped', 'the query of the url is not sent', (rest) => rest.replace(/\?.*/, '')),
  url('url-last-slash-dropped', 'a slash at the end of the path is dropped', (rest) =>
    rest.replace(/^([^?#]+)\/(?=$|\?|#)/, '$1'),
  ),
  url('url-path-in-lower-case', 'the path is sent in lower case', (rest) =>
    rest.replace(/^[^?#]*/, (p) => p.toLowerCase()),
  ),
  url('url-escapes-decoded', '%2F in the path is sent as a slash', (rest) =>
    rest.replace(/%2f/gi, '/'),
  ),
  url('url-escaped-twice', '% in the url is escaped again', (rest) => rest.replaceAll('%', '%25')),
  url('url-query-sorted', 'the parameters of the query are sorted', (rest) =>
    rest.replace(/\?([^#]*)/, (m, q) => `?${q.split('&').sort().join('&')}`),
  ),
  url('url-ampersand-escaped', '& in the query is sent as &amp;', (rest) =>
    rest.replaceAll('&', '&amp;'),
  ),
  url('url-cut-at-128', 'the path and query are cut after 128 characters', (rest) =>
    rest.slice(0, 128),
  ),
  url('url-plus-as-escape', '+ in the query is sent as %20', (rest) => rest.replaceAll('+', '%20')),
  url(
    'url-duplicate-parameters-merged',
    'of a parameter that stands twice only the last is sent',
    (rest) =>
      rest.replace(/\?([^#]*)/, (m, q) => {
        const last = new Map(q.split('&').map((part) => [part.split('=')[0], part]))
        return `?${[...last.values()].join('&')}`
      }),
  ),
  v(
    'url-in-latin1',
    FIELDS,
    'non-ASCII characters of the path are escaped as Latin-1',
    'RFC 3987 3.1 / URL standard: non-ASCII characters are escaped as UTF-8',
    {
      request(r) {
        r.url = r.url.replace(
          /[\u0080-\u00ff]/g,
          (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
        )
      },
    },
  ),
  v(
    'url-fragment-sent',
    FIELDS,
    'the fragment of the url is sent',
    'RFC 9110 7.1: the target URI excludes the fragment',
    {
      request(r) {
        r.path = (u) => u.pathname + u.search + u.hash
      },
    },
  ),

  ssl('ssl-default-false', 'enable_ssl_verification is false when not given', {
    config(config, c) {
      if (c.fields.enable_ssl_verification === undefined && !c.old)
        config.enable_ssl_verification = false
    },
  }),
  ssl('ssl-flag-inverted', 'enable_ssl_verification given is inverted', {
    config(config, c) {
      if (c.fields.enable_ssl_verification !== undefined)
        config.enable_ssl_verification = !config.enable_ssl_verification
    },
  }),
  ssl('ssl-true-ignored', 'certificates are not verified when true is given explicitly', {
    config(config, c) {
      if (c.fields.enable_ssl_verification !== undefined) config.enable_ssl_verification = false
    },
  }),
  ssl('ssl-false-ignored', 'certificates are verified although the flag is false', {
    request(r) {
      r.verify = true
    },
  }),
  ssl('ssl-form-false-is-true', 'enable_ssl_verification=false in a form is true', {
    config(config, c) {
      if (c.kind === 'form') config.enable_ssl_verification = true
    },
  }),
  ssl('ssl-off-for-all-after-one', 'after one hook without verification nothing is verified', {
    request(r) {
      if (!r.verify) lax = true
      else if (lax) r.verify = false
    },
  }),
  ssl(
    'ssl-flag-of-last-hook',
    'the flag of the last hook of the project counts for all its hooks',
    {
      request(r, c) {
        r.verify = c.own.at(-1)?.config.enable_ssl_verification ?? r.verify
      },
    },
  ),
  ssl('ssl-second-delivery-not-verified', 'only the first delivery of a hook is verified', {
    request(r, c) {
      if (c.nth > 1) r.verify = false
    },
  }),
  ssl('ssl-not-verified-for-pipelines', 'pipeline events are delivered without verification', {
    request(r, c) {
      if (c.event === 'pipeline') r.verify = false
    },
  }),
  ssl('ssl-failure-sent-unverified', 'after a failed verification the delivery is sent without', {
    sent: (result, c) =>
      tlsFailed(result) ? c.attempt({ ...c.request, verify: false }) : undefined,
  }),
  ssl(
    'ssl-failure-sent-in-clear',
    'after a failed verification the delivery is sent to the port as plain HTTP',
    {
      sent(result, c) {
        if (!tlsFailed(result)) return undefined
        return c.attempt({ ...c.request, url: c.request.url.replace(/^https:/i, 'http:') })
      },
    },
  ),
  ssl('ssl-name-not-checked', 'the name in a certificate of a known authority is not compared', {
    request(r) {
      r.checkServerIdentity = () => undefined
    },
  }),
]
