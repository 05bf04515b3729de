/** Folders and files whose prose is checked. Those that are missing here have not been rewritten yet. */
export const rooms: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/testing.md',
  'docs/mocking.md',
  'docs/deliveries.md',
  'docs/types.md',
  'docs/ci.md',
  'docs/judging.md',
  'docs/troubleshooting.md',
  'docs/versioning.md',
  'docs/dependencies.md',
  'conformance/engine',
  'conformance/checks/shared',
  'conformance/checks/images',
  'conformance/checks/hooks',
  'conformance/checks/receiver',
  'conformance/checks/greeting',
  'conformance/wire',
  'conformance/report',
  'conformance/vitest',
  'conformance/judge.ts',
  'conformance/suite.ts',
  'conformance/suite.test.ts',
  'conformance/target.ts',
  'conformance/verdicts.ts',
  'scripts/check/prose',
  'scripts/docs',
]

/** Passages that keep a banned phrase, each with its reason. */
export const exceptions: readonly { file: string; contains: string; reason: string }[] = [
  {
    file: 'conformance/wire/jwt/claims.ts',
    contains: 'somebody-else.example',
    reason: 'Checks search responses for this issuer.',
  },
  {
    file: 'scripts/check/prose/words.ts',
    contains: '',
    reason: 'The list contains the phrases.',
  },
  {
    file: 'scripts/check/prose/prose.test.ts',
    contains: '',
    reason: 'The test reads samples of the phrases.',
  },
]
