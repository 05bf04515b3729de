import { baseStyle } from './base-style.ts'

/** The style of the report. */
export const style = `${baseStyle}
h3, h4 { display: inline; margin: 0; font-size: 1rem; font-weight: 600 }
.requirement h4 { font-weight: 400 }
.meaning { margin: .4rem 0 .6rem; font-size: 1.1rem; font-weight: 600 }
mark { background: var(--mark); color: var(--ink); border-radius: .15rem; box-shadow: 0 0 0 2px var(--mark); text-decoration: underline; text-underline-offset: .2em }
.symbol { display: inline-block; min-width: 1em; text-align: center; font-weight: 700 }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0; padding: .6rem 0; list-style: none; border-block: 1px solid var(--line) }
.topic { border-bottom: 1px solid var(--line) }
.topic > summary { padding: .6rem 0 }
.topic > .requirement, .above { margin-left: 1.1rem }
.counts { margin-left: .5rem; font-size: .9rem }
.counts span:not(:last-child)::after { content: "," }
.requirement { content-visibility: auto; contain-intrinsic-size: auto 2.4rem }
section > .requirement { margin: 0 0 1rem; padding: .5rem 1rem; background: var(--panel); border-left: .3rem solid; border-radius: .4rem }
section > .requirement > * { color: var(--ink) }
.requirement.fail, .requirement.error { border-color: var(--red) }
.requirement.warn { border-color: var(--yellow) }
.topic > .requirement > .body { margin: 0 0 .75rem; padding: .5rem 1rem; background: var(--panel); border-radius: .4rem }
.check + .check { margin-top: 1rem; padding-top: .5rem; border-top: 1px solid var(--line) }
.sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .75rem; margin: .75rem 0 }
.sides > div { min-width: 0 }
dl.sides > div { padding: .5rem .75rem; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem }
.sides dd { margin: 0 }
p.label, dt.label { margin: 0 0 .15rem; color: var(--soft); font-size: .85rem }
.exchange { margin-left: 1.1rem }
.exchanges > .exchange { margin-left: 0 }
.number { white-space: nowrap }
.bar { display: block; width: 14rem; max-width: 100%; height: .8rem; margin-top: .3rem; background: var(--panel) }
.bar .run { fill: var(--blue) }
.bar .wait { fill: var(--soft) }
.pass { color: var(--green) }
.fail, .error, .stale { color: var(--red) }
.warn, .known { color: var(--yellow) }
.observed { color: var(--blue) }
.blocked { color: var(--violet) }
.not-covered, .not-applicable { color: var(--soft) }
.requirement { color: var(--ink) }
.filtered .requirement { content-visibility: visible }
@media (max-width: 45rem) {
  .sides { grid-template-columns: minmax(0, 1fr) }
  section > .requirement { padding: .5rem .75rem }
  .topic > .requirement, .above, .exchange { margin-left: .4rem }
  .topic > .requirement > .body { padding: .4rem .6rem }
  .bar { width: 100% }
}
@media print {
  .topic::details-content, #timeline details::details-content { content-visibility: visible; block-size: auto }
  .requirement { content-visibility: visible; break-inside: avoid-page }
  section > .requirement { border: 1px solid var(--line) }
  h2, summary { break-after: avoid }
}
`
