/**
 * A JSON object as a string: of this many bytes, or with this many euro signs, each of which takes
 * three bytes.
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
