/**
 * The style that all pages share: colours, text, forms, tables, lists of facts. Light, dark, on a
 * phone, and printed.
 */
export const baseStyle = `
:root { color-scheme: light dark; --ground: #fff; --ink: #1d2026; --soft: #565d6b; --line: #d3d8e0; --panel: #f5f6f8; --mark: #ffe08a; --link: #0b5a97; --green: #136334; --red: #b3261e; --yellow: #7d5200; --blue: #0b5a97; --violet: #6f3499 }
@media (prefers-color-scheme: dark) { :root { --ground: #14161a; --ink: #e6e8ec; --soft: #a3abba; --line: #343a44; --panel: #1c1f25; --mark: #6b5200; --link: #82c1f5; --green: #6bd08f; --red: #ff9389; --yellow: #ecba5c; --blue: #82c1f5; --violet: #d4a6f5 } }
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--link) }
a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .2rem }
main:focus { outline: none }
.skip { position: absolute; left: -100vw; top: 0; padding: .5rem 1rem; background: var(--ground) }
.skip:focus { left: 0; z-index: 1 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
[hidden] { display: none !important }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25 }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem }
p { margin: .35rem 0 }
ul { margin: 0; padding-left: 1.2rem }
small, .soft { color: var(--soft); font-size: .9rem }
code, pre { font: .85rem/1.5 ui-monospace, monospace }
pre { margin: 0; padding: .6rem .75rem; white-space: pre-wrap; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem }
.tiles { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; padding: 0; list-style: none }
.tiles li { padding: .35rem .8rem; background: var(--panel); border-radius: .4rem }
nav a { display: inline-block; padding: .15rem 0 }
form { margin: 1rem 0; padding: .75rem 1rem; background: var(--panel); border-radius: .5rem }
.fields { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem }
.fields label { display: flex; align-items: center; gap: .5rem; min-width: 0; max-width: 100% }
.fields label:first-child { flex: 1 1 18rem }
input[type=search], select, button { min-height: 2rem; padding: .2rem .5rem; border: 1px solid var(--soft); border-radius: .35rem; background: var(--ground); color: var(--ink); font: inherit; font-size: .95rem }
input[type=search] { flex: 1; min-width: 0; width: 100% }
select { min-width: 0; max-width: 18rem }
button { cursor: pointer }
fieldset { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .75rem 0 0; padding: 0; border: 0 }
legend { float: left; margin-right: 1rem; padding: .2rem 0 }
.box { display: inline-flex; align-items: center; gap: .35rem; min-height: 1.75rem }
.result { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin: .6rem 0 0 }
summary { padding: .4rem 0; cursor: pointer }
.facts { display: grid; grid-template-columns: minmax(5.5rem, max-content) minmax(0, 1fr); gap: .2rem 1rem; margin: .5rem 0; font-size: .95rem }
.facts dt { color: var(--soft) }
.facts dd { margin: 0 }
.command { display: flex; align-items: flex-start; gap: 1rem; margin: .4rem 0 }
.command .name { flex: 0 0 5.5rem; color: var(--soft); font-size: .95rem }
.command code { flex: 1; min-width: 0; padding: .2rem 0 }
.command button { flex: none; min-width: 5rem }
table { width: 100%; margin: .5rem 0 1rem; border-collapse: collapse; font-size: .92rem }
caption { padding: .3rem 0; text-align: left; color: var(--soft) }
th { text-align: left; font-weight: 500 }
thead th { color: var(--soft); overflow-wrap: normal }
th, td { padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
tbody th { min-width: 9rem }
td p:first-child { margin-top: 0 }
.id { white-space: nowrap }
@media (max-width: 45rem) {
  body { padding: 1rem .85rem 3rem }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0 }
  .facts dd { margin-bottom: .4rem }
  .command { flex-wrap: wrap }
  .command code { flex: 1 1 100%; order: 3 }
  .fields label, .fields label:first-child { flex: 1 1 100% }
  select { flex: 1 }
  thead { display: none }
  table, tbody, caption { display: block }
  tr { display: grid; padding: .4rem 0; border-bottom: 1px solid var(--line) }
  th, td { display: block; padding: 0; border: 0; min-width: 0 }
  td:not(:empty)::before { content: attr(data-label) ": "; color: var(--soft) }
}
@media print {
  :root { --ground: #fff; --ink: #000; --soft: #444; --line: #bbb; --panel: #fff; --mark: #e8e8e8; --link: #000; --green: #136334; --red: #a31515; --yellow: #6b4500; --blue: #0b4a7d; --violet: #5b2a80; color-scheme: light }
  body { max-width: none; padding: 0; font-size: 10pt }
  form, nav, .skip, .copy { display: none !important }
  a { text-decoration: none }
}
`
