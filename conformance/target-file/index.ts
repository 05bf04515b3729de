/** The target: what is judged, read from a file, from flags and from the environment. */
export { flagOf, keys, saysOf, type Key } from './keys.ts'
export { loadTarget } from './load.ts'
export { nearest } from './nearest.ts'
export { lacking, publicTarget, secretsOf, TargetError, type Target } from './target.ts'
