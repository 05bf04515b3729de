/** Of what a problem is that the wire noted: each is the affair of one row. */
export type Problem = 'message' | 'id' | 'output' | 'body' | 'place'

// The wire tells facts in words; these are the words.
const words: Readonly<Record<Problem, RegExp>> = {
  /** It has no message in it, so that there is nothing else that would show what is wrong. */
  message: /is no JSON-RPC message$|has neither method nor result nor error$|^an empty batch came$/,
  id: /^a second response |^a response came with the id |^the response with the id /,
  output: /^the output |^a line is no /,
  body: /^the content type is |^the body is no |^the data of an event is no /,
  place: /belongs on the event stream$|no answer to the POST$/,
}

export const isProblem = (problem: string, kind: Problem): boolean => words[kind].test(problem)
