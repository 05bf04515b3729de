import type { ImagesFault } from './fault.ts'
import { countHit, type Hit } from '../../../../mocks/kit/kit.ts'
import {
  fault,
  isObject,
  onForm,
  onResult,
  onStored,
  placeholder,
  refuse,
  replaceRules,
} from './building.ts'

const at = 'uploadImage'

/** Demands a part of the form that is optional. */
const demands = (name: string): ImagesFault['make'] =>
  onForm((form, hit) => {
    if (form.fields[name] === undefined) refuse(`${name} is missing`, hit)
  }, at)

/** Takes metadata that is no object, and makes what it can of it. */
const takes = (
  fits: (value: unknown) => boolean,
  made: (value: unknown) => unknown,
): ImagesFault['make'] =>
  onForm((form, hit) => {
    const value = parsed(form.fields['metadata'])
    if (!fits(value)) return
    hit()
    form.fields['metadata'] = JSON.stringify(made(value))
  }, at)

const broken = Symbol('broken')
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return broken
  }
}

/** Loses something of an upload's metadata. */
const rewritten = (change: (text: string) => string): ImagesFault['make'] =>
  onStored((image, hit) => {
    const text = JSON.stringify(image.metadata ?? {})
    if (change(text) === text) return
    hit()
    image.metadata = JSON.parse(change(text)) as Record<string, unknown>
  }, at)

const refusesMetadata = (
  hit: Hit,
  text: string | undefined,
  fits: (text: string) => boolean,
  status = 400,
) => {
  if (text !== undefined && fits(text)) refuse('This metadata cannot be taken', hit, status)
}

const beyondAscii = /[^\0-\x7f]/

