import { randomBytes } from 'node:crypto'
import { wallTimers, type Timers } from '../kit/timers.ts'
import type { InitialImage, InitialVariant } from '../registry/initial-data.ts'
import { applyServing, type Serving } from '../serving/serving.ts'
import { listen, closeServer, type Route } from './http/server.ts'
import type { ImagesMiddleware, ImagesContext, ResolvedImagesOptions } from './images/call.ts'
import { defaultChoices, type ImagesChoices } from './images/choices.ts'
import { clockRoute } from './images/clock-route.ts'
import { newHost } from './images/host.ts'
import { failure } from './images/replies.ts'
import { servedHost } from './images/served-host.ts'
import type { ImagesHost } from './images/routes.ts'
import { defaultRules, type ImagesRules } from './images/rules.ts'
import { Store } from './images/store.ts'
import { newClock, type ImagesClock } from './images/time.ts'
import { greyImage } from './images/grey-image.ts'
import { typeOf } from './images/image.ts'
import { newRoleReader } from './images/tokens.ts'
import { defaultOptions } from './images/variants.ts'

export type {
  ImagesMiddleware,
  ImagesCall,
  ImagesContext,
  ImagesHandler,
  ImagesReply,
  ResolvedImagesOptions,
} from './images/call.ts'
export { failure, success } from './images/replies.ts'
export { Refusal } from './http/reply.ts'
export type { ImagesReason } from './images/refusal.ts'
export { defaultChoices, type ImagesChoices } from './images/choices.ts'
export type { FilePart, UploadForm } from './images/form.ts'
export { deliveryUrls, recordOf } from './images/image.ts'
export type { ImagesHost, ImagesOperation } from './images/routes.ts'
export type { Size } from './images/rendition.ts'
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
  otherAccount?: string
  tokens?: Partial<ResolvedImagesOptions['tokens']>
  maxFileBytes?: number
  ports?: { account?: number; batch?: number; upload?: number; delivery?: number }
  basePath?: string
  /** What the contract leaves open; by default `defaultChoices`. */
  choices?: Partial<ImagesChoices>
  /** Replaces rules of the contract, to build broken servers and other conforming servers. */
  rules?: Partial<ImagesRules>
  /** Wraps every operation, to build broken servers and other conforming servers. */
  around?: ImagesMiddleware
  /** Called for each `GET` request for an upload URL, which the server refuses. */
  onUploadUrlRead?: (token: string, context: ImagesContext) => void
  delayMs?: number
  /** The timers of timeouts; by default they run in real time. */
  timers?: Timers
  /** The images and variants of the account when it starts; by default the variant `public`. */
  initial?: { images: readonly InitialImage[]; variants?: readonly InitialVariant[] }
  /** What `touchstone mock` adds to the server. */
  serving?: Serving
}

export interface ImagesServer {
  accountUrl: string
  batchUrl: string
  uploadUrl: string
  deliveryUrl: string
  options: ResolvedImagesOptions
  clock: ImagesClock
  store: Store
  /** Passed to handlers and faults as `call.server`. */
  context: ImagesContext
  close(): Promise<void>
}

/** Starts the stateful image service on four ports of the loopback address. */
export async function startImages(options: ImagesOptions = {}): Promise<ImagesServer> {
  const context = newContext(options)
  const { around, serving, ports = {} } = options
  const reset = () => restore(context, options.initial)
  reset()
  const newServer = (host: ImagesHost, ...extraRoutes: Route[]) =>
    applyServing(
      newHost(host, context, around, ...extraRoutes),
      {
        ...servedHost(host),
        reset,
        control: host === 'account' && context.choices.movableClock ? ['clock'] : [],
      },
      serving,
    )
  const hosts = {
    account: newServer('account', ...(context.choices.movableClock ? [clockRoute(context)] : [])),
    batch: newServer('batch'),
    upload: newServer('upload', ...uploadRoutes(options, context)),
    delivery: newServer('delivery'),
  }
  const close = async () => {
    await Promise.all(Object.values(hosts).map(closeServer))
  }
  const origins = await Promise.allSettled([
    listen(hosts.account, ports.account ?? 0, serving?.hostname),
    listen(hosts.batch, ports.batch ?? 0, serving?.hostname),
    listen(hosts.upload, ports.upload ?? 0, serving?.hostname),
    listen(hosts.delivery, ports.delivery ?? 0, serving?.hostname),
  ])
  const failed = origins.find((origin) => origin.status === 'rejected')
  if (failed !== undefined) {
    await close()
    throw failed.reason
  }
  const [account = '', batch = '', upload = '', delivery = ''] = origins.map(
    (origin) => (origin as PromiseFulfilledResult<string>).value,
  )
  const urls = { account: account + context.options.basePath, batch, upload, delivery }
  Object.assign(context.urls, urls)
  return {
    accountUrl: context.urls.account,
    batchUrl: batch,
    uploadUrl: upload,
    deliveryUrl: delivery,
    options: context.options,
    clock: context.clock,
    get store() {
      return context.store
    },
    context,
    close,
  }
}

