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
  saysFalse,
  withResult,
  without,
  type Json,
} from './building.ts'

const idOf = (call: ImagesCall) => call.params['variant_id'] ?? ''
const standard = { fit: 'scale-down', width: 1366, height: 768, metadata: 'none' }

/** Another answer where the operation finds no variant of that id, though none was deleted. */
const unknown = (
  name: string,
  description: string,
  operation: ImagesOperation,
  answer: (call: ImagesCall) => ImagesReply | undefined | Promise<ImagesReply>,
): ImagesFault =>
  fault(name, description, ['IMG-VARIANTS-08'], (hit) => {
    const deleted = new Set<string>()
    return onRequest(
      async (call, next) => {
        const reply = await next()
        if (call.operation === 'deleteVariant' && reply.status === 200) deleted.add(idOf(call))
        const other =
          call.operation === operation && reply.status === 404 && !deleted.has(idOf(call))
            ? await answer(call)
            : undefined
        if (other === undefined) return reply
        hit()
        return other
      },
      [operation, 'deleteVariant'],
    )(hit)
  })

/** What a deleted variant leaves behind. */
const leftover = (
  name: string,
  description: string,
  operation: ImagesOperation,
  answer: (
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
        const other = call.operation === operation ? answer(call, reply, deleted) : undefined
        if (other === undefined) return reply
        hit()
        return other
      },
      [operation, 'deleteVariant'],
    )(hit)
  })

/** A change that sets an option back which it does not name. */
const resetting = (option: 'fit' | 'height' | 'metadata'): ImagesFault =>
  fault(
    `change-resets-${option}`,
    `A change that does not name ${option} sets it back to its standard.`,
    ['IMG-VARIANTS-05'],
    onRequest((call, next, hit) => {
      replaceRulesOf(call, {
        mergeOptions: (old, given) => {
          if (given[option] === undefined && old[option] !== standard[option]) hit()
          return { ...old, [option]: standard[option], ...given }
        },
      })
      return next()
    }, 'updateVariant'),
  )

/** A body that is no JSON, taken for one that says little. */
const readingAnyway = (
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
        (given) => given,
        () => {
          hit()
          return body()
        },
      )
      return next()
    }, operation),
  )

