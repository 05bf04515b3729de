/** The text of a JSON object: of so many bytes, or with so many characters beyond ASCII in it. */
export const metadataOf = {
  bytes: (bytes: number) => JSON.stringify({ k: 'x'.repeat(bytes - '{"k":""}'.length) }),
  euros: (characters: number) => JSON.stringify({ k: '€'.repeat(characters) }),
}

/** A file's name and an image's metadata, with letters of several scripts and of several planes of Unicode. */
export const nonAscii = {
  filename: 'žluťoučký-写真-🌋.png',
  metadata: { título: 'Ĉevalo 馬 🐎', nested: { żółw: ['☂', true, null, 0.5] } },
}
