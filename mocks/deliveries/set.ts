type Holder = Record<string | number, unknown>

/**
 * A copy of a payload in which one place is set: `object_attributes.action=close`, `labels[0].title="a b"`, `commits.1.added=[]`. The value
 * is JSON, or else text as it stands. The last name of the path may be new, and an index may be the next one of its array; everything
 * before must be there. Throws an error in words for people where the place cannot be.
 */
export function withSet<P extends object>(payload: P, assignment: string): P {
  const mark = assignment.indexOf('=')
  if (mark < 1) throw new Error(`${assignment} is no assignment: it wants path=value`)
  const steps = stepsOf(assignment.slice(0, mark))
  const copy = structuredClone(payload)
  let holder: unknown = copy
  for (const [at, step] of steps.entries()) {
    const seen = steps.slice(0, at + 1).join('.')
    if (typeof holder !== 'object' || holder === null)
      throw new Error(`${seen} cannot be set: ${steps.slice(0, at).join('.')} holds no members`)
    const last = at === steps.length - 1
    if (!fits(holder, step, last))
      throw new Error(
        `${seen} is not there${Array.isArray(holder) ? `: the array has ${holder.length} elements` : ''}`,
      )
    // Defined and not assigned: a name such as __proto__ is one like any other.
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
    throw new Error(`${path} is no path: names and indexes are joined by dots`)
  return steps
}

function fits(holder: object, step: string, last: boolean): boolean {
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
