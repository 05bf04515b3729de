/** Something about the target that only people can put right. The message is for them: place, what is wrong, next step. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}
