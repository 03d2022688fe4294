// Reads one line of JSON Lines: a flat object. Numbers keep their digits, so that none passes through a double.

import { brokenRow, maxColumns, type SourceRow } from './source-row.ts';
import type { SourceLine } from './line-reader.ts';

const space = /[ \t]*/y;
// The pattern is a string: the linter knows control characters in a pattern only as a mistake.
const text = new RegExp(String.raw`"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`, 'y');
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** A line that is not as it has to be: the code of the problem, and the rest of the sentence that tells it. */
class LineProblem extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const notJson = (): LineProblem => new LineProblem('not-json', 'is not a JSON object');

export function readJsonLine({ line, text: json }: SourceLine): SourceRow {
  try {
    return { line, values: new FlatObjectParser(json).parse() };
  } catch (error) {
    if (!(error instanceof LineProblem)) throw error;
    return brokenRow(line, error.code, `Line ${line} ${error.message}.`);
  }
}

class FlatObjectParser {
  readonly #json: string;
  #at = 0;

  constructor(json: string) {
    this.#json = json;
  }

  parse(): Map<string, string> {
    const values = new Map<string, string>();
    this.#require('{');
    if (!this.#skip('}')) {
      do {
        const name = this.#takeName(values);
        this.#require(':');
        values.set(name, this.#takeValue(name));
      } while (this.#skip(','));
      this.#require('}');
    }
    this.#take(space);
    if (this.#at < this.#json.length) throw notJson();
    return values;
  }

  #takeName(values: ReadonlyMap<string, string>): string {
    const name = this.#takeText();
    if (name === undefined) throw notJson();
    const quoted = JSON.stringify(name);
    if (values.has(name)) throw new LineProblem('duplicate-name', `has the name ${quoted} twice`);
    if (name === '__proto__') throw new LineProblem('reserved-name', `has the name ${quoted}, which is not allowed`);
    if (values.size === maxColumns) throw new LineProblem('too-many-columns', `has more than ${maxColumns} names`);
    return name;
  }

  #takeValue(name: string): string {
    const taken = this.#takeText();
    if (taken !== undefined) return taken;
    if (this.#skip('{') || this.#skip('['))
      throw new LineProblem('nested-value', `has a value that is not flat: ${JSON.stringify(name)}`);
    const spelled = this.#take(scalar);
    if (spelled === undefined) throw notJson();
    return spelled === 'null' ? '' : spelled;
  }

  #takeText(): string | undefined {
    this.#take(space);
    const spelled = this.#take(text);
    if (spelled === undefined) return undefined;
    const value = spelled.includes('\\') ? (JSON.parse(spelled) as string) : spelled.slice(1, -1);
    if (!value.isWellFormed()) throw new LineProblem('lone-surrogate', 'has half of a character (a lone surrogate)');
    if (value.includes('\0')) throw new LineProblem('nul-character', 'has a NUL character, which no text has');
    return value;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [taken] = pattern.exec(this.#json) ?? [];
    this.#at += taken?.length ?? 0;
    return taken;
  }

  #skip(character: string): boolean {
    this.#take(space);
    const isNext = this.#json[this.#at] === character;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #require(character: string): void {
    if (!this.#skip(character)) throw notJson();
  }
}
