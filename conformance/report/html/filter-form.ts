import { outcomes, totalsOf, type Verdict } from '../../engine/index.ts'
import { topicTitlesFor, words } from '../explanation.ts'
import { byTopic } from '../groups.ts'
import { markup, type Markup } from './markup.ts'
import { classOf, symbolOf, topicKey } from './requirement.ts'

/** The search and the filters. They are hidden until the script, which they need, shows them. */
export function filterForm(verdicts: readonly Verdict[]): Markup {
  const totals = totalsOf(verdicts)
  const titleOf = topicTitlesFor(verdicts)
  const levels = [...new Set(verdicts.map(({ level }) => level))]
  const boxes = outcomes
    .filter((outcome) => totals[outcome] > 0)
    .map(
      (outcome) =>
        markup`<label class="box"><input type="checkbox" name="outcome" value="${classOf(outcome)}"> ${symbolOf(outcome)} ${words[outcome]}</label> `,
    )
  return markup`<form id="filter" role="search" aria-label="Requirements" hidden>
<div class="fields"><label>Search <input type="search" name="q" autocomplete="off" spellcheck="false"></label>
<label>Level <select name="level"><option value="">all</option>${levels.map((level) => markup`<option>${level}</option>`)}</select></label>
<label>Topic <select name="topic"><option value="">all</option>${byTopic(verdicts).map((one) => markup`<option value="${topicKey(one)}">${titleOf(one.contract, one.topic)}</option>`)}</select></label></div>
<fieldset><legend>Outcome</legend>${boxes}</fieldset>
<p class="result"><span role="status" id="shown"></span> <button type="reset">Show all</button></p>
</form>`
}
