/** The style of the HTML report, light and dark. */
export const style = `
:root { color-scheme: light dark; --ground: #fff; --ink: #1d2026; --soft: #5b6270; --line: #d9dde4; --panel: #f5f6f8; --green: #17713a; --red: #b3261e; --yellow: #8a5a00; --blue: #0b62a4; --violet: #7b3aa8 }
@media (prefers-color-scheme: dark) { :root { --ground: #14161a; --ink: #e6e8ec; --soft: #9aa2b1; --line: #30353e; --panel: #1c1f25; --green: #62c886; --red: #ff8a80; --yellow: #e8b04b; --blue: #74b9f0; --violet: #cf9cf2 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem }
h3 { margin: 0 0 .5rem; font-size: 1rem }
h4 { margin: 1rem 0 .25rem; font-size: .85rem; color: var(--soft) }
i { font-style: normal }
small, .who, .when { color: var(--soft) }
.who, .when { margin: 0; font-size: .9rem }
.meaning { margin: .5rem 0 1rem; font-weight: 600 }
code, pre { font: .85em/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
pre { margin: 0; padding: .75rem; overflow-x: auto; white-space: pre-wrap; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem }
.tiles { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1rem; padding: 0; list-style: none }
.tiles li { padding: .35rem .8rem; background: var(--panel); border-radius: .4rem }
article { margin: 0 0 1rem; padding: 1rem; background: var(--panel); border-left: .25rem solid currentColor; border-radius: .4rem }
article > * { color: var(--ink) }
article h3 i { color: var(--red) }
article.warn h3 i { color: var(--yellow) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0 }
dt { color: var(--soft) }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere }
details { margin: .5rem 0 }
summary { cursor: pointer; padding: .3rem 0 }
table { width: 100%; border-collapse: collapse; font-size: .92rem }
th { text-align: left; color: var(--soft); font-weight: 500 }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td:first-child { white-space: nowrap }
main section table td:first-child { white-space: normal; min-width: 8.5rem }
.number { text-align: right }
.id { white-space: nowrap }
tr > td { color: var(--ink) }
.pass, .good, tr.pass td:first-child { color: var(--green) }
.fail, .error, .stale, .bad, tr.fail td:first-child, tr.error td:first-child, tr.stale td:first-child { color: var(--red) }
.warn, .known, tr.warn td:first-child, tr.known td:first-child { color: var(--yellow) }
.observed, tr.observed td:first-child { color: var(--blue) }
.blocked, tr.blocked td:first-child { color: var(--violet) }
.not-covered, .not-applicable, tr.not-covered td:first-child, tr.not-applicable td:first-child { color: var(--soft) }
`
