import { Browser } from '../../../../wire/oauth/browser.ts'
import type { Client } from '../client.ts'
import { leadsTo } from '../walk.ts'
import type { AuthWorld } from '../world.ts'

/** A browser that nobody has used, which leaves where a client's users return. */
export const browserFor = ({ send }: AuthWorld, { redirectUri }: Client): Browser =>
  new Browser({ send, isDestination: (url) => leadsTo(url, redirectUri) })
