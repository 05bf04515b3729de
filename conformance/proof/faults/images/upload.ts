import type { ImagesOperation } from '../../../../mocks/stateful/images.ts'
import type { ImagesFault } from './fault.ts'
import { countHit, type Hit } from '../../../../mocks/kit/kit.ts'
import {
  fault,
  isObject,
  onForm,
  onRequest,
  onResult,
  onStored,
  placeholder,
  refuse,
  replaceRules,
} from './building.ts'

const at = 'uploadImage'

/** Refuses a form without an optional part. */
const requireField = (name: string): ImagesFault['make'] =>
  onForm((form, hit) => {
    if (form.fields[name] === undefined) refuse(`${name} is missing`, hit)
  }, at)

/** Accepts metadata that is not an object, and converts it into one. */
const acceptMetadata = (
  matches: (value: unknown) => boolean,
  convert: (value: unknown) => unknown,
): ImagesFault['make'] =>
  onForm((form, hit) => {
    const value = parseMetadata(form.fields['metadata'])
    if (!matches(value)) return
    hit()
    form.fields['metadata'] = JSON.stringify(convert(value))
  }, at)

const invalidJson = Symbol('broken')
function parseMetadata(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return invalidJson
  }
}

const readFilenamesAsLatin1 = (name: string, where: ImagesOperation, place: string): ImagesFault =>
  fault(
    name,
    `Reads filenames as ISO 8859-1${place}.`,
    ['IMG-IMAGE-16'],
    onForm((form, hit) => {
      form.files = form.files.map((file) => {
        const filename = Buffer.from(file.filename, 'utf8').toString('latin1')
        if (filename !== file.filename) hit()
        return { ...file, filename }
      })
    }, where),
  )

/** Applies a change to the JSON text of the metadata that an upload stores. */
const rewriteMetadata = (change: (text: string) => string): ImagesFault['make'] =>
  onStored((image, hit) => {
    const text = JSON.stringify(image.metadata ?? {})
    if (change(text) === text) return
    hit()
    image.metadata = JSON.parse(change(text)) as Record<string, unknown>
  }, at)

/** Changes the id of an upload. */
const rewriteId = (change: (id: string) => string): ImagesFault['make'] =>
  onForm((form, hit) => {
    const { id } = form.fields
    if (id === undefined || change(id) === id) return
    hit()
    form.fields['id'] = change(id)
  }, at)

const refuseMetadata = (
  hit: Hit,
  text: string | undefined,
  matches: (text: string) => boolean,
  status = 400,
) => {
  if (text !== undefined && matches(text)) refuse('This metadata cannot be used', hit, status)
}

const beyondAscii = /[^\0-\x7f]/

