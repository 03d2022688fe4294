// Reads the members of a header or a line, and remembers whether one of them was not valid. A member that is null is
// missing.

import { parseOffsetTime } from '../../../lib/time/ms2000.ts';
import { isJsonNumber, parseDecimalInt64 } from '../../../lib/values/int64.ts';

/** Printable ASCII without spaces: it is the same in every encoding and collation. */
const tokenPattern = /^[\x21-\x7e]+$/;
const controlCharacters = /\p{Cc}/u;

export class LineFields {
  readonly #values: Readonly<Record<string, unknown>>;
  #isValid = true;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  get isValid(): boolean {
    return this.#isValid;
  }

  /** The member as it is; undefined where it is missing. */
  get(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? undefined) : undefined;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  /** Marks the line as not valid unless the condition holds. */
  require(condition: boolean): void {
    this.#isValid &&= condition;
  }

  text(name: string, maxLength: number): string | undefined {
    return this.#read(name, (value) =>
      typeof value === 'string' && value.length <= maxLength && value.isWellFormed() && !controlCharacters.test(value)
        ? value
        : undefined,
    );
  }

  token(name: string, maxLength: number): string | undefined {
    return this.#read(name, (value) =>
      typeof value === 'string' && value.length <= maxLength && tokenPattern.test(value) ? value : undefined,
    );
  }

  /** A whole number of at least `least` that a double is exact for. */
  integer(name: string, least: number): number | undefined {
    return this.#read(name, (value) =>
      Number.isSafeInteger(value) && (value as number) >= least ? (value as number) : undefined,
    );
  }

  boolean(name: string): boolean | undefined {
    return this.#read(name, (value) => (typeof value === 'boolean' ? value : undefined));
  }

  /** Minor units, as a string of digits. */
  amount(name: string): bigint | undefined {
    return this.#read(name, (value) => (typeof value === 'string' ? parseDecimalInt64(value) : undefined));
  }

  /** MS2000. */
  time(name: string): number | undefined {
    return this.#read(name, (value) => (typeof value === 'string' ? parseOffsetTime(value) : undefined));
  }

  /** A positive whole number, as a string of digits or as a number. */
  id(name: string): number | undefined {
    return this.#read(name, (value) => {
      const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value;
      return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : undefined;
    });
  }

  object(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#read(name, (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value)
        ? (value as Readonly<Record<string, unknown>>)
        : undefined,
    );
  }

  #read<T>(name: string, parse: (value: unknown) => T | undefined): T | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const parsed = parse(value);
    this.require(parsed !== undefined);
    return parsed;
  }
}