/** Routes of the upload host, in addition to the operations of the contract. */
const uploadRoutes = ({ onUploadUrlRead }: ImagesOptions, context: ImagesContext): Route[] =>
  onUploadUrlRead === undefined
    ? []
    : [
        {
          method: 'GET',
          path: '/:token',
          handle({ req }) {
            onUploadUrlRead(req.param('token') ?? '', context)
            return failure(context.choices, 404, 'Only POST is possible')
          },
        },
      ]

function newContext(options: ImagesOptions): ImagesContext {
  const resolved: ResolvedImagesOptions = {
    account: options.account ?? 'acc-1',
    accountHash: options.accountHash ?? 'Zk3xQ0mT9bV2cR7nL5wYpA',
    otherAccount: options.otherAccount ?? 'acc-2',
    otherAccountHash: 'hT4vN8sKq1Jd6WzXo0eMfB',
    tokens: {
      api: 'images-token',
      limited: 'images-limited-token',
      batch: 'images-batch-token',
      other: 'other-account-token',
      ...options.tokens,
    },
    maxFileBytes: options.maxFileBytes ?? 10 * 1024 * 1024,
    basePath: options.basePath ?? '/client/v4',
    delayMs: options.delayMs ?? 0,
  }
  const choices: ImagesChoices = { ...defaultChoices, ...options.choices }
  const common = {
    choices,
    rules: { ...defaultRules, ...options.rules },
    clock: newClock(),
    timers: options.timers ?? wallTimers,
    urls: { account: '', batch: '', upload: '', delivery: '' },
    signingKey: randomBytes(32),
  }
  const [own, other] = [resolved, optionsOfOther(resolved)].map((optionsOfOne) => ({
    ...common,
    options: optionsOfOne,
    store: newStore(choices),
    roleOf: newRoleReader(optionsOfOne.tokens),
  })) as unknown as [ImagesContext, ImagesContext]
  own.other = other
  other.other = own
  return own
}

/** Restores the state with which the service starts. */
function restore(
  context: ImagesContext,
  { images, variants }: NonNullable<ImagesOptions['initial']> = { images: [] },
): void {
  const { clock, choices, other } = context
  clock.offset = 0
  context.store = newStore(choices, variants)
  other.store = newStore(choices)
  for (const { id, filename, bytes = greyImage, metadata, ...image } of images)
    context.store.add({
      id,
      filename: filename ?? `${id}.png`,
      uploaded: image.uploaded ?? clock.now(),
      requireSignedURLs: image.requireSignedURLs ?? false,
      metadata,
      draft: false,
      bytes,
      type: typeOf({ bytes, type: '' }),
    })
}

/** A later variant replaces an earlier one with the same id. */
function newStore({ settleMs }: ImagesChoices, variants: readonly InitialVariant[] = []): Store {
  return new Store({
    settleMs,
    variants: [{ id: 'public' }, ...variants].map(
      ({ id, options, neverRequireSignedURLs = false }: InitialVariant) => ({
        id,
        options: { ...defaultOptions, ...options },
        neverRequireSignedURLs,
      }),
    ),
  })
}

/** Returns the options of the second account, in which the first account is the other account. */
function optionsOfOther(own: ResolvedImagesOptions): ResolvedImagesOptions {
  return {
    ...own,
    account: own.otherAccount,
    accountHash: own.otherAccountHash,
    otherAccount: own.account,
    otherAccountHash: own.accountHash,
    tokens: { ...own.tokens, api: own.tokens.other, other: own.tokens.api },
  }
}

/**
 * The section of a target file that describes a started server. It has every key, so that no check
 * is left out.
 */
export function targetOf({
  accountUrl: url,
  batchUrl: batch,
  uploadUrl: upload,
  deliveryUrl: delivery,
  options: { account, otherAccount, maxFileBytes, tokens },
  context: { rules, choices },
}: ImagesServer) {
  return {
    url,
    account,
    token: tokens.api,
    limitedToken: tokens.limited,
    other: { account: otherAccount, token: tokens.other },
    batch: { url: batch, token: tokens.batch },
    upload,
    delivery,
    maxFileBytes,
    bulk: true,
    flexibleVariants: false,
    state: true,
    ...(choices.movableClock ? { clock: new URL('/_touchstone/clock', url).href } : {}),
    fetchTimeout: rules.fetchStallMs,
  }
}
