import {
  failure,
  success,
  type ImagesCall,
  type ImagesOperation,
  type ImagesReply,
  type Variant,
} from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { replaceRulesOf } from '../../../../mocks/kit/kit.ts'
import {
  changeJson,
  fault,
  onRequest,
  onSuccess,
  redirect,
  refuse,
  resultOf,
  reportFailure,
  withResult,
  without,
  type Json,
} from './building.ts'

const idOf = (call: ImagesCall) => call.params['variant_id'] ?? ''
const defaultOptions = { fit: 'scale-down', width: 1366, height: 768, metadata: 'none' }

/** How long a change waits for another one of its variant, in milliseconds. */
const waitForSecondMs = 250

/** Replaces the reply for a variant that does not exist. Deleted variants are not affected. */
const replaceUnknown = (
  name: string,
  description: string,
  operation: ImagesOperation,
  replaceReply: (call: ImagesCall) => ImagesReply | undefined | Promise<ImagesReply>,
): ImagesFault =>
  fault(name, description, ['IMG-VARIANTS-08'], (hit) => {
    const deleted = new Set<string>()
    return onRequest(
      async (call, next) => {
        const reply = await next()
        if (call.operation === 'deleteVariant' && reply.status === 200) deleted.add(idOf(call))
        const other =
          call.operation === operation && reply.status === 404 && !deleted.has(idOf(call))
            ? await replaceReply(call)
            : undefined
        if (other === undefined) return reply
        hit()
        return other
      },
      [operation, 'deleteVariant'],
    )(hit)
  })

/** Replaces replies to one operation. `replaceReply` receives all variants that were deleted. */
const afterDeletion = (
  name: string,
  description: string,
  operation: ImagesOperation,
  replaceReply: (
    call: ImagesCall,
    reply: ImagesReply,
    deleted: ReadonlyMap<string, Variant>,
  ) => ImagesReply | undefined,
): ImagesFault =>
  fault(name, description, ['IMG-VARIANTS-07'], (hit) => {
    const deleted = new Map<string, Variant>()
    return onRequest(
      async (call, next) => {
        const old =
          call.operation === 'deleteVariant'
            ? call.server.store.variants.get(idOf(call))
            : undefined
        const reply = await next()
        if (old !== undefined && reply.status === 200) deleted.set(old.id, old)
        const other = call.operation === operation ? replaceReply(call, reply, deleted) : undefined
        if (other === undefined) return reply
        hit()
        return other
      },
      [operation, 'deleteVariant'],
    )(hit)
  })

/** Resets an option that a change does not contain. */
const resetOption = (option: 'fit' | 'height' | 'metadata'): ImagesFault =>
  fault(
    `change-resets-${option}`,
    `Resets ${option} to its default if a change does not contain it.`,
    ['IMG-VARIANTS-05'],
    onRequest((call, next, hit) => {
      replaceRulesOf(call, {
        mergeOptions: (old, changes) => {
          if (changes[option] === undefined && old[option] !== defaultOptions[option]) hit()
          return { ...old, [option]: defaultOptions[option], ...changes }
        },
      })
      return next()
    }, 'updateVariant'),
  )

/** Replaces a body that is not JSON. */
const replaceInvalidJson = (
  name: string,
  description: string,
  operation: ImagesOperation,
  body: () => Json,
): ImagesFault =>
  fault(
    name,
    description,
    ['IMG-VARIANTS-09'],
    onRequest((call, next, hit) => {
      changeJson(
        call,
        (changes) => changes,
        () => {
          hit()
          return body()
        },
      )
      return next()
    }, operation),
  )

/** Ignores an invalid value in a change. */
const ignoreInvalid = (option: 'fit' | 'metadata', wrong: string): ImagesFault =>
  fault(
    `change-accepts-any-${option}`,
    `Ignores an unknown ${option} in a change and returns a success.`,
    ['IMG-VARIANTS-10'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        const options = body['options'] as Json | undefined
        if (options === undefined || options[option] !== wrong) return body
        hit()
        return { ...body, options: without(options, option) }
      })
      return next()
    }, 'updateVariant'),
  )

