import { nameOf, type Keys } from './keys.ts'
import { nearest } from './nearest.ts'
import { TargetError } from './error.ts'
import { kinds } from './kinds.ts'
import { readUserFile } from './user-file.ts'
import { parseYaml, valueOf } from './yaml.ts'

/** A value as the user wrote it, and its location. */
export interface GivenValue {
  value: unknown
  /** `touchstone.yaml:3:10`, `--images-url`, `IMAGES_TOKEN` */
  location: string
  /**
   * Whether the value is a string from an option or a variable, which may represent a number or a
   * boolean.
   */
  loose?: boolean
  /** The folder to which names of files are relative. */
  folder?: string
  /** Returns the location of a member of an item of a list. */
  locateItem?: (index: number, member?: string) => string
}

export interface TargetFile {
  /** The given values, by path. */
  given: Map<string, GivenValue>
  /** The sections of the file, including empty ones. */
  declared: Set<string>
  /** One line for each mistake, with its location. */
  problems: string[]
}

// In a YAML map in braces, the closing brace of `${NAME}` would end the map. While YAML is parsed,
// these two characters therefore replace the braces of variables. Each brace is replaced by one
// character, so that lines and columns in messages stay correct.
const [openMark, closeMark] = ['\u{E000}', '\u{E001}']

/** What reports write in lines to copy, in place of a value that only the user knows. */
const placeholder = '…'

/** Reads a target file. Throws a `TargetError` if it cannot be read. */
export function readTargetFile(path: string, name: string): string {
  const read = readUserFile(path)
  if ('wrong' in read)
    throw new TargetError(
      `${name}: ${read.wrong}.\nNext: name a file with --target, or let npx touchstone init write one.`,
    )
  return read.text
}

/** Parses a target file (YAML). Collects all mistakes. Throws only if the file is not YAML. */
export async function parseTarget(
  keys: Keys,
  text: string,
  name: string,
  environment: NodeJS.ProcessEnv,
): Promise<TargetFile> {
  const { isAlias, isMap, isScalar, isSeq } = await import('yaml')
  const parsed = await parseYaml(
    text.replace(/\$\{([^{}\n]*)\}/g, `$$${openMark}$1${closeMark}`),
    name,
  )
  if ('wrong' in parsed) throw new TargetError(restoreBraces(parsed.wrong))
  const { document, locate, locateItem } = parsed

  const found: TargetFile = { given: new Map(), declared: new Set(), problems: [] }
  walk('', document.contents, 0)
  return found

  function walk(section: string, node: unknown, offset: number): void {
    if (isAlias(node)) return walk(section, node.resolve(document), offset)
    if (node === null || (isScalar(node) && node.value === null)) return
    if (!isMap(node)) {
      const what = section === '' ? 'the file' : section
      found.problems.push(
        `${locate(offset)}  ${what} is not a map; expected the keys ${keys.namesIn(section).join(', ')}`,
      )
      return
    }
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const at = key.range?.[0] ?? offset
      const path = section === '' ? String(key.value) : `${section}.${String(key.value)}`
      if (keys.findGroup(path) !== undefined) {
        found.declared.add(path)
        walk(path, value, at)
      } else if (keys.find(path) !== undefined) readKey(path, value, at)
      else
        found.problems.push(`${locate(at)}  ${describeUnknown(keys, section, String(key.value))}`)
    }
  }

  function readKey(path: string, node: unknown, offset: number): void {
    const content = isAlias(node) ? node.resolve(document) : node
    const at = locate(
      (isScalar(content) || isSeq(content) || isMap(content) ? content.range?.[0] : undefined) ??
        offset,
    )
    const { container } = kinds[keys.find(path)!.kind]
    if ((isMap(content) && container === 'map') || (isSeq(content) && container === 'list')) {
      const read = valueOf(document, content)
      if ('wrong' in read) found.problems.push(`${at}  ${path} ${read.wrong}`)
      found.given.set(path, {
        value: 'wrong' in read ? undefined : fillInAll(path, read.value, at),
        location: at,
        ...(isSeq(content) ? { locateItem: locateItem.bind(undefined, content) } : {}),
      })
      return
    }
    if (content !== null && content !== undefined && !isScalar(content)) {
      found.problems.push(
        `${at}  ${path} is ${isMap(content) ? 'a map' : 'a list'}; expected ${container === undefined ? 'a single value' : `a ${container}`}`,
      )
      return
    }
    found.given.set(path, { ...fillIn(path, content?.value ?? null, at), location: at })
  }

  /** Fills in the variables in all strings of a value. Returns undefined if one is not set. */
  function fillInAll(path: string, value: unknown, at: string): unknown {
    let isComplete = true
    const fill = (inner: unknown): unknown => {
      if (Array.isArray(inner)) return inner.map(fill)
      if (typeof inner === 'object' && inner !== null)
        return Object.fromEntries(
          Object.entries(inner).map(([name, member]) => [name, fill(member)]),
        )
      const { value: text } = fillIn(path, inner, at)
      if (inner !== undefined && text === undefined) isComplete = false
      return text
    }
    const content = fill(value)
    return isComplete ? content : undefined
  }

  /**
   * Fills in the variables of a value. If a variable is not set, adds a problem and returns
   * undefined.
   */
  function fillIn(path: string, value: unknown, at: string): Pick<GivenValue, 'value' | 'loose'> {
    if (value === placeholder) {
      const problem = `${at}  ${path} contains …, the placeholder of a copied line. Replace it.`
      // A copied map can contain many placeholders.
      if (!found.problems.includes(problem)) found.problems.push(problem)
      return { value: undefined, loose: true }
    }
    if (typeof value !== 'string' || !value.includes(`$${openMark}`)) return { value }
    let unset = false
    const text = value.replace(
      new RegExp(`\\$${openMark}(.*?)${closeMark}`, 'g'),
      (_, variable: string) => {
        const set = environment[variable]
        if (set === undefined || set === '') {
          unset = true
          found.problems.push(
            `${at}  ${path} needs the variable ${variable}, which is ${set === '' ? 'empty' : 'not set'}. Next: export ${variable}=…`,
          )
        }
        return set ?? ''
      },
    )
    // The key still counts as set, so that it is not also reported as missing.
    return { value: unset ? undefined : text, loose: true }
  }
}

function describeUnknown(keys: Keys, section: string, name: string): string {
  const where = section === '' ? 'the target file' : section
  const renamed = keys.findRenamed(`${section}.${name}`)
  if (renamed !== undefined)
    return `${where} has no key ${name}: it is called ${nameOf(renamed.path)} now.`
  const names = keys.namesIn(section)
  const near =
    nearest(name, names) ??
    keys.all.map(({ path }) => path).find((path) => path.endsWith(`.${name}`))
  const hint = near === undefined ? `It has ${names.join(', ')}.` : `Did you mean ${near}?`
  return `${where} has no key ${restoreBraces(name)}. ${hint}`
}

function restoreBraces(text: string): string {
  return text.replaceAll(openMark, '{').replaceAll(closeMark, '}')
}
