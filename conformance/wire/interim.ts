import type { ClientRequest } from 'node:http'

/** The largest number of interim responses (1xx) to a request. More are a flood. */
const maxInterim = 1000

/** Calls `tooMany` if a server sends interim responses without end. */
export function limitInterim(request: ClientRequest, tooMany: (why: string) => void): void {
  let count = 0
  request.on('information', () => {
    count += 1
    if (count === maxInterim + 1) tooMany(`more than ${maxInterim} interim responses`)
  })
}
