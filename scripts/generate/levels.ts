import { listEntries, readCatalogues } from './catalogue.ts'

let recommendations: ReadonlySet<string> | undefined

/** Whether an id is that of a requirement of level `should`. */
export function isRecommendation(id: unknown): boolean {
  recommendations ??= new Set(
    readCatalogues()
      .flatMap(listEntries)
      .filter(({ level }) => level === 'should')
      .map((entry) => entry.id),
  )
  return recommendations.has(String(id))
}