/** A change to a value that no option has, dropped in silence. */
const dropped = (option: 'fit' | 'metadata', wrong: string): ImagesFault =>
  fault(
    `change-takes-any-${option}`,
    `A change to an unknown ${option} succeeds and leaves it as it was.`,
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

const isFull = (options: unknown) => Object.keys(standard).every((name) => name in Object(options))
const notFound = (call: ImagesCall) => failure(call.server.choices, 404, 'There is no such variant')

export const variants: readonly ImagesFault[] = [
  fault(
    'creation-finds-its-own-variant',
    'Stores a new variant before it looks whether the id is free, and answers that it is in use.',
    ['IMG-VARIANTS-01'],
    onSuccess(
      (_reply, { server }) =>
        failure(server.choices, 400, 'There is a variant with this id already'),
      'createVariant',
    ),
  ),
  fault(
    'creation-redirects-to-the-variant',
    'Answers the creation of a variant with a redirect to it.',
    ['IMG-VARIANTS-01'],
    onSuccess((_reply, call) => redirect(303, call.path), 'createVariant'),
  ),
  fault(
    'variants-path-is-an-image-id',
    'Takes the path of the list of variants for that of an image called variants.',
    ['IMG-VARIANTS-02'],
    onSuccess(
      (_reply, { server }) => failure(server.choices, 404, 'There is no such image'),
      'listVariants',
    ),
  ),
  fault(
    'list-of-variants-says-success-false',
    'Lists the variants with success false.',
    ['IMG-VARIANTS-02'],
    onSuccess(saysFalse, 'listVariants'),
  ),
  fault(
    'variant-path-is-an-image-id',
    "Takes a variant's path for that of an image.",
    ['IMG-VARIANTS-03'],
    onSuccess(
      (_reply, { server }) => failure(server.choices, 404, 'There is no such image'),
      'getVariant',
    ),
  ),
  fault(
    'reading-a-variant-redirects-to-the-list',
    'Sends whoever reads a variant to the list of all.',
    ['IMG-VARIANTS-03'],
    onSuccess((_reply, call) => redirect(302, call.path.replace(/\/[^/]*$/, '')), 'getVariant'),
  ),

  fault(
    'change-needs-all-options',
    'Refuses a change that does not name all four options.',
    ['IMG-VARIANTS-04'],
    onRequest((call, next, hit) => {
      changeJson(call, (body) => {
        if (body['options'] === undefined || isFull(body['options'])) return body
        hit()
        return refuse('options has to give fit, width, height and metadata')
      })
      return next()
    }, 'updateVariant'),
  ),
  fault(
    'change-is-forgotten',
    'Answers a change of width as done and keeps the old one.',
    ['IMG-VARIANTS-04'],
    onRequest((call, next, hit) => {
      replaceRulesOf(call, {
        mergeOptions: (old, given) => {
          if (given.width !== undefined && given.width !== old.width) hit()
          return { ...old, ...given, width: old.width }
        },
      })
      return next()
    }, 'updateVariant'),
  ),

  resetting('fit'),
  resetting('height'),
  resetting('metadata'),

  fault(
    'deletion-of-a-variant-is-answered-as-not-found',
    'Deletes the variant, looks for it once more and answers that it is not found.',
    ['IMG-VARIANTS-06'],
    onSuccess((_reply, call) => notFound(call), 'deleteVariant'),
  ),
  fault(
    'deletion-of-a-variant-says-success-false',
    'Deletes the variant and answers with success false.',
    ['IMG-VARIANTS-06'],
    onSuccess(saysFalse, 'deleteVariant'),
  ),

  leftover(
    'deleted-variant-stays-readable',
    'A deleted variant leaves the list but is still read.',
    'getVariant',
    (call, reply, deleted) => {
      const old = deleted.get(idOf(call))
      return reply.status === 404 && old !== undefined ? success(call, { variant: old }) : undefined
    },
  ),
  leftover(
    'deleted-variant-stays-listed',
    'A deleted variant is read no more but stays in the list.',
    'listVariants',
    (_call, reply, deleted) =>
      reply.status === 200 && deleted.size > 0
        ? withResult(reply, {
            variants: { ...(resultOf(reply)['variants'] as Json), ...Object.fromEntries(deleted) },
          })
        : undefined,
  ),

  unknown(
    'unknown-variant-reads-as-another',
    'Reading an unknown variant shows the first of the account.',
    'getVariant',
    (call) => success(call, { variant: [...call.server.store.variants.values()][0] }),
  ),
  unknown(
    'changing-an-unknown-variant-creates-it',
    'Changing an unknown variant creates it.',
    'updateVariant',
    async (call) => {
      const { options } = (await call.json()) as { options?: object }
      const made = {
        id: idOf(call),
        options: { ...standard, ...options },
        neverRequireSignedURLs: false,
      }
      call.server.store.putVariant(made)
      return success(call, { variant: made })
    },
  ),
  unknown(
    'deleting-an-unknown-variant-succeeds',
    'Deleting an unknown variant is answered as a success.',
    'deleteVariant',
    (call) => success(call, {}),
  ),

  readingAnyway(
    'variant-of-no-json-is-created',
    'Takes a body that is not JSON for a variant with nothing but a made-up id.',
    'createVariant',
    () => ({ id: 'unnamed' }),
  ),
  readingAnyway(
    'change-of-no-json-succeeds',
    'Takes a body that is not JSON for a change of nothing.',
    'updateVariant',
    () => ({ options: {} }),
  ),

  dropped('fit', 'stretch'),
  dropped('metadata', 'everything'),

  fault(
    'created-variant-is-not-listed',
    'Lists only the variant that the account began with.',
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
    'Lists the options of the variants without saying whose they are.',
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
