import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { listMistakes } from '../../../conformance/target-file/error.ts'
import { whyUnreadable } from '../../../conformance/target-file/user-file.ts'
import { parseYaml, valueOf } from '../../../conformance/target-file/yaml.ts'
import type { InitialData, InitialImage } from '../../../mocks/registry.ts'
import { UsageError } from '../../print-error.ts'
import { readText } from '../read-text.ts'

interface SeedProblem {
  /** The keys and positions that lead to the value. */
  path: readonly PropertyKey[]
  /** A key of the value at `path`, if the mistake is the key itself. */
  key?: string
  message: string
}

/**
 * Reads the file of --seed (YAML or JSON). Throws a `UsageError` that lists the mistakes, or if the
 * file contains books and `upstream` replaces the API that has books.
 */
export async function readSeed(
  file: string,
  { upstream }: { upstream?: string | undefined } = {},
): Promise<InitialData> {
  const { isMap, isNode, isScalar } = await import('yaml')
  const parsed = await parseYaml(readText(file, `--seed ${file}`), file)
  if ('wrong' in parsed) throw new UsageError(`--seed ${parsed.wrong}`)
  const { document, locate } = parsed
  const content = valueOf(document)
  if ('wrong' in content) throw new UsageError(`--seed ${file} ${content.wrong}`)
  const { checkSeed } = await import('./seed-schema.ts')
  const { seed, problems } = checkSeed(content.value ?? {})
  const images = (seed?.images ?? []).map((image, index) => {
    const { file: imageFile, ...rest } = image
    const read = readImage(resolve(dirname(file), imageFile ?? ''), imageFile)
    if (typeof read !== 'string') return { ...rest, ...read }
    problems.push({ path: ['images', index, 'file'], message: read })
    return undefined
  })
  if (problems.length > 0)
    throw new UsageError(
      `--seed ${file} has mistakes:\n${listMistakes(problems.map(({ path, key, message }) => `  ${locate(offsetOf(path, key))}  ${format(path)}${message}`))}`,
    )
  if (upstream !== undefined && seed!.books.length > 0)
    throw new UsageError('the books of --seed cannot be added to the API of --upstream')
  return {
    images: images.filter((image) => image !== undefined).map(withName),
    variants: seed!.variants as InitialData['variants'],
    hooks: seed!.hooks,
    books: seed!.books,
  }

  /**
   * Returns the position of a value or of one of its keys. If the value is missing, returns the
   * position of the innermost value around it.
   */
  function offsetOf(path: readonly PropertyKey[], key?: string): number {
    const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true)
    const keyNode = isMap(node)
      ? node.items.map((pair) => pair.key).find((one) => isScalar(one) && one.value === key)
      : undefined
    if (key !== undefined && isNode(keyNode) && keyNode.range) return keyNode.range[0]
    if (isNode(node) && node.range) return node.range[0]
    return path.length === 0 ? 0 : offsetOf(path.slice(0, -1))
  }
}

/** Reads the file of an image, or returns what is wrong with it. */
function readImage(
  path: string,
  file: string | undefined,
): { bytes?: Uint8Array; filename?: string } | string {
  if (file === undefined) return {}
  try {
    const bytes = readFileSync(path)
    return bytes.length === 0
      ? `names ${file}, which is empty`
      : { bytes, filename: basename(file) }
  } catch (error) {
    return `names ${file}, which cannot be read: ${whyUnreadable(error)}`
  }
}

const withName = ({ filename, ...image }: InitialImage): InitialImage => ({
  ...image,
  filename: filename ?? `${image.id}.png`,
})

const format = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the file '
    : `${path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`)).join('')} `

export type { SeedProblem }
