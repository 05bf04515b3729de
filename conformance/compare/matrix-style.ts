/** The style of the page with several implementations, light and dark. */
export const matrixStyle = `
:root { color-scheme: light dark; --ground: #fff; --ink: #1d2026; --soft: #5b6270; --line: #d9dde4; --panel: #f5f6f8; --green: #17713a; --red: #b3261e; --yellow: #8a5a00; --blue: #0b62a4; --violet: #7b3aa8 }
@media (prefers-color-scheme: dark) { :root { --ground: #14161a; --ink: #e6e8ec; --soft: #9aa2b1; --line: #30353e; --panel: #1c1f25; --green: #62c886; --red: #ff8a80; --yellow: #e8b04b; --blue: #74b9f0; --violet: #cf9cf2 } }
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem 1.25rem 4rem; background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, sans-serif }
h1 { margin: 0; font-size: 1.5rem }
p { max-width: 48rem; margin: .5rem 0 }
caption { padding: 2rem 0 .6rem; text-align: left; font-size: 1.15rem; font-weight: 600 }
small, .soft { color: var(--soft) }
code { font: .9em ui-monospace, monospace }
.filter { display: inline-block; margin: 1.25rem 0 0; padding: .4rem .7rem; background: var(--panel); border-radius: .4rem; cursor: pointer }
/* The first column and the heading stay visible: each table scrolls in its own frame. */
.frame { max-height: 92vh; overflow: auto; border-bottom: 1px solid var(--line) }
.frame:focus-visible, a:focus-visible, summary:focus-visible { outline: 2px solid var(--blue); outline-offset: 1px }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.15rem }
.frame caption { padding: 0 0 .5rem; font-size: .9rem; font-weight: 400; color: var(--soft) }
.legend { max-width: none }
.legend span { margin-right: 1rem; white-space: nowrap }
table { border-collapse: separate; border-spacing: 0; font-size: .9rem }
th, td { padding: .4rem .75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400 }
.frame thead th { position: sticky; top: 0; z-index: 2; background: var(--panel); font-weight: 600; overflow-wrap: anywhere }
.frame tbody th { position: sticky; left: 0; z-index: 1; width: 24rem; min-width: 24rem; max-width: 24rem; background: var(--ground); border-right: 1px solid var(--line) }
.frame thead th:first-child { left: 0; z-index: 3; border-right: 1px solid var(--line) }
.frame .topic th { position: static; max-width: none; padding-top: 1rem; border-right: 0; font-weight: 600 }
.topic span { position: sticky; left: .75rem }
.frame td, .frame thead th:not(:first-child) { min-width: 9rem; max-width: 22rem }
.open td { min-width: 14rem; overflow-wrap: anywhere }
.frame tbody th small { display: block }
td ul { margin: 0; padding: 0; list-style: none }
td li + li { margin-top: .35rem }
summary { cursor: pointer }
details p { margin: .3rem 0 0; overflow-wrap: anywhere }
.summary th, .summary td { padding-left: 0 }
.pass { color: var(--green) }
.fail, .error, .stale { color: var(--red) }
.warn, .known { color: var(--yellow) }
.observed { color: var(--blue) }
.blocked { color: var(--violet) }
.not-covered, .not-applicable, .none { color: var(--soft) }
details > p, td ul { color: var(--ink) }
body:has(#differ:checked) .frame tr.same { display: none }
@media (max-width: 40rem) {
  body { padding: 1rem .75rem 3rem }
  .frame tbody th { width: 9.5rem; min-width: 9.5rem; max-width: 9.5rem; padding-right: .5rem }
  .frame tbody th small { font-size: .78rem }
  .frame td, .frame thead th:not(:first-child) { min-width: 7.5rem }
  .open td { min-width: 11rem }
  .summary, .summary tbody, .summary tr, .summary th, .summary td { display: block }
  .summary thead { display: none }
  .summary td { border: 0; padding: 0 }
  .summary tr { padding: .5rem 0; border-bottom: 1px solid var(--line) }
  .summary th { border: 0; padding: 0 }
}
`
