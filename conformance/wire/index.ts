/** The doors to the target: they send, receive and record. They never judge. */
export * from './body.ts'
export * from './difference.ts'
export * from './exchange.ts'
export * from './form.ts'
export * from './http.ts'
export * from './secrets.ts'
export * from './played/picture.ts'
export * from './played/pictures.ts'
