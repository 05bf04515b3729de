/** An amount of memory, in bytes, which several messages share. */
export class ByteBudget {
  private left: number

  constructor(bytes: number) {
    this.left = bytes
  }

  /** Takes bytes. Returns false, and takes none, if fewer are left. */
  take(bytes: number): boolean {
    if (bytes > this.left) return false
    this.left -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.left += bytes
  }
}
