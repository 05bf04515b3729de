import { transports } from './serving.ts'

/** Every check of the tools contract. */
export const checks = [...transports]
