/** States that there is no complete response. `why` is the reason, or already such a statement. */
export const missingResponse = (why: string | undefined): string =>
  why?.startsWith('no complete response') === true
    ? why
    : `no complete response: ${why ?? 'nothing was received'}`
