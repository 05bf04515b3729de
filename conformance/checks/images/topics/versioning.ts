import { check } from '../support/define.ts'

/** Words that name a version without a number. */
const namedVersions = [
  ...['alpha', 'beta', 'canary', 'current', 'dev', 'development', 'edge', 'experimental'],
  ...['latest', 'next', 'nightly', 'preview', 'rc', 'stable', 'unstable', 'vnext'],
]

/** Whether a segment of a path can name a version: it contains a digit, such as v4 or 2026-03. */
const isVersion = (segment: string) =>
  /\d/.test(segment) || namedVersions.includes(segment.toLowerCase())

export const versioningChecks = [
  check('IMG-VERSION-01', {
    title: 'has a version segment in the path of the base URL',
    async run({ sendOrBlock, expectValue, request, target }) {
      // The base URL comes from the target file. So this first ensures that the API is there.
      await sendOrBlock(request.list())
      const { pathname } = new URL(target.url)
      expectValue(pathname, {
        name: 'has a version segment',
        expected: 'a segment of the path with a digit, such as v4, in images.url',
        test: (path) => path.split('/').some(isVersion),
        received: (path) => `the path ${path}`,
      })
    },
  }),
]
