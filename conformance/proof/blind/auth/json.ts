export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parsed value, or undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The names and raw values of the members of a valid JSON object, in order, with duplicates. */
export function topLevelMembers(text: string): { name: string; raw: string }[] {
  const members: { name: string; raw: string }[] = []
  const inner = text.trim().slice(1, -1)
  for (const part of splitOutside(inner, ',')) {
    const [name, ...rest] = splitOutside(part, ':')
    if (name !== undefined && rest.length > 0) {
      members.push({ name: String(parseJson(name.trim())), raw: rest.join(':').trim() })
    }
  }
  return members
}

/** Splits at a separator that is outside of strings, arrays and objects. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (quoted) {
      if (character === '\\') at += 1
      else if (character === '"') quoted = false
    } else if (character === '"') {
      quoted = true
    } else if ('{['.includes(character)) {
      depth += 1
    } else if ('}]'.includes(character)) {
      depth -= 1
    } else if (character === separator && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts.filter((part) => part.trim() !== '')
}
