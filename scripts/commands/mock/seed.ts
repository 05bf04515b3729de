import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { InitialData, InitialImage } from '../../../mocks/registry.ts'
import { UsageError } from '../../print-error.ts'

interface SeedProblem {
  /** The keys and positions that lead to the value. */
  path: readonly PropertyKey[]
  message: string
}

/** Reads the file of --seed (YAML or JSON). Throws `UsageError` that lists every mistake. */
export async function readSeed(file: string): Promise<InitialData> {
  const text = readText(file)
  const { isNode, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const locate = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  const [fault] = document.errors
  if (fault !== undefined)
    throw new UsageError(`--seed ${locate(fault.pos[0])}  is not YAML: ${fault.message}`)
  const { checkSeed } = await import('./seed-schema.ts')
  const { seed, problems } = checkSeed((document.toJS() as unknown) ?? {})
  const images = (seed?.images ?? []).map((image, index) => {
    const { file: imageFile, ...rest } = image
    const read = readImage(resolve(dirname(file), imageFile ?? ''), imageFile)
    if (typeof read !== 'string') return { ...rest, ...read }
    problems.push({ path: ['images', index, 'file'], message: read })
    return undefined
  })
  if (problems.length > 0)
    throw new UsageError(
      `--seed ${file} has mistakes:\n${problems.map(({ path, message }) => `  ${locate(offsetOf(path))}  ${format(path)}${message}`).join('\n')}`,
    )
  return {
    images: images.filter((image) => image !== undefined).map(withName),
    hooks: seed!.hooks,
    books: seed!.books,
  }

  /** Where the value is, or the innermost value around it. */
  function offsetOf(path: readonly PropertyKey[]): number {
    const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true)
    if (isNode(node) && node.range) return node.range[0]
    return path.length === 0 ? 0 : offsetOf(path.slice(0, -1))
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--seed ${file} cannot be read: ${whyUnreadable(error)}`)
  }
}

const whyUnreadable = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === 'ENOENT'
    ? 'there is no such file'
    : (error as Error).message

/** Reads the file of an image, or returns what is wrong with it. */
function readImage(
  path: string,
  file: string | undefined,
): { bytes?: Uint8Array; filename?: string } | string {
  if (file === undefined) return {}
  try {
    const bytes = readFileSync(path)
    return bytes.length === 0 ? `${file} is empty` : { bytes, filename: basename(file) }
  } catch (error) {
    return `${file} cannot be read: ${whyUnreadable(error)}`
  }
}

const withName = ({ filename, ...image }: InitialImage): InitialImage => ({
  ...image,
  filename: filename ?? `${image.id}.png`,
})

const format = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? ''
    : `${path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`)).join('')}: `

export type { SeedProblem }
