/**
 * Returns the candidate that is most similar to the word. Returns undefined if every candidate
 * differs from it by more than two edits, and by more than a third of the word's length.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let fewest = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const candidate of candidates) {
    // The number of edits is at least the difference of the lengths. To count the edits of long
    // words would take minutes.
    if (Math.abs(word.length - candidate.length) >= fewest) continue
    const edits = distance(word.toLowerCase(), candidate.toLowerCase())
    if (edits < fewest) [best, fewest] = [candidate, edits]
  }
  return best
}

/** The number of insertions, deletions and replacements between two words (Levenshtein). */
function distance(from: string, to: string): number {
  let distances = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      next.push(
        Math.min(
          next[j - 1]! + 1,
          distances[j]! + 1,
          distances[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1),
        ),
      )
    }
    distances = next
  }
  return distances[to.length]!
}
