import type { Server } from 'node:http'
import { newServer, type Route } from '../http/server.ts'
import { failure, failureOf, forcedFailure, refusedToken } from './answers.ts'
import type {
  ImagesMiddleware,
  ImagesCall,
  ImagesContext,
  ImagesHandler,
  ImagesReply,
} from './call.ts'
import { deliverImage } from './delivery.ts'
import { IncomingCall } from './incoming.ts'
import { deleteImage, getImage, listImages, listImagesAsText } from './reading.ts'
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

/** Where nobody stands around to look at a reply's body. */
const unseenHandlers: Record<ImagesOperation, ImagesHandler> = {
  ...handlers,
  listImages: listImagesAsText,
  batchListImages: listImagesAsText,
}

// The caller's metadata is the caller's, and the keys of a map of variants are ids.
const foreign = { values: ['metadata'], maps: ['variants'] }

/** Makes the server of one host. It does not listen yet. */
export function newHost(
  host: ImagesHost,
  server: ImagesContext,
  around: ImagesMiddleware | undefined,
  ...beside: Route[]
): Server {
  const { choices, options } = server
  const base = host === 'account' ? options.basePath : ''
  return newServer({
    ways: [
      ...routes[host].map(({ operation, path, ...way }) => ({
        ...way,
        path: base + path,
        open: opener(operation, host, server, around),
      })),
      ...beside,
    ],
    failureOf: (error) => failureOf(choices, error),
    nothing: (method, path) => failure(choices, 404, `There is nothing at ${method} ${path}`),
    form: choices,
    foreign,
    delayMs: options.delayMs,
  })
}

/** Whoever stands around included; what they throw becomes a failure too. */
function opener(
  operation: ImagesOperation,
  host: ImagesHost,
  server: ImagesContext,
  around: ImagesMiddleware | undefined,
): Route['open'] {
  return (c) => {
    const { account = server.options.account, ...params } = c.req.param() as Record<string, string>
    const call = new IncomingCall(
      { operation, host, path: c.req.path, params, account },
      server,
      c.env.incoming,
    )
    if (around === undefined) return run(call, unseenHandlers)
    try {
      return around(call, () => Promise.resolve(run(call, handlers))).catch((error: unknown) =>
        failureOf(server.choices, error),
      )
    } catch (error) {
      return failureOf(server.choices, error)
    }
  }
}

/** All that stands between a request and its answer: what was asked for, who asks, where, and the action. */
function run(
  call: ImagesCall,
  actions: Record<ImagesOperation, ImagesHandler>,
): ImagesReply | Promise<ImagesReply> {
  const { server, host } = call
  const { choices, rules, options } = server
  try {
    const forced =
      host === 'delivery'
        ? undefined
        : call.forced === undefined
          ? forcedFailure(call)
          : call.forced()
    if (forced !== undefined) return forced
    if (host === 'account' || host === 'batch') {
      const refused = call.authorize === undefined ? refusedToken(call) : call.authorize()
      if (refused !== undefined) return refused
    }
    if (!rules.isKnownAccount(call.account, options.account))
      return failure(choices, 404, 'There is no such account', { reason: 'account-unknown' })
    const reply = actions[call.operation](call)
    return reply instanceof Promise
      ? reply.catch((error: unknown) => failureOf(choices, error))
      : reply
  } catch (error) {
    return failureOf(choices, error)
  }
}
