import { percentDecode, type HttpExchange, type HttpRequest } from '../../wire/index.ts'

/** The minimum length of strings that count as generated; shorter ones can occur by chance. */
const minLength = 8

/**
 * The values that are valid only during a run: names that the suite generated, and ids, URLs and
 * tokens that the target generated.
 */
export class RunValues {
  private readonly names = new Set<string>()
  private readonly strings = new Set<string>()
  /** The paths of resources with a numeric id. */
  private readonly paths = new Set<string>()
  private readonly generatedName: RegExp

  /** `prefix` is a regular expression that matches the beginning of generated names. */
  constructor(prefix: string) {
    this.generatedName = new RegExp(`${prefix}[a-z0-9]+`, 'g')
  }

  /** Whether a request contains a value of earlier exchanges. */
  occurIn(request: HttpRequest): boolean {
    const text = textOf(request)
    const pathname = pathOf(request)
    return (
      this.namesIn(text).some((name) => this.names.has(name)) ||
      [...this.strings].some((value) => text.includes(value)) ||
      [...this.paths].some((path) => pathname === path || pathname.startsWith(`${path}/`))
    )
  }

  /** Adds the generated names in a request that was sent. */
  addRequest(request: HttpRequest): void {
    for (const name of this.namesIn(textOf(request))) this.names.add(name)
  }

  /** Adds the ids, URLs and tokens that the target generated for a response. */
  addResponse({ request, json, headers }: HttpExchange): void {
    const pathname = pathOf(request)
    let sent: string | undefined
    const isSent = (value: string) => (sent ??= textOf(request)).includes(value)
    const isNew = (value: string) =>
      !this.strings.has(value) && isGenerated(value) && !isSent(value)
    const add = (value: unknown, key = '') => {
      if (typeof value === 'number' && key === 'id') this.paths.add(`${pathname}/${value}`)
      else if (typeof value === 'string' && isNew(value)) this.strings.add(value)
      else if (typeof value === 'object' && value !== null)
        for (const [name, member] of Object.entries(value)) add(member, name)
    }
    add(json)
    for (const [name, value] of headers)
      if (/^(location|set-cookie)$/i.test(name)) {
        const [cookie = ''] = value.split(';')
        for (const part of cookie.split(/[?&=#]/)) add(percentDecode(part))
      }
  }

  private namesIn(text: string): string[] {
    return text.match(this.generatedName) ?? []
  }
}

const isGenerated = (value: string) =>
  value.length >= minLength && /\d/.test(value) && !/\s/.test(value)

/** The path of a request. If its URL came from the target and is invalid, the whole URL. */
const pathOf = ({ url }: HttpRequest) => (URL.canParse(url) ? new URL(url).pathname : url)

function textOf({ url, headers = {}, body }: HttpRequest): string {
  const fields =
    body?.kind === 'form'
      ? body.parts.map(({ value }) => (typeof value === 'string' ? value : ''))
      : body?.kind === 'fields'
        ? body.fields.map(([, value]) => value)
        : body?.kind === 'json'
          ? [JSON.stringify(body.value)]
          : [body?.text ?? '']
  return [url, percentDecode(url), ...Object.values(headers), ...fields].join('\n')
}