const isComplete = (options: unknown) =>
  Object.keys(defaultOptions).every((name) => name in Object(options))
const notFound = (call: ImagesCall) => failure(call.server.choices, 404, 'There is no such variant')

export const variants: readonly ImagesFault[] = [
  fault(
    'simultaneous-changes-are-lost',
    'Reads a variant before it reads the body of a change, and then writes the whole variant.',
    ['IMG-VARIANTS-05'],
    (hit) => {
      const waiting = new Map<string, () => void>()
      return onRequest(async (call, next) => {
        const { store } = call.server
        const id = idOf(call)
        const before = store.variants.get(id)
        const body = await call.json().catch(() => undefined)
        const changed = Object.keys(Object(Object(body).options) as object)
        if (before === undefined || changed.length !== 1) return next()
        const { options } = structuredClone(before)
        // Waits for a second change of the variant, but not for long, because most come alone.
        const second = waiting.get(id)
        second?.()
        if (second === undefined)
          await new Promise<void>((resolve) => {
            waiting.set(id, resolve)
            setTimeout(resolve, waitForSecondMs)
          }).finally(() => waiting.delete(id))
        const reply = await next()
        const current = store.variants.get(id)
        if (reply.status !== 200 || current === undefined) return reply
        const name = changed[0] as keyof typeof options
        const whole = { ...options, [name]: current.options[name] }
        if (JSON.stringify(whole) !== JSON.stringify(current.options)) hit()
        store.putVariant({ ...current, options: whole })
        return reply
      }, 'updateVariant')(hit)
    },
  ),
  fault(
    'creation-finds-its-own-variant',
    'Stores a new variant, and then refuses it because its id is in use.',
    ['IMG-VARIANTS-01'],
    onSuccess(
      (_reply, { server }) =>
        failure(server.choices, 400, 'There is a variant with this id already'),
      'createVariant',
    ),
  ),
  fault(
    'creation-redirects-to-the-variant',
    'Stores a new variant, and redirects the client to the list of variants.',
    ['IMG-VARIANTS-01'],
    onSuccess((_reply, call) => redirect(303, call.path), 'createVariant'),
  ),
  fault(
    'variants-path-is-an-image-id',
    'Treats the list of variants as an image with the id variants, and returns 404.',
    ['IMG-VARIANTS-02'],
    onSuccess(
      (_reply, { server }) => failure(server.choices, 404, 'There is no such image'),
      'listVariants',
    ),
  ),
  fault(
    'list-of-variants-says-success-false',
    'Lists the variants with success: false.',
    ['IMG-VARIANTS-02'],
    onSuccess(reportFailure, 'listVariants'),
  ),
  fault(
    'variant-path-is-an-image-id',
    'Treats the path of a variant as the path of an image, and returns 404.',
    ['IMG-VARIANTS-03'],
    onSuccess(
      (_reply, { server }) => failure(server.choices, 404, 'There is no such image'),
      'getVariant',
    ),
  ),
  fault(
    'reading-a-variant-redirects-to-the-list',
    'Redirects requests for a variant to the list of variants.',
    ['IMG-VARIANTS-03'],
    onSuccess((_reply, call) => redirect(302, call.path.replace(/\/[^/]*$/, '')), 'getVariant'),
  ),

  fault(
    'change-needs-all-options',
    'Refuses a change that does not contain all four options.',
    ['IMG-VARIANTS-04'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (body['options'] === undefined || isComplete(body['options'])) return body
        hit()
        return refuse('options must contain fit, width, height and metadata')
      })
      return next()
    }, 'updateVariant'),
  ),
  fault(
    'change-to-pad-is-refused',
    'Refuses to set the fit of a variant to pad.',
    ['IMG-VARIANTS-04'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if ((body['options'] as { fit?: unknown } | undefined)?.fit !== 'pad') return body
        hit()
        return refuse('fit must be scale-down, contain, cover or crop')
      })
      return next()
    }, 'updateVariant'),
  ),
  fault(
    'change-is-forgotten',
    'Ignores a change of width and returns a success.',
    ['IMG-VARIANTS-04'],
    onRequest((call, next, hit) => {
      replaceRulesOf(call, {
        mergeOptions: (old, changes) => {
          if (changes.width !== undefined && changes.width !== old.width) hit()
          return { ...old, ...changes, width: old.width }
        },
      })
      return next()
    }, 'updateVariant'),
  ),

  resetOption('fit'),
  resetOption('height'),
  resetOption('metadata'),

  fault(
    'deletion-of-a-variant-is-answered-as-not-found',
    'Deletes the variant and returns 404.',
    ['IMG-VARIANTS-06'],
    onSuccess((_reply, call) => notFound(call), 'deleteVariant'),
  ),
  fault(
    'deletion-of-a-variant-says-success-false',
    'Deletes the variant and returns success: false.',
    ['IMG-VARIANTS-06'],
    onSuccess(reportFailure, 'deleteVariant'),
  ),

  afterDeletion(
    'deleted-variant-stays-readable',
    'Removes a deleted variant from the list but still returns it.',
    'getVariant',
    (call, reply, deleted) => {
      const old = deleted.get(idOf(call))
      return reply.status === 404 && old !== undefined ? success(call, { variant: old }) : undefined
    },
  ),
  afterDeletion(
    'deleted-variant-stays-listed',
    'Returns 404 for a deleted variant but still lists it.',
    'listVariants',
    (_call, reply, deleted) =>
      reply.status === 200 && deleted.size > 0
        ? withResult(reply, {
            variants: { ...(resultOf(reply)['variants'] as Json), ...Object.fromEntries(deleted) },
          })
        : undefined,
  ),

  replaceUnknown(
    'unknown-variant-reads-as-another',
    "Returns the account's first variant for an unknown variant.",
    'getVariant',
    (call) => success(call, { variant: [...call.server.store.variants.values()][0] }),
  ),
  replaceUnknown(
    'changing-an-unknown-variant-creates-it',
    'Creates an unknown variant when it is changed.',
    'updateVariant',
    async (call) => {
      const { options } = (await call.json()) as { options?: object }
      const created = {
        id: idOf(call),
        options: { ...defaultOptions, ...options },
        neverRequireSignedURLs: false,
      }
      call.server.store.putVariant(created)
      return success(call, { variant: created })
    },
  ),
  replaceInvalidJson(
    'variant-without-json-is-created',
    'Creates a variant with a fixed id if the body of the request is not JSON.',
    'createVariant',
    () => ({ id: 'unnamed' }),
  ),
  replaceInvalidJson(
    'change-without-json-succeeds',
    'Returns a success for a change whose body is not JSON, and changes nothing.',
    'updateVariant',
    () => ({ options: {} }),
  ),

  ignoreInvalid('fit', 'stretch'),
  ignoreInvalid('metadata', 'everything'),

  fault(
    'created-variant-is-not-listed',
    "Lists only the account's first variant.",
    ['IMG-VARIANTS-11'],
    onSuccess((reply) => {
      const [first, ...others] = Object.entries(resultOf(reply)['variants'] as Json)
      return first === undefined || others.length === 0
        ? undefined
        : withResult(reply, { variants: Object.fromEntries([first]) })
    }, 'listVariants'),
  ),
  fault(
    'list-of-variants-shows-no-names',
    'Lists the options of the variants without their ids.',
    ['IMG-VARIANTS-11'],
    onSuccess(
      (reply) =>
        withResult(reply, {
          variants: Object.values(resultOf(reply)['variants'] as Record<string, Json>).map((one) =>
            without(one, 'id'),
          ),
        }),
      'listVariants',
    ),
  ),
]
