// Runs before the console itself is there, in a script of its own of a few kilobytes: it asks for what the first screen will
// read, and for the files of that screen, while the console is still being loaded and compiled.

import { createEarlyAnswers } from './api/early-answers.ts';
import type { Answer } from './api/client.ts';
import { readJson } from './api/read-json.ts';
import { requestOf } from './api/request.ts';
import { firstLanguage } from './language/languages.ts';
import type { Ask } from './layout/start-screen.ts';
import { screens } from './screens.ts';
import { readSession } from './session/session.ts';

const base = '/console';

export const earlyAnswers = createEarlyAnswers();

function askFirst(token: string): void {
  const language = firstLanguage(localStorage, navigator.languages);
  const ask: Ask = (id, input, then) => {
    const reader = { token, language };
    const { url, init } = requestOf(id, input, reader);
    const response = earlyAnswers.ask(url, reader, init);
    // What goes wrong is told by the console, which takes the same answer.
    if (then === undefined) response?.catch(() => {});
    else if (response !== undefined) readCopy<Answer<typeof id>>(response).then(then, () => {});
  };
  ask('GetCurrentManager', {});
  preload(language);
  for (const { path, module, start } of screens) {
    const parameters = start === undefined ? undefined : match(path);
    if (start === undefined || parameters === undefined) continue;
    start(ask, parameters, Object.fromEntries(new URLSearchParams(location.search)));
    preload(module);
  }
}

/** The answer itself is the console's to read. */
async function readCopy<Value>(response: Promise<Response>): Promise<Value> {
  const copy = (await response).clone();
  if (!copy.ok) throw new Error(`HTTP ${copy.status}`);
  return readJson(await copy.text()) as Value;
}

/** The values of the placeholders, if this is the address of such a screen. */
function match(path: string): Record<string, string> | undefined {
  const pattern = path.replaceAll(/\$(\w+)/g, '(?<$1>[\\w-]+)');
  const found = new RegExp(`^${base}${pattern}$`).exec(location.pathname);
  return found === null ? undefined : { ...found.groups };
}

/** The page says which files a screen or the texts of a language are in, by the names of their modules. */
function preload(module: string): void {
  const page = document.querySelector<HTMLMetaElement>('meta[name="files"]');
  const files = JSON.parse(page?.content ?? '{}') as Readonly<Record<string, string>>;
  for (const file of files[module]?.split(' ') ?? []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = `${base}/${file}`;
    document.head.append(link);
  }
}

const session = readSession(sessionStorage);
if (session !== undefined) askFirst(session.token);
// The browser's lists of languages take long to be made, once: that time would be missing later.
Intl.DateTimeFormat.supportedLocalesOf(['en']);
