/** Describes that there is no complete response. `why` can be the reason, or already say so. */
export const missingResponse = (why: string | undefined): string =>
  why?.startsWith('no complete response') === true
    ? why
    : `no complete response: ${why ?? 'nothing was received'}`
