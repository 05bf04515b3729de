import type { ImagesServer } from '../images.ts'

/** The section of a target file that gives everything of a started server: nothing of it is left uncovered. */
export function targetOf({
  account: url,
  batch,
  delivery,
  options: { account, maxFileBytes, tokens },
  context: { rules },
}: ImagesServer) {
  return {
    url,
    account,
    token: tokens.api,
    limitedToken: tokens.limited,
    batch: { url: batch, token: tokens.batch },
    delivery,
    maxFileBytes,
    bulk: true,
    flexibleVariants: false,
    state: true,
    clock: new URL('/_touchstone/clock', url).href,
    fetchTimeout: rules.fetchStallMs,
  }
}
