import type { ImagesContext } from './call.ts'
import type { UploadForm } from './form.ts'
import { ImagesRefusal } from './refusal.ts'

type Metadata = Record<string, unknown>

/**
 * The metadata of an upload form: JSON, or one part for each value as the published SDK sends it.
 */
export function metadataOfForm(server: ImagesContext, form: UploadForm): Metadata | undefined {
  const text = form.fields['metadata']
  if (text === undefined) {
    const joined = joinMetadataParts(form)
    return joined === undefined ? undefined : checkMetadata(server, joined, JSON.stringify(joined))
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ImagesRefusal('metadata-not-json', 400, 'metadata is not JSON')
  }
  return checkMetadata(
    server,
    value,
    server.choices.metadataMeasure === 'compact' ? JSON.stringify(value) : text,
  )
}

/** The metadata of a JSON body, measured as compact JSON. */
export function metadataOfJson(server: ImagesContext, value: unknown): Metadata | undefined {
  return value === undefined ? undefined : checkMetadata(server, value, JSON.stringify(value))
}

function checkMetadata({ rules }: ImagesContext, value: unknown, measured: string): Metadata {
  if (!rules.isMetadata(value))
    throw new ImagesRefusal('metadata-not-object', 400, 'metadata must be a JSON object')
  if (rules.measureMetadata(measured) > rules.maxMetadataBytes)
    throw new ImagesRefusal(
      'metadata-too-large',
      400,
      `metadata is larger than ${rules.maxMetadataBytes} bytes`,
    )
  return value as Metadata
}

/** Joins parts such as `metadata[a][b]` and `metadata[list][]` into one object. */
function joinMetadataParts({ fields, lists }: UploadForm): Metadata | undefined {
  let root: Metadata | undefined
  for (const [name, value] of [...Object.entries(fields), ...Object.entries(lists)]) {
    if (!/^metadata(\[[^[\]]+\])+(\[\])?$/.test(name)) continue
    root ??= Object.create(null) as Metadata
    const keys = [...name.matchAll(/\[([^[\]]+)\]/g)].map((match) => match[1] as string)
    const last = keys.pop() as string
    let holder = root
    for (const key of keys) {
      const next = holder[key]
      holder = (
        typeof next === 'object' && next !== null ? next : (holder[key] = Object.create(null))
      ) as Metadata
    }
    holder[last] = value
  }
  return root
}