export const upload: readonly ImagesFault[] = [
  fault(
    'upload-wants-a-part-named-image',
    'Requires the form part with the file of an upload to be named image.',
    ['IMG-UPLOAD-01'],
    onForm((form, hit) => {
      if (form.files.some(({ name }) => name === 'file')) hit()
      form.files = form.files
        .filter(({ name }) => name === 'image')
        .map((file) => ({ ...file, name: 'file' }))
    }, at),
  ),

  fault(
    'upload-without-an-image-is-stored',
    'Stores a placeholder for an upload with neither a file nor a URL.',
    ['IMG-UPLOAD-03'],
    onForm((form, hit) => {
      if (form.files.length > 0 || form.fields['url'] !== undefined) return
      hit()
      form.files.push(placeholder)
    }, at),
  ),
  fault(
    'upload-without-an-image-creates-a-draft',
    'Creates a draft for an upload with neither a file nor a URL.',
    ['IMG-UPLOAD-03'],
    (hit) => {
      const empty = new Set<string>()
      const addPlaceholder = onForm((form) => {
        if (form.files.length > 0 || form.fields['url'] !== undefined) return
        form.fields['id'] ??= `waiting-${empty.size}`
        empty.add(form.fields['id'])
        form.files.push(placeholder)
      }, at)(hit).around!
      const makeDraft = onStored((image) => {
        if (!empty.has(image.id)) return
        hit()
        image.draft = true
      }, at)(hit).around!
      return { around: (call, next) => makeDraft(call, () => addPlaceholder(call, next)) }
    },
  ),
  fault(
    'file-wins-over-url',
    'Stores the file if an upload has a file and a URL.',
    ['IMG-UPLOAD-04'],
    onForm((form, hit) => {
      if (form.files.length === 0 || form.fields['url'] === undefined) return
      hit()
      delete form.fields['url']
    }, at),
  ),
  fault(
    'url-wins-over-file',
    'Fetches the URL if an upload has a file and a URL.',
    ['IMG-UPLOAD-04'],
    onForm((form, hit) => {
      if (form.files.length === 0 || form.fields['url'] === undefined) return
      hit()
      form.files = []
    }, at),
  ),

  fault(
    'id-of-an-upload-is-ignored',
    'Ignores the id of an upload.',
    ['IMG-UPLOAD-05'],
    onForm((form, hit) => {
      if (form.fields['id'] !== undefined) hit()
      delete form.fields['id']
    }, at),
  ),
  fault(
    'id-of-an-upload-gets-an-ending',
    'Adds a file extension to the id of an upload.',
    ['IMG-UPLOAD-05'],
    onForm((form, hit) => {
      if (form.fields['id'] === undefined) return
      hit()
      form.fields['id'] += '.png'
    }, at),
  ),
  fault(
    'id-of-an-upload-is-refused',
    'Refuses an upload with an id.',
    ['IMG-UPLOAD-05'],
    onForm((form, hit) => {
      if (form.fields['id'] !== undefined) refuse('The service generates ids', hit)
    }, at),
  ),
  fault(
    'upload-requires-an-id',
    'Refuses an upload without an id.',
    ['IMG-UPLOAD-05', 'IMG-UPLOAD-01'],
    requireField('id'),
  ),

  fault(
    'flags-of-uploads-are-digits',
    'Accepts only 1 and 0 for requireSignedURLs of an upload.',
    ['IMG-UPLOAD-06'],
    replaceRules(
      (rules, hit) => ({
        parseFlag: countHit(hit, rules.parseFlag, (text) =>
          text === '1' ? true : text === '0' ? false : undefined,
        ),
      }),
      at,
    ),
  ),
  fault(
    'false-is-refused-in-uploads',
    'Refuses requireSignedURLs=false in an upload.',
    ['IMG-UPLOAD-06'],
    replaceRules(
      (rules, hit) => ({
        parseFlag: countHit(hit, rules.parseFlag, (text) => (text === 'true' ? true : undefined)),
      }),
      at,
    ),
  ),
  fault(
    'false-counts-as-true-in-uploads',
    'Treats requireSignedURLs=false in an upload as true.',
    ['IMG-UPLOAD-06'],
    replaceRules(
      (rules, hit) => ({
        parseFlag: countHit(hit, rules.parseFlag, (text) =>
          rules.parseFlag(text) === undefined ? undefined : true,
        ),
      }),
      at,
    ),
  ),
  fault(
    'true-is-ignored-in-uploads',
    'Returns requireSignedURLs: false for every upload.',
    ['IMG-UPLOAD-06'],
    onResult((result, hit) => {
      if (result['requireSignedURLs'] === true) hit()
      result['requireSignedURLs'] = false
    }, at),
  ),
  fault(
    'privacy-of-uploads-is-forgotten',
    'Stores an upload with requireSignedURLs=true as public.',
    ['IMG-UPLOAD-06', 'IMG-IMAGE-08'],
    onStored((image, hit) => {
      if (image.requireSignedURLs) hit()
      image.requireSignedURLs = false
    }, at),
  ),
  fault(
    'reading-shows-images-as-public',
    'Returns requireSignedURLs: false whenever an image is read.',
    ['IMG-UPLOAD-06', 'IMG-TICKET-05'],
    onResult((result, hit) => {
      if (result['requireSignedURLs'] === true) hit()
      result['requireSignedURLs'] = false
    }, 'getImage'),
  ),
  fault(
    'reading-shows-images-as-private',
    'Returns requireSignedURLs: true whenever an image is read.',
    ['IMG-UPLOAD-06', 'IMG-TICKET-05', 'IMG-GET-02'],
    onResult((result, hit) => {
      if (result['requireSignedURLs'] === false) hit()
      result['requireSignedURLs'] = true
    }, 'getImage'),
  ),
  fault(
    'upload-requires-requireSignedURLs',
    'Refuses an upload without requireSignedURLs.',
    ['IMG-UPLOAD-06', 'IMG-UPLOAD-01'],
    requireField('requireSignedURLs'),
  ),
  fault(
    'any-string-is-a-flag-in-uploads',
    'In an upload, treats every value of requireSignedURLs as false, unless it is true.',
    ['IMG-UPLOAD-08'],
    replaceRules(
      (rules, hit) => ({
        parseFlag: countHit(hit, rules.parseFlag, (text) => text === 'true'),
      }),
      at,
    ),
  ),

  fault(
    'metadata-of-uploads-is-refused',
    'Refuses an upload with metadata.',
    ['IMG-UPLOAD-09'],
    onForm(
      (form, hit) =>
        refuseMetadata(hit, form.fields['metadata'], (text) => isObject(parseMetadata(text))),
      at,
    ),
  ),
  fault(
    'metadata-of-uploads-breaks-down',
    'Returns 500 for an upload with a string in its metadata.',
    ['IMG-UPLOAD-09'],
    onForm(
      (form, hit) =>
        refuseMetadata(
          hit,
          form.fields['metadata'],
          (text) =>
            Object.values(Object(parseMetadata(text)) as object).some(
              (value) => typeof value === 'string',
            ),
          500,
        ),
      at,
    ),
  ),
  fault(
    'metadata-of-uploads-accepts-strings-only',
    'Refuses an upload whose metadata contains a value that is not a string.',
    ['IMG-UPLOAD-09', 'IMG-IMAGE-13'],
    onForm(
      (form, hit) =>
        refuseMetadata(hit, form.fields['metadata'], (text) => {
          const value = parseMetadata(text)
          return (
            isObject(value) && Object.values(value).some((member) => typeof member !== 'string')
          )
        }),
      at,
    ),
  ),
  fault(
    'upload-requires-metadata',
    'Refuses an upload without metadata.',
    ['IMG-UPLOAD-09', 'IMG-UPLOAD-01'],
    requireField('metadata'),
  ),

  fault(
    'array-as-metadata-of-uploads',
    'Accepts an array as the metadata of an upload.',
    ['IMG-UPLOAD-10'],
    acceptMetadata(Array.isArray, (value) => ({ ...(value as unknown[]) })),
  ),
  fault(
    'string-as-metadata-of-uploads',
    'Accepts a string as the metadata of an upload.',
    ['IMG-UPLOAD-10'],
    acceptMetadata(
      (value) => typeof value === 'string',
      (value) => ({ value }),
    ),
  ),
  fault(
    'number-as-metadata-of-uploads',
    'Accepts a number as the metadata of an upload.',
    ['IMG-UPLOAD-10'],
    acceptMetadata(
      (value) => typeof value === 'number',
      (value) => ({ value }),
    ),
  ),
  fault(
    'broken-metadata-of-uploads',
    'Ignores the metadata of an upload if it is not JSON.',
    ['IMG-UPLOAD-10'],
    acceptMetadata(
      (value) => value === invalidJson,
      () => ({}),
    ),
  ),

  fault(
    'filename-beyond-ascii-is-refused',
    'Refuses a file with a non-ASCII name.',
    ['IMG-UPLOAD-11'],
    onForm((form, hit) => {
      if (form.files.some(({ filename }) => beyondAscii.test(filename)))
        refuse('This filename cannot be used', hit)
    }, at),
  ),
  readFilenamesAsLatin1('filename-is-read-as-latin-1', at, ''),
  readFilenamesAsLatin1(
    'batch-filename-is-read-as-latin-1',
    'batchUploadImage',
    ' at the batch host',
  ),
  fault(
    'metadata-beyond-ascii-is-refused',
    'Refuses metadata with non-ASCII characters.',
    ['IMG-UPLOAD-11'],
    onForm(
      (form, hit) => refuseMetadata(hit, form.fields['metadata'], (text) => beyondAscii.test(text)),
      at,
    ),
  ),
  fault(
    'metadata-is-trimmed',
    'Removes spaces at the start and end of strings in metadata.',
    ['IMG-IMAGE-13'],
    rewriteMetadata((text) => text.replace(/" +|(?<=\S) +"/g, '"')),
  ),
  fault(
    'metadata-loses-empty-strings',
    'Replaces empty strings in metadata with null.',
    ['IMG-IMAGE-13'],
    rewriteMetadata((text) => text.replaceAll(':""', ':null')),
  ),
  fault(
    'metadata-is-escaped-for-html',
    'Escapes angle brackets and ampersands in metadata.',
    ['IMG-IMAGE-13'],
    rewriteMetadata((text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ),
  ),
  fault(
    'id-of-an-upload-is-cut-at-a-dot',
    'Removes what follows the last dot in the id of an upload.',
    ['IMG-UPLOAD-05'],
    rewriteId((id) => id.replace(/\.[^.]*$/, '')),
  ),
  fault(
    'id-of-an-upload-loses-its-folders',
    'Keeps only what follows the last slash in the id of an upload.',
    ['IMG-UPLOAD-05'],
    rewriteId((id) => id.replace(/^.*\//, '')),
  ),
  fault(
    'refused-uploads-replace-the-metadata',
    'Refuses an upload with an id that is in use, but stores its metadata.',
    ['IMG-GET-02'],
    onRequest(async (call, next, hit) => {
      const { fields } = await call.form().catch(() => ({ fields: {} as Record<string, string> }))
      const image = call.server.store.get(fields['id'] ?? '')
      const reply = await next()
      const metadata = parseMetadata(fields['metadata'])
      if (image === undefined || reply.status === 200 || !isObject(metadata)) return reply
      hit()
      image.metadata = metadata
      return reply
    }, at),
  ),
  fault(
    'metadata-loses-emoji',
    'Replaces characters above U+FFFF in metadata with question marks.',
    ['IMG-UPLOAD-11'],
    rewriteMetadata((text) => text.replace(/[^\0-\uffff]/gu, '?')),
  ),
  fault(
    'metadata-is-decomposed',
    'Decomposes letters with accents in metadata.',
    ['IMG-UPLOAD-11'],
    rewriteMetadata((text) => text.normalize('NFD')),
  ),
]
