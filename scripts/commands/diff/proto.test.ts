import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runBuf } from '../../generate/proto.ts'
import { compareFiles } from './compare.ts'
import { changesBetween } from './pairs.testing.ts'

const proto = `syntax = "proto3";
package books;
// A book.
message Book {
  reserved 9;
  reserved "old";
  string id = 1;
  int32 pages = 2;
  repeated string tags = 3;
  optional string note = 4;
  oneof cover { string image = 5; string color = 6; }
  map<string, Kind> kinds = 7;
}
enum Kind { KIND_UNSPECIFIED = 0; KIND_PAPER = 1; }
message Query { string text = 1; }
service BookService { rpc Find(Query) returns (stream Book); }
`

it.each([
  ['', '', []],
  [
    'int32 pages = 2',
    'int32 pages = 8',
    ['breaking field-renumbered message books.Book, field pages'],
  ],
  ['int32 pages', 'int32 page_count', ['breaking field-renamed message books.Book, field pages']],
  ['int32 pages', 'string pages', ['breaking type-changed message books.Book, field pages']],
  ['  int32 pages = 2;\n', '', ['breaking field-removed message books.Book, field pages']],
  [
    '  int32 pages = 2;\n',
    '  reserved 2;\n',
    [
      'breaking field-removed message books.Book, field pages',
      'compatible reserved-added message books.Book',
    ],
  ],
  [
    'string id = 1;',
    'string id = 1; string isbn = 10;',
    ['compatible field-added message books.Book, field isbn'],
  ],
  [
    'repeated string tags',
    'string tags',
    ['breaking label-changed message books.Book, field tags'],
  ],
  [
    'optional string note',
    'string note',
    ['breaking presence-changed message books.Book, field note'],
  ],
  [
    'oneof cover { string image = 5; string color = 6; }',
    'oneof cover { string image = 5; } string color = 6;',
    [
      'breaking presence-changed message books.Book, field color',
      'breaking oneof-changed message books.Book, field color',
    ],
  ],
  [
    'map<string, Kind>',
    'map<int32, Kind>',
    ['breaking type-changed message books.Book, field kinds'],
  ],
  ['reserved 9;', '', ['breaking reserved-removed message books.Book']],
  ['KIND_PAPER = 1', 'KIND_BOOK = 1', ['breaking value-renamed enum books.Kind, value KIND_PAPER']],
  [
    'KIND_PAPER = 1',
    'KIND_PAPER = 2',
    ['breaking value-renumbered enum books.Kind, value KIND_PAPER'],
  ],
  [
    'KIND_PAPER = 1;',
    'KIND_PAPER = 1; KIND_AUDIO = 2;',
    ['compatible value-added enum books.Kind, value KIND_AUDIO'],
  ],
  [
    '(stream Book)',
    '(Book)',
    ['breaking response-stream-changed service books.BookService, method Find'],
  ],
  [
    'Find(Query)',
    'Find(Book)',
    ['breaking request-changed service books.BookService, method Find'],
  ],
  [
    'rpc Find',
    'rpc Search',
    [
      'breaking method-removed service books.BookService, method Find',
      'compatible method-added service books.BookService, method Search',
    ],
  ],
  [
    'package books;',
    'package books;\noption go_package = "x/books";',
    ['breaking option-changed option go_package'],
  ],
  [
    'message Query { string text = 1; }',
    'message Query { string text = 1; }\nmessage Page {}',
    ['compatible message-added message books.Page'],
  ],
  ['// A book.', '// A volume.', ['documentation text-changed message books.Book']],
])('Protocol Buffers: %j becomes %j', async (from, to, expected) => {
  expect(proto).toContain(from)
  const changed = proto.replace(from, to)
  expect(changesBetween(proto, changed)).toEqual(expected)
  const isBreaking = expected.some((change) => change.startsWith('breaking'))
  expect(await breaksForBuf(proto, changed)).toBe(isBreaking)
})

it('reports a changed package with all that it contains', () => {
  const changes = changesBetween(proto, proto.replace('package books', 'package library'))
  expect(changes[0]).toBe('breaking package-changed package')
  expect(changes).toContain('breaking message-removed message books.Book')
})

it('reads imported files, and compares only the main file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-diff-'))
  try {
    const write = (version: string, type: string) => {
      mkdirSync(join(folder, version))
      writeFileSync(
        join(folder, version, 'b.proto'),
        `syntax = "proto3"; message B { ${type} x = 1; }`,
      )
      const file = join(folder, version, 'a.proto')
      writeFileSync(
        file,
        'syntax = "proto3"; import "b.proto"; import "google/protobuf/timestamp.proto";\nmessage A { B b = 1; google.protobuf.Timestamp at = 2; }',
      )
      return file
    }
    expect(compareFiles(write('1', 'string'), write('2', 'int32'))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('explains why a file is invalid', () => {
  expect(() => changesBetween('message {', proto)).toThrow(/0.proto is not a valid .proto file: /)
  expect(() => changesBetween('import "none.proto";', proto)).toThrow(
    /the imported file none.proto is not in its folder/,
  )
})

/** Whether the program buf, an independent implementation, finds breaking changes. */
async function breaksForBuf(older: string, newer: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-diff-'))
  try {
    const folders = [older, newer].map((text, index) => {
      const version = join(folder, String(index))
      mkdirSync(join(version, 'books'), { recursive: true })
      writeFileSync(join(version, 'books/books.proto'), text)
      return version
    })
    return await runBuf('breaking', folders[1]!, '--against', folders[0]!).then(
      () => false,
      () => true,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
