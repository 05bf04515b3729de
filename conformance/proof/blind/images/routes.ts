// Which path and method is which operation.
import type { Op } from './doors.ts'

export interface Route {
  methods: Partial<Record<string, Op>>
  account: string
  id: string
  rawId: string
}

function pieces(path: string): { raw: string[]; plain: string[] } | undefined {
  const raw = path.split('/')
  try {
    return { raw, plain: raw.map(decodeURIComponent) }
  } catch {
    return undefined
  }
}

function imageRoute(rest: string[], raw: string[]): Omit<Route, 'account'> | undefined {
  const [version, next, ...more] = rest
  const make = (methods: Route['methods'], id = '', rawId = ''): Omit<Route, 'account'> => ({
    methods,
    id,
    rawId,
  })
  if (version === 'v2') {
    if (next === undefined) return make({ GET: 'list' })
    return next === 'direct_upload' && !more.length ? make({ POST: 'ticket' }) : undefined
  }
  if (version !== 'v1') return undefined
  if (next === undefined) return make({ POST: 'upload' })
  if (next === 'config' && !more.length) return make({ PATCH: 'config' })
  if (next === 'variants') {
    if (!more.length) return make({ POST: 'variant-create', GET: 'variant-list' })
    const methods = {
      GET: 'variant-read',
      PATCH: 'variant-patch',
      DELETE: 'variant-delete',
    } as const
    return more.length === 1 ? make(methods, more[0]) : undefined
  }
  const id = rest.slice(1).join('/')
  return id ? make({ GET: 'read', DELETE: 'delete' }, id, raw.slice(1).join('/')) : undefined
}

export function apiRoute(path: string): Route | undefined {
  const split = pieces(path)
  const [empty, accounts, account, images, ...rest] = split?.plain ?? []
  if (empty !== '' || accounts !== 'accounts' || images !== 'images' || !account) return undefined
  const found = imageRoute(rest, split?.raw.slice(4) ?? [])
  return found && { ...found, account }
}

export function batchRoute(path: string): Route | undefined {
  const split = pieces(path)
  const [empty, images, version, ...rest] = split?.plain ?? []
  if (empty !== '' || images !== 'images') return undefined
  const make = (methods: Route['methods'], id = ''): Route => ({
    methods,
    account: '',
    id,
    rawId: '',
  })
  if (version === 'v2') return rest.length ? undefined : make({ GET: 'batch-list' })
  if (version !== 'v1') return undefined
  const id = rest.join('/')
  return id ? make({ DELETE: 'batch-delete' }, id) : make({ POST: 'batch-upload' })
}
