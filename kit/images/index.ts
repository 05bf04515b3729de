// What a client of the image API needs: types, validators and guards for envelopes.
export * from '../../generated/images/documented/index.ts'
export { isFailure, isSuccess } from './envelope.ts'
