/** Thrown by whatever refuses a request of OAuth. The code is one of the standard's; the description is for developers, and holds no secret. */
export class OAuthFailure extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, description: string, status = 400) {
    super(description)
    this.code = code
    this.status = status
  }
}

/** Thrown where nobody can be sent back: the user is told instead, on a page. */
export class PageFailure extends Error {
  readonly status: number
  constructor(description: string, status = 400) {
    super(description)
    this.status = status
  }
}
