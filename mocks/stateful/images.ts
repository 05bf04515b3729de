import { randomBytes } from 'node:crypto'
import { wallTimers, type Timers } from '../kit/timers.ts'
import { listen, shut } from './http/server.ts'
import type { ImagesMiddleware, ImagesContext, ResolvedImagesOptions } from './images/call.ts'
import { defaultChoices, type ImagesChoices } from './images/choices.ts'
import { clockDoor } from './images/control.ts'
import { newHost } from './images/host.ts'
import { defaultRules, type ImagesRules } from './images/rules.ts'
import { Store } from './images/store.ts'
import { newClock, type ImagesClock } from './images/time.ts'
import { roleReader } from './images/tokens.ts'
import { standardOptions } from './images/variants.ts'

export type {
  ImagesMiddleware,
  ImagesCall,
  ImagesContext,
  ImagesHandler,
  ImagesReply,
  ResolvedImagesOptions,
} from './images/call.ts'
export { failure, success } from './images/answers.ts'
export { Refusal } from './http/reply.ts'
export type { ImagesReason } from './images/refusal.ts'
export { defaultChoices, type ImagesChoices } from './images/choices.ts'
export type { FilePart, UploadForm } from './images/form.ts'
export { deliveryUrls, recordOf } from './images/picture.ts'
export type { ImagesHost, ImagesOperation } from './images/routes.ts'
export { defaultRules, type Role, type ImagesRules } from './images/rules.ts'
export {
  Store,
  type Image,
  type NewImage,
  type Ticket,
  type Variant,
  type VariantOptions,
} from './images/store.ts'
export type { ImagesClock } from './images/time.ts'
export { signDeliveryUrl } from './images/tokens.ts'

export interface ImagesOptions {
  account?: string
  accountHash?: string
  tokens?: Partial<ResolvedImagesOptions['tokens']>
  maxFileBytes?: number
  ports?: { account?: number; batch?: number; upload?: number; delivery?: number }
  basePath?: string
  /** Legal freedoms; what is not given is as in `defaultChoices`. */
  choices?: Partial<ImagesChoices>
  /** Demands of the document, replaced one by one; for faults. */
  rules?: Partial<ImagesRules>
  /** Stands around every operation; for faults. */
  around?: ImagesMiddleware
  delayMs?: number
  /** What timeouts run by; the wall's clock if it is not given. */
  timers?: Timers
}

export interface ImagesServer {
  account: string
  batch: string
  upload: string
  delivery: string
  options: ResolvedImagesOptions
  clock: ImagesClock
  store: Store
  /** What handlers and faults get as `call.server`. */
  context: ImagesContext
  close(): Promise<void>
}

/** Starts the image service that remembers, on four ports of the loopback address. */
export async function startImages(options: ImagesOptions = {}): Promise<ImagesServer> {
  const context = newContext(options)
  const { around, ports = {} } = options
  const hosts = {
    account: newHost('account', context, around, clockDoor(context)),
    batch: newHost('batch', context, around),
    upload: newHost('upload', context, around),
    delivery: newHost('delivery', context, around),
  }
  const close = async () => {
    await Promise.all(Object.values(hosts).map(shut))
  }
  const origins = await Promise.allSettled([
    listen(hosts.account, ports.account ?? 0),
    listen(hosts.batch, ports.batch ?? 0),
    listen(hosts.upload, ports.upload ?? 0),
    listen(hosts.delivery, ports.delivery ?? 0),
  ])
  const failed = origins.find((origin) => origin.status === 'rejected')
  if (failed !== undefined) {
    await close()
    throw failed.reason
  }
  const [account = '', batch = '', upload = '', delivery = ''] = origins.map(
    (origin) => (origin as PromiseFulfilledResult<string>).value,
  )
  context.urls = { account: account + context.options.basePath, batch, upload, delivery }
  return {
    ...context.urls,
    options: context.options,
    clock: context.clock,
    store: context.store,
    context,
    close,
  }
}

function newContext(options: ImagesOptions): ImagesContext {
  const resolved: ResolvedImagesOptions = {
    account: options.account ?? 'acc-1',
    accountHash: options.accountHash ?? 'Zk3xQ0mT9bV2cR7nL5wYpA',
    tokens: {
      api: 'images-token',
      limited: 'images-limited-token',
      batch: 'images-batch-token',
      ...options.tokens,
    },
    maxFileBytes: options.maxFileBytes ?? 10 * 1024 * 1024,
    basePath: options.basePath ?? '/client/v4',
    delayMs: options.delayMs ?? 0,
  }
  const choices: ImagesChoices = { ...defaultChoices, ...options.choices }
  const publicVariant = {
    id: 'public',
    options: { ...standardOptions },
    neverRequireSignedURLs: false,
  }
  return {
    options: resolved,
    choices,
    rules: { ...defaultRules, ...options.rules },
    store: new Store({ settleMs: choices.settleMs, variants: [publicVariant] }),
    clock: newClock(),
    timers: options.timers ?? wallTimers,
    urls: { account: '', batch: '', upload: '', delivery: '' },
    signingKey: randomBytes(32),
    roleOf: roleReader(resolved.tokens),
  }
}

/** The section of a target file that gives everything of a started server: nothing of it is left uncovered. */
export function targetOf({
  account: url,
  batch,
  delivery,
  options: { account, maxFileBytes, tokens },
  context: { rules },
}: ImagesServer) {
  return {
    url,
    account,
    token: tokens.api,
    limitedToken: tokens.limited,
    batch: { url: batch, token: tokens.batch },
    delivery,
    maxFileBytes,
    bulk: true,
    flexibleVariants: false,
    state: true,
    clock: new URL('/_touchstone/clock', url).href,
    fetchTimeout: rules.fetchStallMs,
  }
}
