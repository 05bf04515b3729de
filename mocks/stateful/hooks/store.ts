import { randomUUID } from 'node:crypto'
import type { Flag } from '../../deliveries/events.ts'
import { Ring } from '../http/ring.ts'

export interface Hook extends Record<Flag, boolean> {
  id: number | string
  project: string
  url: string
  /** The secret; undefined if none is set. No response contains it. */
  token: string | undefined
  enable_ssl_verification: boolean
  /** Milliseconds since the epoch. */
  createdAt: number
  /** The number of consecutive deliveries that were not acknowledged. */
  failures: number
}

export type NewHook = Omit<Hook, 'id' | 'project' | 'createdAt' | 'failures'>

/** The result of one attempt to deliver, for people who investigate missing deliveries. */
export interface HookEvent {
  id: string
  trigger: Flag
  event: string
  url: string
  created_at: string
  attempt: number
  /** The request headers, except the one with the secret. */
  request_headers: Record<string, string>
  /** Null if there was no response. */
  response_status: number | null
  response_headers: Record<string, string>
  /** The beginning of the response's body. */
  response_body: string
  /** Duration of the attempt in milliseconds. */
  duration: number
  error: string | null
}

/** The state of the service: hooks by id, each with the latest attempts to deliver to it. */
export class HookStore {
  private readonly hooks = new Map<string, { hook: Hook; recent: Ring<HookEvent> }>()
  private lastId = 0
  private readonly recentLimit: number

  constructor(recentLimit: number) {
    this.recentLimit = recentLimit
  }

  add(fields: NewHook, project: string, form: 'integer' | 'digits' | 'uuid'): Hook {
    const number = (this.lastId += 1)
    const id = form === 'integer' ? number : form === 'digits' ? String(number) : randomUUID()
    const hook: Hook = { id, project, ...fields, createdAt: Date.now(), failures: 0 }
    this.hooks.set(String(id), { hook, recent: new Ring(this.recentLimit) })
    return hook
  }

  get(id: string): Hook | undefined {
    return this.hooks.get(id)?.hook
  }

  list(): Hook[] {
    return [...this.hooks.values()].map(({ hook }) => hook)
  }

  remove(id: string): boolean {
    return this.hooks.delete(id)
  }

  /** Records an attempt to deliver. Does nothing if the hook has been deleted. */
  record({ id }: Hook, event: HookEvent): void {
    this.hooks.get(String(id))?.recent.push(event)
  }

  /** The latest attempts to deliver to a hook, newest first. */
  recent(id: string): HookEvent[] {
    return this.hooks.get(id)?.recent.newestFirst() ?? []
  }
}
