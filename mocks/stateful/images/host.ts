import type { Server } from 'node:http'
import { newServer, type Route } from '../http/server.ts'
import { failure, failureOf, forcedFailure, refusalOfToken } from './replies.ts'
import type {
  ImagesMiddleware,
  ImagesCall,
  ImagesContext,
  ImagesHandler,
  ImagesReply,
} from './call.ts'
import { deliverImage } from './delivery.ts'
import { IncomingCall } from './incoming.ts'
import { noteUnknownParameters } from './known-fields.ts'
import { deleteImage, getImage, listImages, listImagesAsJson } from './reading.ts'
import { requirementOf } from './refused.ts'
import { routes, type ImagesHost, type ImagesOperation } from './routes.ts'
import { completeDirectUpload, createDirectUpload, uploadImage } from './uploads.ts'
import {
  createVariant,
  deleteVariant,
  getVariant,
  listVariants,
  updateConfig,
  updateVariant,
} from './variants.ts'

const handlers: Record<ImagesOperation, ImagesHandler> = {
  uploadImage,
  createDirectUpload,
  listImages,
  getImage,
  deleteImage,
  createVariant,
  listVariants,
  getVariant,
  updateVariant,
  deleteVariant,
  updateConfig,
  batchUploadImage: uploadImage,
  batchListImages: listImages,
  batchDeleteImage: deleteImage,
  completeDirectUpload,
  deliverImage,
}

/** Faster handlers, used if there is no middleware that could read the body of a reply. */
const directHandlers: Record<ImagesOperation, ImagesHandler> = {
  ...handlers,
  listImages: listImagesAsJson,
  batchListImages: listImagesAsJson,
}

// Clients choose the members of `metadata`, and the keys of `variants`, which are ids. The choices
// about the form of JSON do not apply to them.
const callerData = { values: ['metadata'], maps: ['variants'] }

/** Makes the server of one host. The server does not listen yet. */
export function newHost(
  host: ImagesHost,
  server: ImagesContext,
  around: ImagesMiddleware | undefined,
  ...extraRoutes: Route[]
): Server {
  const { choices, options } = server
  const base = host === 'account' ? options.basePath : ''
  return newServer({
    routes: [
      ...routes[host].map(({ operation, path, ...route }) => ({
        ...route,
        path: base + path,
        handle: newRouteHandler(operation, host, server, around),
        requirementOf: (reason: string) => requirementOf(reason, operation),
      })),
      ...extraRoutes,
    ],
    failureOf: (error) => failureOf(choices, error),
    notFoundReply: (method, path) =>
      failure(choices, 404, `There is no operation ${method} ${path}`),
    form: choices,
    callerData,
    delayMs: options.delayMs,
  })
}

/**
 * Returns the handler of a route. If there is middleware, the handler runs inside it, and an error
 * of the middleware becomes a failure reply.
 */
function newRouteHandler(
  operation: ImagesOperation,
  host: ImagesHost,
  server: ImagesContext,
  around: ImagesMiddleware | undefined,
): Route['handle'] {
  return (c) => {
    const { account, ...params } = c.req.param() as Record<string, string>
    const context = contextOf(server, account, params)
    const call = new IncomingCall(
      { operation, host, path: c.req.path, params, account: account ?? context.options.account },
      context,
      c.env.incoming,
    )
    if (c.env.incoming.url?.includes('?') === true)
      noteUnknownParameters(c.env.incoming, operation, call.query.keys())
    if (around === undefined) return handleCall(call, directHandlers)
    try {
      return around(call, () => Promise.resolve(handleCall(call, handlers))).catch(
        (error: unknown) => failureOf(server.choices, error),
      )
    } catch (error) {
      return failureOf(server.choices, error)
    }
  }
}

/**
 * The context of the account that a request addresses: by the id in the path, the token of an
 * upload URL, or the hash of a delivery URL. The batch host belongs to the account of `server`.
 */
function contextOf(
  server: ImagesContext,
  account: string | undefined,
  { token, hash }: Record<string, string>,
): ImagesContext {
  const { other } = server
  const isOther =
    account === other.options.account ||
    hash === other.options.accountHash ||
    (token !== undefined && other.store.tickets.has(token))
  return isOther ? other : server
}

/**
 * Handles a call: returns the failure that the client asked for, if any. Otherwise it checks token
 * and account, and runs the operation.
 */
function handleCall(
  call: ImagesCall,
  operations: Record<ImagesOperation, ImagesHandler>,
): ImagesReply | Promise<ImagesReply> {
  const { server, host } = call
  const { choices, rules, options } = server
  try {
    const forced = call.forced === undefined ? forcedFailure(call) : call.forced()
    if (forced !== undefined) return forced
    if (host === 'account' || host === 'batch') {
      const refused = call.authorize === undefined ? refusalOfToken(call) : call.authorize()
      if (refused !== undefined) return refused
    }
    if (!rules.isKnownAccount(call.account, options.account))
      return failure(choices, 404, 'There is no such account', { reason: 'account-unknown' })
    const reply = operations[call.operation](call)
    return reply instanceof Promise
      ? reply.catch((error: unknown) => failureOf(choices, error))
      : reply
  } catch (error) {
    return failureOf(choices, error)
  }
}
