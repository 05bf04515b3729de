// The hooks of all projects.
import { randomInt } from 'node:crypto'
import { on } from './registry.mjs'

export const FLAGS = [
  'push_events',
  'tag_push_events',
  'issues_events',
  'confidential_issues_events',
  'merge_requests_events',
  'wiki_page_events',
  'deployment_events',
  'job_events',
  'pipeline_events',
  'releases_events',
]

export class Store {
  constructor(first) {
    this.first = first
    this.hooks = []
    this.next = 1
  }

  add(project, config) {
    const owner = on('other-project-hooks-kept-in-the-first') ? this.first : project
    const own = this.of(owner)
    let id = this.next
    if (on('hook-ids-random')) id = randomInt(1_000_000, 2_000_000_000)
    if (on('hook-ids-per-project')) id = 1 + Math.max(0, ...own.map((h) => h.id))
    if (on('second-hook-gets-id-of-first') && own.length === 1) id = own[0].id
    this.next += 1
    const hook = {
      id,
      project: owner,
      config,
      created: new Date(),
      sent: 0,
      tests: 0,
      pending: 0,
      recent: [],
      seen: 0,
    }
    if (on('new-hook-replaces-old')) this.hooks = this.hooks.filter((h) => h.project !== owner)
    this.hooks.push(hook)
    return hook
  }

  of(project) {
    return this.hooks.filter((h) => h.project === project)
  }

  find(project, id) {
    return this.hooks.find((h) => h.project === project && String(h.id) === id)
  }

  remove(hook) {
    this.hooks = this.hooks.filter((h) => h !== hook)
  }
}

export function record(hook, withToken = on('record-shows-token')) {
  const { config } = hook
  const id = on('record-id-as-string') ? String(hook.id) : hook.id
  if (on('record-minimal')) return { id }
  const out = {
    id,
    url: config.url,
    project_id: hook.project.id,
    created_at: hook.created.toISOString(),
  }
  if (on('record-times-in-seconds')) out.created_at = Math.floor(hook.created / 1000)
  for (const flag of FLAGS) out[flag] = config[flag]
  out.enable_ssl_verification = config.enable_ssl_verification
  if (withToken) out.token = config.token
  if (on('record-with-extra-fields')) {
    Object.assign(out, {
      name: null,
      note_events: false,
      alert_status: 'executable',
      disabled_until: null,
      push_events_branch_filter: null,
      branch_filter_strategy: 'wildcard',
      custom_headers: [],
    })
  }
  return on('record-under-a-hook-key') ? { hook: out } : out
}
