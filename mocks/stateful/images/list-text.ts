import type { Context } from './call.ts'
import type { Choices } from './choices.ts'
import { recordOf } from './picture.ts'
import type { Image } from './store.ts'

/** The beginning of a picture's text, up to its delivery URLs, and what it was made from. */
interface Beginning { id: string; filename: string; uploaded: number; requireSignedURLs: boolean; form: Choices['timestampForm']; text: string; pathPart: string }

// A list is mostly text that was written before, and writing it costs more than all else that a request does.
const beginnings = new WeakMap<Image, Beginning>()

/** Whether lists are of the form that `textOf` writes. */
export function hasUsualForm({ resultsCarryMetadata, resultsCarryDraft, extraFields, keyOrder, prettyJson }: Choices): boolean {
  return !resultsCarryMetadata && !resultsCarryDraft && !extraFields && keyOrder === 'natural' && !prettyJson
}

/** The records of pictures as JSON, without the brackets around them. */
export function textOf(server: Context, images: readonly Image[]): string {
  const { urls, options, store } = server
  const base = inner(`${urls.delivery}/${options.accountHash}/`)
  const ends: string[] = []
  for (const name of store.readVariants().keys()) ends.push(`/${inner(name)}"`)
  let text = ''
  for (const image of images) {
    const beginning = beginningOf(server, image)
    const url = base + beginning.pathPart
    text += text === '' ? beginning.text : `,${beginning.text}`
    for (let i = 0; i < ends.length; i++) text += `${i === 0 ? '"' : ',"'}${url}${ends[i]}`
    text += ']}'
  }
  return text
}

function beginningOf(server: Context, image: Image): Beginning {
  const known = beginnings.get(image)
  const { id, filename, uploaded, requireSignedURLs } = image
  const form = server.choices.timestampForm
  // Anybody may have changed a picture in the store, so nothing is taken for what it was without a look.
  if (known !== undefined && known.id === id && known.filename === filename && known.uploaded === uploaded
    && known.requireSignedURLs === requireSignedURLs && known.form === form) return known
  const whole = JSON.stringify({ ...recordOf(server, image, 'result'), variants: [] })
  const beginning = { id, filename, uploaded, requireSignedURLs, form, text: whole.slice(0, -']}'.length), pathPart: encodeURIComponent(id) }
  beginnings.set(image, beginning)
  return beginning
}

/** A text as JSON writes it, without its quotes. */
function inner(text: string): string { return JSON.stringify(text).slice(1, -1) }
