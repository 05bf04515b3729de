import { percentDecode } from '../../../wire/index.ts'

/**
 * The parameters of a URI template (RFC 6570); undefined if it is not a URI template.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-2
 */
export function parametersOf(template: string): readonly string[] | undefined {
  const parameters: string[] = []
  const rest = template.replaceAll(/\{([^{}]*)\}/g, (_whole, inner: string) => {
    const variables = /^[+#./;?&]?(.*)$/.exec(inner)?.[1]?.split(',') ?? []
    for (const variable of variables)
      parameters.push(
        /^((?:\w|%[0-9A-Fa-f]{2})(?:[\w.]|%[0-9A-Fa-f]{2})*)(?:\*|:[1-9]\d{0,3})?$/.exec(
          variable,
        )?.[1] ?? '',
      )
    return ''
  })
  return /[{}\s<>"\\^`|]/.test(rest) || parameters.includes('') ? undefined : parameters
}

/**
 * Whether two URIs are equal after normalization, because libraries parse and rewrite URIs.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
export const sameUri = (one: string, other: string): boolean => normal(one) === normal(other)

function normal(uri: string): string {
  const parsed = URL.canParse(uri) ? new URL(uri).href : uri
  const [, scheme = '', authority = '', rest = ''] = /^([^:/?#]+:)(\/\/[^/?#]*)?(.*)$/s.exec(
    parsed,
  ) ?? ['', '', '', parsed]
  return `${scheme.toLowerCase()}${authority.toLowerCase()}${percentDecode(rest).replace(/\/+$/, '')}`
}
