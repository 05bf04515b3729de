type Holder = Record<string | number, unknown>

/**
 * Copies a payload and sets one field: `object_attributes.action=close`, `labels[0].title="a b"`,
 * `commits.1.added=[]`. The value is JSON, or else a string. The last name of the path may be new,
 * or the next index of its array; everything before it must exist. Throws an error with a readable
 * message if the field cannot be set.
 */
export function withValue<P extends object>(payload: P, assignment: string): P {
  const mark = assignment.indexOf('=')
  if (mark < 1) throw new Error(`${assignment} is not an assignment of the form path=value`)
  const steps = stepsOf(assignment.slice(0, mark))
  const copy = structuredClone(payload)
  let holder: unknown = copy
  for (const [at, step] of steps.entries()) {
    const seen = steps.slice(0, at + 1).join('.')
    if (typeof holder !== 'object' || holder === null)
      throw new Error(`${seen} cannot be set: ${steps.slice(0, at).join('.')} has no members`)
    const last = at === steps.length - 1
    if (!canSet(holder, step, last))
      throw new Error(
        `${seen} does not exist${Array.isArray(holder) ? `: the array has ${holder.length} elements` : ''}`,
      )
    // Defined instead of assigned, so that names such as __proto__ have no special meaning.
    if (last)
      Object.defineProperty(holder, step, {
        value: valueOf(assignment.slice(mark + 1)),
        writable: true,
        enumerable: true,
        configurable: true,
      })
    else holder = (holder as Holder)[step]
  }
  return copy
}

function stepsOf(path: string): string[] {
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  if (steps.includes(''))
    throw new Error(`${path} is not a path of names and indexes, joined by dots`)
  return steps
}

function canSet(holder: object, step: string, last: boolean): boolean {
  if (Array.isArray(holder))
    return /^\d+$/.test(step) && Number(step) < holder.length + (last ? 1 : 0)
  return last || Object.hasOwn(holder, step)
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
