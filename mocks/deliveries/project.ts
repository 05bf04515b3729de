type Node = Record<string, unknown>

/** Members that hold a project as an object. */
const projects: readonly string[] = ['project', 'source', 'target']

/** Moves a payload to another project, in place: its own id changes wherever it stands for a project, in URLs too. Forks keep theirs. */
export function inProject(payload: Node, id: number): void {
  const own = idOf(payload)
  if (own !== undefined) move(payload, '', own, id)
}

function idOf(payload: Node): number | undefined {
  const found =
    (payload['project'] as { id?: unknown } | null | undefined)?.id ?? payload['project_id']
  return typeof found === 'number' ? found : undefined
}

function move(holder: object, name: string, from: number, to: number): void {
  for (const [key, value] of Object.entries(holder)) {
    // What a field was and is goes by the field's name.
    const own = Array.isArray(holder) || key === 'previous' || key === 'current' ? name : key
    if (
      value === from &&
      (/(^|_)project_id$/.test(own) || (key === 'id' && projects.includes(name)))
    )
      (holder as Node)[key] = to
    else if (typeof value === 'string')
      (holder as Node)[key] = value.includes('://')
        ? value.replace(/(?<=\/projects?\/)\d+(?=$|[/?#])/, (id) =>
            id === String(from) ? String(to) : id,
          )
        : value
    else if (typeof value === 'object' && value !== null) move(value, own, from, to)
  }
}
