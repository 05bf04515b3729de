import { describe, expect, it } from 'vitest'
import { brief, found, named } from './findings.testing.ts'
import { findingsOf } from './index.ts'

describe('names', () => {
  it.each<[string, string[], string | undefined, string[]]>([
    ['in camel case', ['shelfSearchBooks'], undefined, ['name 0']],
    ['with hyphens', ['shelf-search-books', 'shelf_get_book'], 'shelf_mcp', ['name 0']],
    ['of two words', ['shelf_search'], undefined, ['name 0']],
    ['that two tools share', ['shelf_get_book', 'shelf_get_book'], undefined, ['duplicate 1']],
    [
      'of another service',
      ['shelf_get_book', 'shelf_list_books', 'books_get_book'],
      undefined,
      ['prefix 2'],
    ],
    [
      'of the service of most tools, if the server name contains the service of another tool',
      ['shelf_get_book', 'books_list_books', 'books_get_book'],
      'shelf_mcp',
      ['prefix 1', 'prefix 2'],
    ],
    [
      'without a service, if most begin with the same action',
      ['get_book_title', 'get_reader_name', 'delete_one_loan'],
      undefined,
      ['prefix all'],
    ],
    [
      'without a service, if all begin with the same action',
      ['get_book_title', 'get_reader_name'],
      undefined,
      [],
    ],
    ['without a service', ['shelf_get_book', 'get_book'], 'shelf_mcp', ['name 1', 'prefix 1']],
    [
      'of a service of two words',
      ['city_library_get_book', 'city_library_search_books'],
      'city_library_mcp',
      [],
    ],
    [
      'of a service of two words, without an object',
      ['city_library_get_book', 'city_library_search'],
      'city_library_mcp',
      ['warning: name 1'],
    ],
    [
      'of a longer service than that of the server name',
      ['city_library_get_book', 'city_get_map'],
      'city_mcp',
      [],
    ],
    [
      'of a service other than that of the server name',
      ['books_get_book', 'books_list_books'],
      'shelf_mcp',
      ['service all'],
    ],
    [
      'without a common service',
      ['books_get_book', 'shelf_list_books'],
      'house_mcp',
      ['prefix all'],
    ],
    [
      'without a common service, if the server name is unknown',
      ['books_get_book', 'shelf_list_books'],
      undefined,
      ['prefix all'],
    ],
    ['of a server with an invalid name', ['shelf_get_book'], 'Shelf', ['server-name']],
  ])('have the expected findings: names %s', (_, names, server, expected) => {
    const lines = findingsOf(named(...names), server).map((each) =>
      brief(each)
        .replace(/ server name$/, '')
        .replace(/\$\.tools\[(\d+)\]\.name$/, '$1')
        .replace('$.tools', 'all'),
    )
    expect(lines).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['shelf_mcp', []],
    ['city_library_mcp', []],
    ['k8s_mcp', []],
    ['auth0_mcp', []],
    ['mcp_mcp', []],
    ['ipv6_mcp', []],
    ['shelf', ['server-name']],
    ['Shelf_mcp', ['server-name']],
    ['shelf-mcp', ['server-name']],
    ['shelfMcp', ['server-name']],
    ['_mcp', ['server-name']],
    ['', ['server-name']],
    ['shelf_v2_mcp', ['server-version']],
    ['shelf_2026_mcp', ['server-version']],
    ['shelf_20260314_mcp', ['server-version']],
    ['shelf_1_2_mcp', ['server-version']],
    ['shelf_mcp_v2', ['server-name', 'server-version']],
    ['shelf-mcp-1.2.0', ['server-name', 'server-version']],
    ['route_53_mcp', ['warning: server-version']],
    ['shelfv2_mcp', ['warning: server-version']],
    ['shelf2026_mcp', ['warning: server-version']],
  ])('of servers have the expected findings: "%s"', (name, expected) => {
    expect(found([], name)).toEqual(expected.map((rule) => `${rule} server name`))
  })
})
