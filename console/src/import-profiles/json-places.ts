// Finds where in a text of JSON a value stands, so that an error of the service about it can be shown there.

export type TextRange = { readonly start: number; readonly end: number };

export type ReadDocument =
  | {
      readonly value: Readonly<Record<string, unknown>>;
      /** By path, such as `columns[0].from`; that of the whole is empty. A member begins with its name. */
      readonly places: ReadonlyMap<string, TextRange>;
    }
  | { readonly value?: undefined; /** Where it is no JSON object any more. */ readonly errorAt: number };

class SyntaxAt extends Error {
  readonly offset: number;
  constructor(offset: number) {
    super(`no JSON at ${offset}`);
    this.offset = offset;
  }
}

/** A text that is not one JSON object gives the place where it stops to be one. */
export function readDocument(text: string): ReadDocument {
  try {
    const places = new Map<string, TextRange>();
    const reader = createReader(text, places);
    reader.skipSpace();
    if (text[reader.at()] !== '{') throw new SyntaxAt(reader.at());
    reader.readValue('');
    reader.skipSpace();
    if (reader.at() < text.length) throw new SyntaxAt(reader.at());
    return { value: JSON.parse(text) as Readonly<Record<string, unknown>>, places };
  } catch (error) {
    if (error instanceof SyntaxAt) return { errorAt: error.offset };
    throw error;
  }
}

/** A text without control characters, a number, or a word. */
const token =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y;
const space = /[ \t\r\n]*/y;
/** No profile is as deep; a text of brackets alone must not exhaust the stack. */
const maxDepth = 100;

function createReader(text: string, places: Map<string, TextRange>) {
  let offset = 0;
  let depth = 0;

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0];
    offset += found?.length ?? 0;
    return found;
  }

  const skipSpace = (): void => void match(space);

  function expect(mark: string): void {
    if (text[offset] !== mark) throw new SyntaxAt(offset);
    offset += 1;
  }

  /** Whether another one follows. */
  function readSeparator(close: string): boolean {
    skipSpace();
    if (text[offset] === close) {
      offset += 1;
      return false;
    }
    expect(',');
    return true;
  }

  function readItems(open: string, close: string, readItem: (index: number) => void): void {
    expect(open);
    if ((depth += 1) > maxDepth) throw new SyntaxAt(offset);
    skipSpace();
    if (text[offset] === close) offset += 1;
    else {
      let index = 0;
      do {
        skipSpace();
        readItem(index);
        index += 1;
      } while (readSeparator(close));
    }
    depth -= 1;
  }

  function readMember(path: string): void {
    const start = offset;
    const quoted = text[offset] === '"' ? match(token) : undefined;
    if (quoted === undefined) throw new SyntaxAt(offset);
    skipSpace();
    expect(':');
    skipSpace();
    const name = JSON.parse(quoted) as string;
    const own = path === '' ? name : `${path}.${name}`;
    readValue(own);
    places.set(own, { start, end: offset });
  }

  function readValue(path: string): void {
    const start = offset;
    if (text[offset] === '{') readItems('{', '}', () => readMember(path));
    else if (text[offset] === '[') readItems('[', ']', (index) => readValue(`${path}[${index}]`));
    else if (match(token) === undefined) throw new SyntaxAt(offset);
    places.set(path, { start, end: offset });
  }

  return { at: () => offset, skipSpace, readValue };
}

/** The place of a path, or of the nearest that has it in it: what is missing has none of its own. */
export function findPlace(places: ReadonlyMap<string, TextRange>, path: string): TextRange {
  for (let rest = path; ; rest = rest.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, '')) {
    const place = places.get(rest);
    if (place !== undefined) return place;
    if (rest === '') return { start: 0, end: 0 };
  }
}

/** Both counted from 1. */
export function lineAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
