import { randomUUID } from 'node:crypto'
import type { Flag } from '../../deliveries/events.ts'
import { Ring } from '../http/ring.ts'

export interface Hook extends Record<Flag, boolean> {
  id: number | string
  project: string
  url: string
  /** The secret; undefined where none is set. No answer shows it. */
  token: string | undefined
  enable_ssl_verification: boolean
  /** Milliseconds since 1970. */
  createdAt: number
  /** Deliveries in a row that nobody acknowledged. */
  failures: number
}

export type NewHook = Omit<Hook, 'id' | 'project' | 'createdAt' | 'failures'>

/** What became of one attempt of a delivery, for people who look why nothing arrived. */
export interface HookEvent {
  id: string
  trigger: Flag
  event: string
  url: string
  created_at: string
  attempt: number
  /** Without the secret. */
  request_headers: Record<string, string>
  /** Null where nobody answered. */
  response_status: number | null
  response_headers: Record<string, string>
  /** The beginning of the answer. */
  response_body: string
  /** Milliseconds. */
  duration: number
  error: string | null
}

/** The memory: hooks by id, and of each its last deliveries. */
export class HookStore {
  private readonly hooks = new Map<string, { hook: Hook; recent: Ring<HookEvent> }>()
  private lastId = 0
  private readonly recentLimit: number

  constructor(recentLimit: number) {
    this.recentLimit = recentLimit
  }

  add(made: NewHook, project: string, form: 'integer' | 'digits' | 'uuid'): Hook {
    const number = (this.lastId += 1)
    const id = form === 'integer' ? number : form === 'digits' ? String(number) : randomUUID()
    const hook: Hook = { id, project, ...made, createdAt: Date.now(), failures: 0 }
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

  /** Of a hook that was deleted meanwhile nothing is remembered. */
  remember({ id }: Hook, event: HookEvent): void {
    this.hooks.get(String(id))?.recent.push(event)
  }

  /** The last deliveries of a hook, the newest first. */
  recent(id: string): HookEvent[] {
    return this.hooks.get(id)?.recent.newest() ?? []
  }
}
