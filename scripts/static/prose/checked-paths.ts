/** Folders and files whose prose is checked. */
export const checkedPaths: readonly string[] = [
  '.changeset',
  '.github',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'conformance',
  'docs',
  'examples',
  'kit',
  'mocks',
  'scripts',
  'specs',
]

/**
 * Passages that may contain a banned phrase, each with the reason. An empty `contains` exempts the
 * whole file.
 */
export const exceptions: readonly { file: string; contains: string; reason: string }[] = [
  {
    file: 'conformance/report/html/table.ts',
    contains: 'row',
    reason: 'HTML calls the parts of a table by these names.',
  },
  {
    file: 'conformance/target.test.ts',
    contains: 'pictures:',
    reason: 'The name of a key of the target file, which users have in their files.',
  },
  {
    file: 'conformance/checks/images/topics/ingestion.ts',
    contains: 'suite.pictures',
    reason: 'The name of a key of the target file, which users have in their files.',
  },
  {
    file: 'scripts/generate/catalogue.ts',
    contains: 'suite.pictures',
    reason: 'The name of a key of the target file, which users have in their files.',
  },
  {
    file: 'specs/requirements/images.yaml',
    contains: 'suite.pictures',
    reason: 'The name of a key of the target file, which users have in their files.',
  },
  {
    file: 'conformance/compare/matrix-page.ts',
    contains: 'scope="row',
    reason: 'The value of an HTML attribute.',
  },
  {
    file: 'conformance/wire/jwt/claims.ts',
    contains: 'somebody-else.example',
    reason: 'Some checks look for this issuer in responses.',
  },
  {
    file: 'scripts/static/prose/words.ts',
    contains: '',
    reason: 'The list contains the phrases.',
  },
  {
    file: 'scripts/static/prose/prose.test.ts',
    contains: '',
    reason: 'The test reads samples of the phrases.',
  },
]
