type Holder = Record<string | number, unknown>

/**
 * Copies a payload and sets one field: `object_attributes.action=close`, `labels[0].title="a b"`,
 * `commits.1.added=[]`. The value is parsed as JSON; if it is not JSON, it is used as a string. The
 * last step of the path may be a new name, or the next index of an array. All steps before the last
 * one must exist. Throws an error with a readable message if the field cannot be set.
 */
export function withValue<P extends object>(payload: P, assignment: string): P {
  const equalsSign = assignment.indexOf('=')
  if (equalsSign < 1) throw new Error(`${assignment} is not an assignment of the form path=value`)
  const steps = stepsOf(assignment.slice(0, equalsSign))
  const copy = structuredClone(payload)
  let holder: unknown = copy
  for (const [index, step] of steps.entries()) {
    const pathSoFar = steps.slice(0, index + 1).join('.')
    if (typeof holder !== 'object' || holder === null)
      throw new Error(
        `${pathSoFar} cannot be set: ${steps.slice(0, index).join('.')} has no members`,
      )
    const isLast = index === steps.length - 1
    if (!canSet(holder, step, isLast))
      throw new Error(
        `${pathSoFar} does not exist${Array.isArray(holder) ? `: the array has ${holder.length} elements` : ''}`,
      )
    // Defines the member instead of assigning it, so that names such as __proto__ have no special
    // meaning.
    if (isLast)
      Object.defineProperty(holder, step, {
        value: valueOf(assignment.slice(equalsSign + 1)),
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

function canSet(holder: object, step: string, isLast: boolean): boolean {
  if (Array.isArray(holder))
    return /^\d+$/.test(step) && Number(step) < holder.length + (isLast ? 1 : 0)
  return isLast || Object.hasOwn(holder, step)
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
