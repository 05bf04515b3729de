// Helpers to declare switches.
export const choice = (name, where, does, stages = {}) => ({
  name,
  kind: 'choice',
  where,
  does,
  ...stages,
})

export const violation = (name, where, does, breaks, stages = {}) => ({
  name,
  kind: 'violation',
  where,
  does,
  breaks,
  ...stages,
})

/** A payload stage for some events only, and for some actions only when given. */
export const only = (events, change, actions) => ({
  payload(p, c) {
    if (![].concat(events).includes(c.event)) return undefined
    if (actions && ![].concat(actions).includes(c.action)) return undefined
    return change(p, c)
  },
})

/** "2024-05-06 07:08:09 UTC" to "2024-05-06T07:08:09Z" (null stays null). */
export const iso = (text) => text && text.replace(' UTC', 'Z').replace(' ', 'T')

/** The ISO form of a commit to the form of the other objects. */
export const plain = (text) => `${new Date(text).toISOString().slice(0, 19).replace('T', ' ')} UTC`

export const epoch = (text) => text && Math.floor(Date.parse(iso(text)) / 1000)
