import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Behavior } from './behavior.ts'
import {
  isJson,
  changeText,
  addMember,
  changeLeaves,
  changeStrings,
  changeUrls,
  changeIds,
  compressed,
  brotli,
  megabytes,
} from './changes.ts'

const shell =
  '$(touch /tmp/touchstone-hostile)`touch /tmp/touchstone-hostile`\'"; touch /tmp/touchstone-hostile #'
const terminal = '\x1b]0;title\x07\x1b[2J\x1b[31m\u202e\u2066\x9b31m\x07\r\n'
const html = '</script><script>alert(1)</script><img src=x onerror=alert(1)>'

const longText = `"${'0'.repeat(15 * megabytes)}"`
const deepArray = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const manyObjects = () => `[${'{},'.repeat(5_000_000)}0]`
const manyNumbers = () => `[${'1,'.repeat(7_000_000)}1]`

/** Servers that work, and whose responses have hostile bodies. */
export const bodyBehaviors: readonly Behavior[] = [
  {
    name: 'gzip of 15 MB',
    description: 'adds a string of 15 MB to each response, and compresses it to 16 KB',
    change: compressed(addMember(() => longText)),
    isHarmless: true,
  },
  {
    name: 'gzip of 1 GB',
    description: 'replaces each body with 1 GB of spaces, compressed',
    change: compressed(
      changeText((text) => text),
      'gzip',
      () => gigabyte(),
    ),
  },
  {
    name: 'brotli of 15 MB',
    description: 'adds a string of 15 MB to each response, and compresses it with Brotli',
    change: compressed(
      addMember(() => longText),
      'br',
      brotli,
    ),
    isHarmless: true,
  },
  {
    name: 'gzip that is broken',
    description: 'declares gzip for bodies that are not compressed',
    change: compressed(
      (answer) => answer,
      'gzip',
      (bytes) => bytes,
    ),
  },
  {
    name: 'JSON of 15 MB',
    description: 'adds a string of 15 MB to each response, without a coding',
    change: addMember(() => longText),
    isHarmless: true,
  },
  {
    name: 'random JSON of 12 MB',
    description: 'adds a string of 12 MB, which cannot be compressed, to each response',
    change: addMember(() => JSON.stringify(randomBytes(9 * megabytes).toString('base64'))),
  },
  {
    name: 'JSON nested 100,000 deep',
    description: 'adds arrays that are nested 100,000 deep',
    change: addMember(() => deepArray(100_000)),
    isHarmless: true,
  },
  {
    name: 'JSON nested 7,000,000 deep',
    description: 'adds arrays that are nested 7,000,000 deep, compressed',
    change: compressed(addMember(() => deepArray(7_000_000))),
    isHarmless: true,
  },
  {
    name: '5,000,000 objects',
    description: 'adds an array of 5,000,000 empty objects, compressed',
    change: compressed(addMember(manyObjects)),
    isHarmless: true,
  },
  {
    name: '7,000,000 numbers',
    description: 'adds an array of 7,000,000 numbers, compressed',
    change: compressed(addMember(manyNumbers)),
    isHarmless: true,
  },
  {
    name: '300,000 names',
    description: 'adds an object with 300,000 members',
    change: compressed(
      addMember(
        () => `{${Array.from({ length: 300_000 }, (_, n) => `"name${n}":${n}`).join(',')}}`,
      ),
    ),
    isHarmless: true,
  },
  {
    name: '__proto__',
    description: 'adds members with the names __proto__, constructor and toString',
    change: addMember(
      () =>
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null}',
    ),
    isHarmless: true,
  },
  {
    name: 'names of a prototype',
    description: 'replaces each name in JSON with __proto__',
    change: changeText((text) => text.replace(/"[a-z_A-Z]+":/g, '"__proto__":')),
  },
  {
    name: 'huge numbers',
    description: 'replaces each number with 1e400',
    change: changeText((text) => text.replace(/:\s*-?\d+(\.\d+)?/g, ':1e400')),
    isHarmless: true,
  },
  {
    name: 'long numbers',
    description: 'replaces each number with a number with 10,000 digits',
    change: changeText((text) => text.replace(/:\s*-?\d+(\.\d+)?/g, `:${'9'.repeat(10_000)}`)),
    isHarmless: true,
  },
  {
    name: 'invalid UTF-8',
    description: 'replaces a byte of each body with one that is not UTF-8',
    change: (answer) => {
      if (!isJson(answer)) return answer
      const body = Buffer.from(answer.body)
      body[Math.floor(body.length / 2)] = 0xff
      return { ...answer, body }
    },
  },
  {
    name: 'UTF-16',
    description: 'encodes each body as UTF-16',
    change: changeText((text) => Buffer.from(text, 'utf16le')),
  },
  {
    name: 'byte order mark',
    description: 'begins each body with a byte order mark',
    change: changeText((text) => `\uFEFF${text}`),
    isHarmless: true,
  },
  {
    name: 'half of each body',
    description: 'sends the first half of each body, with the length of this half',
    change: changeText((text) => text.slice(0, text.length / 2)),
  },
  {
    name: 'comments in JSON',
    description: 'adds a comment to each body',
    change: changeText((text) => `// comment\n${text}`),
  },
  {
    name: 'doubled body',
    description: 'sends each body twice',
    change: changeText((text) => text + text),
  },
  {
    name: 'lone surrogates',
    description: 'adds a lone surrogate to each string',
    change: changeText((text) => text.replace(/:\s*"([^"\\]*)"/g, ':"$1\\ud800"')),
  },
  {
    name: 'controls for terminals',
    description: 'adds terminal sequences, bidi and C1 controls to each string',
    change: changeStrings((text) => text + terminal),
  },
  {
    name: 'commands for a shell',
    description: 'adds commands for a shell to each string',
    change: changeStrings((text) => text + shell),
  },
  {
    name: 'scripts for a page',
    description: 'adds a script to each string',
    change: changeStrings((text) => text + html),
  },
  {
    name: 'paths of files',
    description: 'replaces each string with the path of a file outside of the current folder',
    change: changeStrings(() => '../../../../../../tmp/touchstone-hostile'),
  },
  {
    name: 'strings of 1 MB',
    description: 'replaces one string in each body with a string of 1 MB',
    change: changeText((text) => text.replace(/:\s*"[^"\\]*"/, `:"${'x'.repeat(megabytes)}"`)),
  },
  {
    name: 'empty strings',
    description: 'replaces each string with an empty one',
    change: changeStrings(() => ''),
  },
  {
    name: 'null',
    description: 'replaces each value with null',
    change: changeLeaves(() => null),
  },
  {
    name: 'arrays for strings',
    description: 'replaces each string with an array with the string',
    change: changeStrings((text) => [text]),
  },
  {
    name: 'objects for values',
    description: 'replaces each value with an object',
    change: changeLeaves((value) => ({ value })),
  },
  {
    name: 'random types',
    description: 'replaces a third of the values with values of random types',
    change: changeLeaves((leaf, _, { random }) =>
      random.int(0, 3) > 0
        ? leaf
        : [null, true, -1, 1e21, '', '\u0000', [], {}, [[[]]], 'x'.repeat(5000)][random.int(0, 10)],
    ),
  },
  {
    name: 'ids with slashes',
    description: 'adds characters that have a meaning in URLs to each id',
    change: changeIds((id) => `../${id}/?a=b#c %zz\\@[`),
  },
  {
    name: 'ids with line breaks',
    description: 'adds a line break and a header to each id',
    change: changeIds((id) => `${id}\r\nX-Injected: 1`),
  },
  {
    name: 'ids beyond 2^53',
    description: 'replaces each id with a number that JavaScript cannot represent',
    change: changeText((text) =>
      text.replace(/"id":\s*("[^"]*"|\d+)/g, '"id":90071992547409931234'),
    ),
  },
  {
    name: 'ids of 100 KB',
    description: 'makes each id 100 KB long',
    change: changeIds((id) => id + 'x'.repeat(100_000)),
  },
  {
    name: 'the same id',
    description: 'gives everything the same id',
    change: changeIds(() => '1'),
  },
  {
    name: 'URLs with credentials',
    description: 'adds credentials that cannot be decoded to each URL',
    change: changeUrls((url) => url.replace('://', '://user:%zz@')),
  },
  {
    name: 'URLs of files',
    description: 'replaces each URL with the URL of a file',
    change: changeUrls(() => 'file:///etc/passwd'),
  },
  {
    name: 'URLs with spaces',
    description: 'adds spaces, control characters and non-ASCII letters to each URL',
    change: changeUrls((url) => `${url} a\tb\u0000\u00e9\u4e2d\ud83d`),
  },
  {
    name: 'URLs of a closed port',
    description: 'replaces the host of each URL with a port on which nothing listens',
    change: changeUrls((url) => url.replace(/^https?:\/\/[^/]*/, 'http://127.0.0.1:9')),
  },
  {
    name: 'javascript: URLs',
    description: 'replaces each URL with a script',
    change: changeUrls(() => 'javascript:alert(document.domain)'),
  },
  {
    name: 'echo of headers',
    description: 'adds the headers of the request, credentials included, to each response',
    change: (answer, { headers }) =>
      isJson(answer)
        ? addMember(() => JSON.stringify(headers))(answer, undefined as never)
        : answer,
    isHarmless: true,
  },
]

let compressedGigabyte: Buffer | undefined
/** 1 GB of spaces, compressed once. */
function gigabyte(): Buffer {
  return (compressedGigabyte ??= gzipSync(Buffer.alloc(1024 * megabytes, 0x20), { level: 1 }))
}
