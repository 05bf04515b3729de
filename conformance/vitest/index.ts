import { isObject } from '../engine/index.ts'
import type { Section, Selection } from '../suite.ts'
import { TargetError } from '../target-file/index.ts'
import { loadTarget, type Target } from '../target.ts'
import { declareChecks } from './declare.ts'

export type { Selection } from '../suite.ts'

/**
 * What to check: a target file, or its sections as an object. Keys that are missing in the object
 * have their defaults. Each `${NAME}` is replaced by an environment variable.
 *
 * @example
 * const target: ConformanceTarget = {
 *   hooks: { url: 'http://127.0.0.1:8080/api/v4', project: '7' },
 * }
 */
export type ConformanceTarget =
  | { /** Path of a target file, from the working directory. */ target: string }
  | ({ target?: never } & { readonly [S in Section]?: Loose<NonNullable<Target[S]>> } & {
      readonly suite?: Loose<Target['suite']>
    })

/** Throws a `TargetError` for a value that a program without type checks can pass. */
function requireConformanceTarget(given: unknown): void {
  const example = '{ hooks: { url: … } }'
  if (!isObject(given))
    throw new TargetError(
      `conformance() needs a target: { target: 'touchstone.yaml' }, or sections such as ${example}`,
    )
  const { target } = given
  if (target !== undefined && typeof target !== 'string')
    throw new TargetError(
      `conformance(): target must be the path of a target file. Pass sections without target, as in conformance(${example})`,
    )
}

/** A section in which each number may also be a string, such as the duration `10s`. */
type Loose<T> = { readonly [K in keyof T]?: number extends T[K] ? T[K] | string : T[K] }

/**
 * Declares the conformance checks as tests of vitest: one `describe` for each topic of a contract,
 * one test for each check. A broken requirement fails its test; a check that is blocked, not
 * covered or not applicable is skipped, with the reason; a check with a warning passes, with an
 * annotation.
 *
 * Rejects with a readable error if the target or the selection is wrong.
 *
 * @example
 * // conformance.test.ts
 * import { conformance } from 'touchstone/vitest'
 *
 * await conformance({ target: 'touchstone.yaml' })
 *
 * @example
 * await conformance(
 *   {
 *     images: {
 *       url: 'http://127.0.0.1:8080/client/v4',
 *       account: 'acc-1',
 *       token: '${IMAGES_TOKEN}',
 *     },
 *   },
 *   { only: ['IMG-UPLOAD'] },
 * )
 */
export async function conformance(
  given: ConformanceTarget,
  selection: Selection = {},
): Promise<void> {
  requireConformanceTarget(given)
  const target = await loadTarget(
    given.target === undefined
      ? { text: JSON.stringify(given, null, 2), name: 'conformance()' }
      : { file: given.target },
  )
  await declareChecks({ target, selection, throwaway: false, repeat: 'npx vitest run -t {id}' })
}
