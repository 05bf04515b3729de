// The catalogue of all switches, as `--list` prints it.
import { CHOICES } from './switches-choices.mjs'
import { RESOURCE_VIOLATIONS } from './switches-resource.mjs'
import { SERVER_VIOLATIONS } from './switches-server.mjs'

const PATTERN_NAMES = { j: 'jwt', p: 'oauth-proxy', o: 'oauth-provider' }

const read = (text, kind) =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [name, patterns, where, does] = line.split(' | ')
      return {
        name,
        kind,
        where,
        does,
        patterns: [...patterns].map((letter) => PATTERN_NAMES[letter]),
      }
    })

export const SWITCHES = [
  ...read(CHOICES, 'choice'),
  ...read(RESOURCE_VIOLATIONS, 'violation'),
  ...read(SERVER_VIOLATIONS, 'violation'),
]
