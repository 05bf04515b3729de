import { pngOfSize } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { pixelFile } from '../support/requests.ts'

/** Bytes of the form around a file, for a service that counts the whole request. */
const margin = 4096

export const sizeChecks = [
  check('IMG-LIMIT-11', {
    title: 'refuses a file that is too large',
    async run({ target, expectRefusal, request }) {
      const limit = target.maxFileBytes!
      const file = (bytes: number) =>
        request.upload({ file: { ...pixelFile, value: pngOfSize(bytes) } })
      await expectRefusal(file(limit + 1), 'too large', {
        contrast: file(Math.max(limit - margin, 256)),
      })
    },
  }),
]