export const upload: readonly ImagesFault[] = [
  fault(
    'upload-wants-a-part-named-image',
    'The file of an upload is looked for in a part named image.',
    ['IMG-UPLOAD-01'],
    onForm((form, hit) => {
      if (form.files.some(({ name }) => name === 'file')) hit()
      form.files = form.files
        .filter(({ name }) => name === 'image')
        .map((file) => ({ ...file, name: 'file' }))
    }, at),
  ),

  fault(
    'upload-without-a-picture-is-stored',
    'An upload with neither a file nor a URL stores a placeholder.',
    ['IMG-UPLOAD-03'],
    onForm((form, hit) => {
      if (form.files.length > 0 || form.fields['url'] !== undefined) return
      hit()
      form.files.push(placeholder)
    }, at),
  ),
  fault(
    'upload-without-a-picture-makes-a-draft',
    'An upload with neither a file nor a URL makes an image that waits for its file.',
    ['IMG-UPLOAD-03'],
    (hit) => {
      const empty = new Set<string>()
      const waits = onForm((form) => {
        if (form.files.length > 0 || form.fields['url'] !== undefined) return
        form.fields['id'] ??= `waiting-${empty.size}`
        empty.add(form.fields['id'])
        form.files.push(placeholder)
      }, at)(hit).around!
      const told = onStored((image) => {
        if (!empty.has(image.id)) return
        hit()
        image.draft = true
      }, at)(hit).around!
      return { around: (call, next) => told(call, () => waits(call, next)) }
    },
  ),
  fault(
    'file-wins-over-url',
    'Where an upload has a file and a URL, the file is stored and the URL passed over.',
    ['IMG-UPLOAD-04'],
    onForm((form, hit) => {
      if (form.files.length === 0 || form.fields['url'] === undefined) return
      hit()
      delete form.fields['url']
    }, at),
  ),
  fault(
    'url-wins-over-file',
    'Where an upload has a file and a URL, the picture is fetched and the file passed over.',
    ['IMG-UPLOAD-04'],
    onForm((form, hit) => {
      if (form.files.length === 0 || form.fields['url'] === undefined) return
      hit()
      form.files = []
    }, at),
  ),

  fault(
    'id-of-an-upload-is-passed-over',
    'An upload that supplies an id gets another one.',
    ['IMG-UPLOAD-05'],
    onForm((form, hit) => {
      if (form.fields['id'] !== undefined) hit()
      delete form.fields['id']
    }, at),
  ),
  fault(
    'id-of-an-upload-gets-an-ending',
    'The id that an upload supplies gets the ending of its file.',
    ['IMG-UPLOAD-05'],
    onForm((form, hit) => {
      if (form.fields['id'] === undefined) return
      hit()
      form.fields['id'] += '.png'
    }, at),
  ),
  fault(
    'id-of-an-upload-is-refused',
    'An upload that supplies an id is refused.',
    ['IMG-UPLOAD-05'],
    onForm((form, hit) => {
      if (form.fields['id'] !== undefined) refuse('Ids are given by the service', hit)
    }, at),
  ),
  fault(
    'upload-demands-an-id',
    'An upload without an id is refused.',
    ['IMG-UPLOAD-05', 'IMG-UPLOAD-01'],
    demands('id'),
  ),

  fault(
    'flags-of-uploads-are-digits',
    'requireSignedURLs of an upload is taken as 1 and 0 only.',
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
    'requireSignedURLs of an upload is taken as true only.',
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
    'The text false for requireSignedURLs counts as true.',
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
    'true-is-passed-over-in-uploads',
    'The answer to an upload always shows requireSignedURLs false.',
    ['IMG-UPLOAD-06'],
    onResult((result, hit) => {
      if (result['requireSignedURLs'] === true) hit()
      result['requireSignedURLs'] = false
    }, at),
  ),
  fault(
    'privacy-of-uploads-is-forgotten',
    'An upload that sets requireSignedURLs to true is stored as public.',
    ['IMG-UPLOAD-06', 'IMG-IMAGE-08'],
    onStored((image, hit) => {
      if (image.requireSignedURLs) hit()
      image.requireSignedURLs = false
    }, at),
  ),
  fault(
    'reading-shows-images-as-public',
    'Reading an image always shows requireSignedURLs false.',
    ['IMG-UPLOAD-06', 'IMG-TICKET-05'],
    onResult((result, hit) => {
      if (result['requireSignedURLs'] === true) hit()
      result['requireSignedURLs'] = false
    }, 'getImage'),
  ),
  fault(
    'reading-shows-images-as-private',
    'Reading an image always shows requireSignedURLs true.',
    ['IMG-UPLOAD-06', 'IMG-TICKET-05', 'IMG-GET-02'],
    onResult((result, hit) => {
      if (result['requireSignedURLs'] === false) hit()
      result['requireSignedURLs'] = true
    }, 'getImage'),
  ),
  fault(
    'upload-demands-requireSignedURLs',
    'An upload without requireSignedURLs is refused.',
    ['IMG-UPLOAD-06', 'IMG-UPLOAD-01'],
    demands('requireSignedURLs'),
  ),
  fault(
    'any-text-is-a-flag-in-uploads',
    'Any text but true counts as false for requireSignedURLs of an upload.',
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
    'An upload with metadata is refused.',
    ['IMG-UPLOAD-09'],
    onForm(
      (form, hit) =>
        refusesMetadata(hit, form.fields['metadata'], (text) => isObject(parsed(text))),
      at,
    ),
  ),
  fault(
    'metadata-of-uploads-breaks-down',
    'An upload whose metadata holds a text ends in an internal error.',
    ['IMG-UPLOAD-09'],
    onForm(
      (form, hit) =>
        refusesMetadata(
          hit,
          form.fields['metadata'],
          (text) =>
            Object.values(Object(parsed(text)) as object).some(
              (value) => typeof value === 'string',
            ),
          500,
        ),
      at,
    ),
  ),
  fault(
    'metadata-of-uploads-takes-texts-only',
    'An upload whose metadata holds anything but texts is refused.',
    ['IMG-UPLOAD-09', 'IMG-IMAGE-13'],
    onForm(
      (form, hit) =>
        refusesMetadata(hit, form.fields['metadata'], (text) => {
          const value = parsed(text)
          return (
            isObject(value) && Object.values(value).some((member) => typeof member !== 'string')
          )
        }),
      at,
    ),
  ),
  fault(
    'upload-demands-metadata',
    'An upload without metadata is refused.',
    ['IMG-UPLOAD-09', 'IMG-UPLOAD-01'],
    demands('metadata'),
  ),

  fault(
    'array-as-metadata-of-uploads',
    'An upload may have an array for metadata.',
    ['IMG-UPLOAD-10'],
    takes(Array.isArray, (value) => ({ ...(value as unknown[]) })),
  ),
  fault(
    'text-as-metadata-of-uploads',
    'An upload may have a JSON text for metadata.',
    ['IMG-UPLOAD-10'],
    takes(
      (value) => typeof value === 'string',
      (value) => ({ value }),
    ),
  ),
  fault(
    'number-as-metadata-of-uploads',
    'An upload may have a number for metadata.',
    ['IMG-UPLOAD-10'],
    takes(
      (value) => typeof value === 'number',
      (value) => ({ value }),
    ),
  ),
  fault(
    'broken-metadata-of-uploads',
    'Metadata of an upload that is no JSON is passed over.',
    ['IMG-UPLOAD-10'],
    takes(
      (value) => value === broken,
      () => ({}),
    ),
  ),

  fault(
    'filename-beyond-ascii-is-refused',
    'An upload whose file has a name beyond ASCII is refused.',
    ['IMG-UPLOAD-11'],
    onForm((form, hit) => {
      if (form.files.some(({ filename }) => beyondAscii.test(filename)))
        refuse('This filename cannot be used', hit)
    }, at),
  ),
  fault(
    'metadata-beyond-ascii-is-refused',
    'An upload whose metadata goes beyond ASCII is refused.',
    ['IMG-UPLOAD-11'],
    onForm(
      (form, hit) =>
        refusesMetadata(hit, form.fields['metadata'], (text) => beyondAscii.test(text)),
      at,
    ),
  ),
  fault(
    'metadata-loses-emoji',
    'Characters of metadata beyond the first plane of Unicode become question marks.',
    ['IMG-UPLOAD-11'],
    rewritten((text) => text.replace(/[^\0-\uffff]/gu, '?')),
  ),
  fault(
    'metadata-is-decomposed',
    'Letters with accents in metadata are taken apart into letter and accent.',
    ['IMG-UPLOAD-11'],
    rewritten((text) => text.normalize('NFD')),
  ),
]
