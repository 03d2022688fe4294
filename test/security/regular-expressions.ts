// Finds the regular expressions of the sources, without a parser of TypeScript.

export type SourcePattern = { readonly source: string; readonly flags: string };

/** After these a slash begins a regular expression, and no division. */
const beforePattern =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|throw|new|void|await|yield))\s*$/;

const literal = /\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/y;
const skipped = /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y;

/** The literals of a source file, in their order; those inside of template literals too. */
export function findPatternLiterals(text: string): SourcePattern[] {
  const found: SourcePattern[] = [];
  let at = 0;
  let before = '';
  while (at < text.length) {
    skipped.lastIndex = at;
    const comment = skipped.exec(text);
    if (comment !== null) {
      if (!comment[0].startsWith('/')) before = "'";
      at = skipped.lastIndex;
      continue;
    }
    literal.lastIndex = at;
    const pattern = text[at] === '/' && beforePattern.test(before) ? literal.exec(text) : null;
    if (pattern !== null) {
      found.push({ source: pattern[1] ?? '', flags: pattern[2] ?? '' });
      at = literal.lastIndex;
      before = '/';
      continue;
    }
    before = (before + text[at]).slice(-20);
    at += 1;
  }
  return found;
}
