// Defines the style of the pages for people, and their Content-Security-Policy: only this style and images of this host.

import { createStylePolicy } from './style-policy.ts';

// Contrasts of text are at least 4.5 to 1, and of borders that matter 3 to 1, in both schemes (WCAG 2.2, 1.4.3 and 1.4.11).
export const pageStyle = `
:root { color-scheme: light dark; --text: #1c2529; --soft: #4d5a61; --paper: #f7f5f0; --card: #fff; --line: #c9d0d3;
  --brand: #0e5a66; --on-brand: #fff; --mark: #d3ece9; --on-mark: #07323a; --focus: #8a4b00; }
@media (prefers-color-scheme: dark) { :root { --text: #eef2f3; --soft: #b4c0c6; --paper: #10181b; --card: #1a2529;
  --line: #3d4b51; --brand: #7fd4cf; --on-brand: #07211f; --mark: #12464f; --on-mark: #d9f2ef; --focus: #f2a33c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--text); font: 1.0625rem/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
img { display: block; width: 2.75rem; height: 2.75rem; margin-bottom: 1rem; }
ul { margin: 0 0 1rem; padding-left: 1.4rem; }
h1 { font-size: clamp(1.6rem, 1.2rem + 2vw, 2.25rem); line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 .75rem; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
.note { border-left: .3rem solid var(--brand); padding: .25rem 0 .25rem .9rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 1.25rem 0; }
.fits { display: inline-block; background: var(--mark); color: var(--on-mark); border-radius: 1rem; padding: .1rem .8rem;
  font-size: .95rem; font-weight: 600; border: 1px solid transparent; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.5rem; margin: 0 0 1.25rem; }
a { color: var(--brand); text-underline-offset: .2em; overflow-wrap: anywhere; padding: .25rem 0; }
.button { background: var(--brand); color: var(--on-brand); border: 2px solid transparent; border-radius: .5rem;
  padding: .65rem 1.1rem; font-weight: 600; text-decoration: none; }
.button:hover { text-decoration: underline; }
:focus-visible { outline: .2rem solid var(--focus); outline-offset: .2rem; border-radius: .25rem; }
dl { margin: 0; display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .3rem 1.25rem; }
dt { color: var(--soft); overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
code { font: .92em/1.5 ui-monospace, "Cascadia Mono", Consolas, monospace; overflow-wrap: anywhere; user-select: all; }
.command { display: block; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem; }
.help { margin-top: 2rem; }
.languages { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
[aria-current] { font-weight: 600; text-decoration: none; }
ol { margin: 0; padding-left: 1.4rem; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; }
  .button { width: 100%; text-align: center; } }
@media (forced-colors: active) { .button, .fits { border-color: currentColor; } }
@media print { .button { border-color: currentColor; } }
`;

/** The header fields of every page. */
export const pageHeaders = {
  'content-security-policy': createStylePolicy(pageStyle, "img-src 'self'"),
  'referrer-policy': 'no-referrer',
} as const;
