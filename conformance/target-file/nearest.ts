/** A word must have this many characters to suggest a longer name that begins with it. */
const minBeginning = 3

/**
 * Returns the candidate that is most similar to the word. If every candidate differs from it by
 * more than two edits (one, if the word is short), and by more than a third of its length, returns
 * the first candidate that begins with the word, or undefined.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const known = [...candidates]
  let best: string | undefined
  let fewest = Math.max(word.length > 3 ? 2 : 1, Math.ceil(word.length / 3)) + 1
  for (const candidate of known) {
    // The number of edits is at least the difference of the lengths. To count the edits of long
    // words would take minutes.
    if (Math.abs(word.length - candidate.length) >= fewest) continue
    const edits = distance(word.toLowerCase(), candidate.toLowerCase())
    if (edits < fewest) [best, fewest] = [candidate, edits]
  }
  if (best !== undefined || word.length < minBeginning) return best
  return known.find((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()))
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
