/** Limits the number of requests of each IP address at each endpoint. */
export interface Limits {
  /** The number of seconds that an address must wait; 0 if the request is allowed. */
  secondsToWait(endpoint: string, address: string): number
}

/** If there are this many entries, the expired ones are removed. */
const maxAddresses = 10_000

export function newLimits(count: number, windowMs: number, now: () => number): Limits {
  const counted = new Map<string, { count: number; until: number }>()
  return {
    secondsToWait(endpoint, address) {
      const key = `${endpoint} ${address}`
      const time = now()
      const found = counted.get(key)
      if (found === undefined || found.until <= time) {
        if (counted.size >= maxAddresses)
          for (const [other, { until }] of counted) if (until <= time) counted.delete(other)
        counted.set(key, { count: 1, until: time + windowMs })
        return count >= 1 ? 0 : windowMs / 1000
      }
      found.count += 1
      return found.count <= count ? 0 : Math.ceil((found.until - time) / 1000)
    },
  }
}
