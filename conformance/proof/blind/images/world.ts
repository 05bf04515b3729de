// The state of the service, its clock, its switches.
import { randomBytes, randomUUID } from 'node:crypto'
import { isSwitch } from './switches.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Fields = { [key: string]: Json }

export interface Image {
  id: string
  filename: string
  uploadedAt: number
  signed: boolean
  signedSent: boolean
  metadata: Fields | undefined
  draft: boolean
  bytes: Buffer
  via: 'file' | 'url' | 'ticket'
  door: 'api' | 'batch'
  custom: boolean
  sequence: number
  createdAt: number
  deletedAt: number
  variantsThen: string[]
  reads: number
  refusals: number
  ticket: Ticket | undefined
  broken: boolean
}

export interface Options {
  fit: Json
  metadata: Json
  width?: Json
  height?: Json
}

export interface Variant {
  id: string
  options: Options
  never: Json
  createdAt: number
  modifiedAt: number
  deletedAt: number
  first: Options
  changes: number
  builtIn: boolean
}

export interface Account {
  id: string
  hash: string
  token: string
  images: Image[]
  variants: Variant[]
  deletedImages: Image[]
  deletedVariants: Variant[]
  flexible: boolean
  flexibleSet: boolean
}

export interface Ticket {
  secret: string
  account: Account
  image: Image
  createdAt: number
  expiresAt: number
  usedAt: number
  uses: number
}

export interface Origins {
  api: string
  batch: string
  upload: string
  delivery: string
}

export class Fault extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Record<string, string>
  constructor(status: number, code: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export const bad = (message: string): Fault => new Fault(400, 5400, message)
export const missing = (what: string): Fault => new Fault(404, 5404, `${what} not found`)
export const broken = (message = 'Internal error'): Fault => new Fault(500, 5500, message)

export const minute = 60_000
export const hour = 60 * minute

export class World {
  readonly accounts: Account[] = []
  readonly tickets: Ticket[] = []
  readonly limitedToken = `lim_${randomBytes(20).toString('hex')}`
  readonly batchToken = `bat_${randomBytes(20).toString('hex')}`
  readonly maxFileBytes = 1024 * 1024
  readonly counters = new Map<string, number>()
  readonly renditions = new Map<string, { bytes: Buffer; type: string }>()
  readonly fetched = new Map<string, { bytes: Buffer; type: string }>()
  readonly cached = new Map<string, { until: number; bytes: Buffer; type: string }>()
  readonly bursts = new Map<string, number[]>()
  origins: Origins = { api: '', batch: '', upload: '', delivery: '' }
  offset = 0
  sequence = 0
  private readonly active: ReadonlySet<string>

  constructor(on: readonly string[]) {
    for (const name of on) if (!isSwitch(name)) throw new Error(`unknown switch ${name}`)
    this.active = new Set(on)
    for (const prefix of ['a', 'b']) this.accounts.push(this.newAccount(prefix))
  }

  on(name: string): boolean {
    if (!isSwitch(name)) throw new Error(`the code asks for an unknown switch ${name}`)
    return this.active.has(name)
  }

  any(...names: string[]): boolean {
    return names.some((name) => this.on(name))
  }

  now(): number {
    return Date.now() + this.offset
  }

  count(key: string): number {
    const next = (this.counters.get(key) ?? 0) + 1
    this.counters.set(key, next)
    return next
  }

  get first(): Account {
    return this.accounts[0] as Account
  }

  get second(): Account {
    return this.accounts[1] as Account
  }

  newId(): string {
    if (this.on('ids-short')) {
      return randomBytes(30).toString('base64').replace(/\W/g, '').slice(0, 10)
    }
    if (this.on('ids-digits')) {
      return String(10n ** 17n + BigInt(`0x${randomBytes(7).toString('hex')}`))
    }
    if (this.on('ids-reserved-characters')) return `img:${randomBytes(8).toString('hex')}=@1`
    if (this.on('ids-long')) return randomBytes(90).toString('hex')
    return randomUUID()
  }

  private newAccount(prefix: string): Account {
    const names = this.on('no-default-variant')
      ? []
      : this.on('more-default-variants')
        ? ['public', 'thumbnail', 'avatar']
        : ['public']
    const side: Record<string, number> = { public: 1366, thumbnail: 150, avatar: 64 }
    const now = this.now()
    return {
      id: prefix + randomBytes(15).toString('hex') + prefix,
      hash: this.on('long-account-hash')
        ? `${randomBytes(16).toString('hex')}-_Z`
        : randomBytes(16).toString('base64url'),
      token: `tok_${prefix}${randomBytes(20).toString('hex')}`,
      images: [],
      variants: names.map((id) => {
        const most = side[id] ?? 1
        const options = { fit: 'scale-down', metadata: 'none', width: most, height: most }
        return {
          id,
          options,
          never: false,
          createdAt: now,
          modifiedAt: now,
          deletedAt: 0,
          first: { ...options },
          changes: 0,
          builtIn: true,
        }
      }),
      deletedImages: [],
      deletedVariants: [],
      flexible: false,
      flexibleSet: false,
    }
  }
}
