import { pngOfSize } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { pixelFile } from '../support/requests.ts'

/** Bytes that the form around a file may take, where a service counts the whole request. */
const margin = 4096

export const size = [
  check('IMG-LIMIT-11', {
    title: 'refuses a file that is too large',
    async run({ target, expectRefusal, request }) {
      const bound = target.maxFileBytes!
      const file = (bytes: number) =>
        request.upload({ file: { ...pixelFile, value: pngOfSize(bytes) } })
      await expectRefusal(file(bound + 1), 'too large', {
        contrast: file(Math.max(bound - margin, 256)),
      })
    },
  }),
]
