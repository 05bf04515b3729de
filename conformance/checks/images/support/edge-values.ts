/**
 * JSON objects as strings. `bytes` returns one of this many bytes, and `euros` one with this many
 * euro signs, each of which takes three bytes.
 */
export const metadataOf = {
  bytes: (bytes: number) => JSON.stringify({ k: 'x'.repeat(bytes - '{"k":""}'.length) }),
  euros: (characters: number) => JSON.stringify({ k: '€'.repeat(characters) }),
}

/** A filename and metadata with letters of several scripts and Unicode planes. */
export const nonAscii = {
  filename: 'žluťoučký-写真-🌋.png',
  metadata: { título: 'Ĉevalo 馬 🐎', nested: { żółw: ['☂', true, null, 0.5] } },
}

/**
 * Ids that servers often change: they are longer than some limits, or contain characters that have
 * a meaning in URLs or several encodings. A server may refuse them, because the document does not
 * say which ids it accepts.
 */
export const unusualIds = (newName: () => string): Readonly<Record<string, string>> => ({
  'a long id': `${newName()}-${'summer-holiday-'.repeat(5)}1`,
  'a very long id': `${newName()}-${'summer-holiday-'.repeat(13)}1`,
  'an id with capital letters': `${newName()}-Summer-HOLIDAY`,
  'an id with a plus sign': `${newName()}+summer`,
  'an id with a percent sign': `${newName()}%41summer`,
  'an id with a space': `${newName()} summer`,
  'an id with dots': `${newName()}.summer.2026.png`,
  'an id with slashes': `${newName()}/summer/beach`,
  'a non-ASCII id': `${newName()}-été`,
})
