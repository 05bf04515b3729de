import { baseStyle } from '../../../conformance/report/html/base-style.ts'

/** The style of the pages. */
export const style = `${baseStyle}
header { margin-bottom: 1.5rem; padding-bottom: 1.25rem; border-bottom: 1px solid var(--line) }
header .lead { max-width: 46rem; margin: .6rem 0; font-size: 1.08rem }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; align-items: start }
.contents { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; font-size: .92rem }
.contents ul { padding-left: .75rem; list-style: none }
.contents details > ul { padding-left: 0 }
.contents li > ul { margin: .1rem 0 .5rem; border-left: 1px solid var(--line) }
.contents a { text-decoration: none }
.contents a:hover { text-decoration: underline }
main > :first-child, main > form + * { margin-top: 0 }
h2 { padding-top: .25rem; font-size: 1.4rem }
h3 { margin: 2rem 0 .5rem; font-size: 1.1rem }
h4 { margin: 0; font-size: 1rem; font-weight: 600 }
.level { display: inline-block; padding: 0 .5rem; border: 1px solid var(--soft); border-radius: 1rem; color: var(--soft); font-size: .82rem; font-weight: 500; line-height: 1.4 }
.level.must { border-color: var(--ink); background: var(--ink); color: var(--ground) }
.level.should { border-color: var(--ink); color: var(--ink) }
.requirement, .entry { margin: 0 0 1rem; padding: .75rem 1rem; background: var(--panel); border: 1px solid transparent; border-radius: .5rem }
.requirement:target, .entry:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link) }
.requirement h4 { display: flex; flex-wrap: wrap; gap: .15rem .6rem; align-items: baseline }
.requirement h4 .soft { font-weight: 400 }
.id { font-family: ui-monospace, monospace; font-size: .9em }
.statement { margin: .35rem 0 .6rem; font-size: 1.05rem }
.facts { margin: .25rem 0 0 }
.facts ul { padding-left: 1.1rem }
.faults { margin-top: .25rem }
.faults ul { margin: .1rem 0 .5rem; font-size: .95rem }
.faults summary, .sample summary { color: var(--link) }
.entry h3 { margin: 0 0 .35rem; font-size: 1.05rem }
.request { display: block; margin: 0 0 .5rem; font-size: .9rem }
.entry td p, .entry th p { margin: 0 0 .2rem }
.entry table { margin: .75rem 0 }
.copyable { display: flex; gap: .75rem; align-items: flex-start }
.copyable pre { flex: 1; min-width: 0 }
.copyable button { flex: none; min-width: 5rem }
.command { align-items: center }
.overview td, .overview th { padding-right: 1rem }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem; margin: 1rem 0; padding: 0; list-style: none }
.cards li { padding: .9rem 1.1rem; background: var(--panel); border-radius: .5rem }
.cards h3 { margin: 0 0 .3rem }
.list { padding: 0; list-style: none }
.list li { display: grid; grid-template-columns: 11rem 4.5rem minmax(0, 1fr); gap: .1rem .75rem; padding: .35rem 0; border-bottom: 1px solid var(--line) }
.topic > summary { padding: .5rem 0; border-bottom: 1px solid var(--line) }
.topic > summary h4 { display: inline }
.topic > .list { margin: 0 0 .5rem 1.1rem }
.topic > p { margin: 0 0 1rem 1.1rem }
@media (min-width: 45rem) {
  th, td:nth-child(2) { overflow-wrap: break-word }
}
@media (min-width: 60rem) {
  @supports selector(::details-content) {
    .contents summary { display: none }
    .contents details::details-content { display: block; block-size: auto; content-visibility: visible }
  }
}
@media (max-width: 60rem) {
  .columns { grid-template-columns: minmax(0, 1fr); gap: 1rem }
  .contents { position: static; max-height: none; padding: .25rem .85rem; background: var(--panel); border-radius: .5rem }
}
@media (max-width: 45rem) {
  .requirement, .entry { padding: .6rem .75rem }
  .copyable { flex-direction: column-reverse; align-items: stretch; gap: .4rem }
  .copyable button { align-self: flex-end }
  .list li { grid-template-columns: minmax(0, 1fr) max-content }
  .list li > :last-child { grid-column: 1 / -1 }
  .topic > .list, .topic > p { margin-left: 0 }
}
@media print {
  .columns { display: block }
  .contents { display: none }
  .requirement, .entry { padding: .25rem 0; border: 0; border-bottom: 1px solid var(--line); border-radius: 0 }
  .requirement, tr { break-inside: avoid-page }
  h2, h3, h4 { break-after: avoid }
  .level.must { border-color: #000; background: #fff; color: #000 }
  .topic::details-content { block-size: auto; content-visibility: visible }
  .faults, .sample:not([open]) { display: none }
}
`
