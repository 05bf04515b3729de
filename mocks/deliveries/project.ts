type Node = Record<string, unknown>

/** Fields that contain a project as an object. */
const projects: readonly string[] = ['project', 'source', 'target']

/**
 * Moves a payload to another project, in place: the project's id changes everywhere, even in URLs.
 * Forks keep their ids.
 */
export function moveToProject(payload: Node, id: number): void {
  const currentId = projectIdOf(payload)
  if (currentId !== undefined) replaceProjectIds(payload, '', currentId, id)
}

function projectIdOf(payload: Node): number | undefined {
  const found =
    (payload['project'] as { id?: unknown } | null | undefined)?.id ?? payload['project_id']
  return typeof found === 'number' ? found : undefined
}

function replaceProjectIds(holder: object, name: string, from: number, to: number): void {
  for (const [key, value] of Object.entries(holder)) {
    // `previous` and `current` contain the old and the new value of a changed field. They are
    // treated like that field.
    const fieldName = Array.isArray(holder) || key === 'previous' || key === 'current' ? name : key
    if (
      value === from &&
      (/(^|_)project_id$/.test(fieldName) || (key === 'id' && projects.includes(name)))
    )
      (holder as Node)[key] = to
    else if (typeof value === 'string')
      (holder as Node)[key] = value.includes('://')
        ? value.replace(/(?<=\/projects?\/)\d+(?=$|[/?#])/, (id) =>
            id === String(from) ? String(to) : id,
          )
        : value
    else if (typeof value === 'object' && value !== null)
      replaceProjectIds(value, fieldName, from, to)
  }
}
