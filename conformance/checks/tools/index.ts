import { clients } from './clients.ts'
import { events } from './events.ts'
import { handshaking } from './handshaking.ts'
import { harm } from './harm.ts'
import { http } from './http.ts'
import { listing } from './listing.ts'
import { messages } from './messages.ts'
import { resources } from './resources.ts'
import { transports } from './serving.ts'
import { sessions } from './sessions.ts'
import { stdio } from './stdio.ts'
import { unknown } from './unknown.ts'

/** Every check of the tools contract. */
export const checks = [...transports, ...handshaking, ...listing, ...resources, ...messages, ...unknown, ...http, ...sessions, ...events, ...stdio, ...clients, ...harm]
