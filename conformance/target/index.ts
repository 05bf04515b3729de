/** The target: what is judged, read from a file, from flags and from the environment. */
export { flagOf, keys, saysOf, type Key } from './keys.ts'
export { loadTarget, type LoadOptions } from './load.ts'
export { nearest } from './nearest.ts'
export { lacking, onLoopback, publicTarget, secretsOf, TargetError, type ImagesTarget, type SuiteSettings, type Target } from './target.ts'
