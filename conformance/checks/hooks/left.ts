import type { HttpDoor } from '../../wire/index.ts'
import type { Requests } from './requests.ts'

/** Remembers the hooks that the run made. The document has no way to delete one: a courtesy is tried, and what stays is named. */
export class Left {
  private readonly made = new Set<string>()
  private readonly requests: Requests

  constructor(requests: Requests) {
    this.requests = requests
  }

  readonly add = (hook: string): void => {
    this.made.add(hook)
  }

  /** Tries to delete them all. Gives a line for each that could not be deleted. */
  async clear(door: HttpDoor): Promise<string[]> {
    const hooks = [...this.made]
    this.made.clear()
    const answers = await Promise.all(hooks.map(async (hook) => ({ hook, exchange: await door.send(this.requests.remove(hook), Number.MAX_SAFE_INTEGER) })))
    return answers
      .filter(({ exchange: { status = 0 } }) => (status < 200 || status >= 300) && status !== 404 && status !== 410)
      .map(({ hook, exchange }) => `hook ${hook} (the document has no way to delete it, and DELETE gave ${exchange.summary})`)
  }
}
