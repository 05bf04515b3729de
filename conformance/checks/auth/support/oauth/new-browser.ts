import { Browser } from '../../../../wire/oauth/browser.ts'
import type { Client } from '../client.ts'
import { matchesRedirectUri } from '../authorization-flow.ts'
import type { AuthWorld } from '../world.ts'

/** A new browser without cookies. It stops at the client's redirect URI. */
export const newBrowserFor = ({ send }: AuthWorld, { redirectUri }: Client): Browser =>
  new Browser({ send, isDestination: (url) => matchesRedirectUri(url, redirectUri) })
