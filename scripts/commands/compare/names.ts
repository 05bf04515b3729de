import { resolve, sep } from 'node:path'

/**
 * Names each report after the last folder in its path that is not called `report`. Adds parents of
 * the folder if reports with other paths would have the same name. `go/report` and
 * `rust/report/report.json` are "go" and "rust". If a path is repeated, its names get numbers.
 */
export function nameReports(paths: readonly string[]): string[] {
  const parts = paths.map((path) => {
    const own = resolve(path)
      .replace(/\.json$/, '')
      .split(sep)
      .filter((part) => part !== '')
    while (own.length > 1 && own.at(-1) === 'report') own.pop()
    return own
  })
  const nameAt = (index: number, length: number) => parts[index]!.slice(-length).join('/') || '/'
  const names = parts.map((own, index) => {
    let length = 1
    const isShared = () =>
      parts.some(
        (other, at) =>
          nameAt(at, length) === nameAt(index, length) && other.join('/') !== own.join('/'),
      )
    while (isShared() && length < own.length) length += 1
    return nameAt(index, length)
  })
  return names.map((name, index) => {
    const earlier = names.slice(0, index).filter((other) => other === name).length
    return earlier === 0 ? name : `${name} (${earlier + 1})`
  })
}
