import type { Document, YAMLParseError, YAMLSeq } from 'yaml'
import { findDeepYaml } from './user-file.ts'

/** A YAML document with the locations of its parts. */
export interface LocatedYaml {
  readonly document: Document.Parsed
  /** Returns the location of a character: `touchstone.yaml:3:10`. */
  locate(offset: number | undefined): string
  /**
   * Returns the location of a member of an item of a list: of its value or, if it has none, of its
   * key or of the item.
   */
  locateItem(list: YAMLSeq, index: number, member?: string): string
}

/**
 * Parses YAML or JSON. `name` is the name of the file. If the text cannot be parsed, returns a
 * message with the location.
 */
export async function parseYaml(
  text: string,
  name: string,
): Promise<LocatedYaml | { wrong: string }> {
  const wrong = findDeepYaml(text)
  if (wrong !== undefined) return { wrong: `${name}  ${wrong}` }
  const { LineCounter, isAlias, isMap, isNode, isScalar, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const locate = (offset = 0) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const offsetOf = (node: unknown) => (isNode(node) ? node.range?.[0] : undefined)
  const locateItem = (list: YAMLSeq, index: number, member?: string) => {
    const item = list.items[index]
    const content = isAlias(item) ? item.resolve(document) : item
    const pair = isMap(content)
      ? content.items.find(({ key }) => isScalar(key) && key.value === member)
      : undefined
    return locate(offsetOf(pair?.value) ?? offsetOf(pair?.key) ?? offsetOf(item) ?? offsetOf(list))
  }
  const [fault] = document.errors
  const indented = offsetOfIndentedKey(document, text)
  if (indented !== undefined)
    return {
      wrong: `${locate(indented)}  is not YAML: the line is indented too far; indent it like the other keys of its map`,
    }
  return fault === undefined
    ? { document, locate, locateItem }
    : { wrong: `${locate(fault.pos[0])}  is not YAML: ${describeFault(fault, text)}` }
}

/** Describes a mistake. Names a key that appears twice, as it does if a copied part has it. */
function describeFault({ code, pos, message }: YAMLParseError, text: string): string {
  const key = /^["']?([\w.-]+)/.exec(text.slice(pos[0]))?.[1]
  return code === 'DUPLICATE_KEY' && key !== undefined
    ? `the key ${key} appears twice in its map; put what is below both into one`
    : message
}

/**
 * Where a key begins that is indented further than the map to which it belongs. YAML then continues
 * the value above it, so the error of the parser is about that value.
 */
function offsetOfIndentedKey({ errors }: Document.Parsed, text: string): number | undefined {
  const [fault] = errors
  if (fault?.code !== 'BLOCK_AS_IMPLICIT_KEY') return undefined
  const key = errors.find(
    ({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === fault.pos[0],
  )
  if (key === undefined) return undefined
  const lineStart = text.lastIndexOf('\n', key.pos[1] - 1) + 1
  return lineStart + text.slice(lineStart).search(/\S/)
}

/**
 * Returns the value of a document, or of a part of it. Returns a phrase if its aliases form a
 * circle, or if they are so many that the value would fill the memory.
 */
export function valueOf(
  document: Document.Parsed,
  part?: Pick<YAMLSeq, 'toJS'>,
): { value: unknown } | { wrong: string } {
  try {
    const value: unknown = part === undefined ? document.toJS() : part.toJS(document)
    JSON.stringify(value)
    return { value }
  } catch (error) {
    // The message ends with the name of the alias.
    if (error instanceof ReferenceError) return { wrong: `is not YAML: ${error.message}` }
    return { wrong: 'has aliases that form a circle, or has too many aliases' }
  }
}
