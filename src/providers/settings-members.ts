// Reads the members of a settings file in JSON. Each reader throws an Error that names the member and what is expected, and
// never repeats the value: it may be a secret.

/** Returns the value of the member at the path. */
type ReadMember<T> = (path: string, value: unknown) => T;
type MemberReaders = Readonly<Record<string, ReadMember<unknown>>>;
export type ReadMembers<R extends MemberReaders> = { readonly [Name in keyof R]: ReturnType<R[Name]> };
export type SettingsMembers = Readonly<Record<string, unknown>>;

export function refuse(path: string, expected: string): never {
  throw new Error(`${path}: expected ${expected}`);
}

/** The members of a file, by their names. */
export function parseSettings(file: string, known: readonly string[]): SettingsMembers {
  let value: unknown;
  try {
    value = JSON.parse(file);
  } catch {
    // The message of the parser quotes the file, which may hold tokens.
    throw new Error('the file is not JSON');
  }
  return readObject('the file', value, known);
}

/** Reads an object that has no other members than these. */
export const readMembers = <R extends MemberReaders>(path: string, value: unknown, readers: R): ReadMembers<R> =>
  readSome(path, readObject(path, value, Object.keys(readers)), readers);

/** Reads these of the members of an object. */
export const readSome = <R extends MemberReaders>(path: string, members: SettingsMembers, readers: R): ReadMembers<R> =>
  Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, read(`${path}.${name}`, members[name])]),
  ) as ReadMembers<R>;

export const optional =
  <T>(read: ReadMember<T>): ReadMember<T | undefined> =>
  (path, value) =>
    value === undefined ? undefined : read(path, value);

/** Null counts as missing, too. */
export const orDefault =
  <T>(missing: unknown, read: ReadMember<T>): ReadMember<T> =>
  (path, value) =>
    read(path, value ?? missing);

/** All names are allowed if no `known` members are given. */
export function readObject(path: string, value: unknown, known?: readonly string[]): SettingsMembers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(path, 'an object');
  const unknown = Object.keys(value).find((name) => !(known?.includes(name) ?? true));
  if (unknown !== undefined) refuse(`${path}.${unknown}`, `one of the members ${(known ?? []).join(', ')}`);
  return value as SettingsMembers;
}

/** Reads an object whose members may have any name, all with one reader. */
export const readEach = <T>(
  path: string,
  value: unknown,
  read: (path: string, value: unknown, name: string) => T,
): ReadonlyMap<string, T> =>
  new Map(Object.entries(readObject(path, value)).map(([name, each]) => [name, read(`${path}.${name}`, each, name)]));

/** Its path ends with a slash. */
export const baseUrl =
  (example: string): ReadMember<URL> =>
  (path, value) => {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !['http:', 'https:'].includes(url.protocol))
      return refuse(path, `a URL such as ${example}`);
    if (`${url.username}${url.password}${url.search}${url.hash}` !== '')
      refuse(path, 'a URL without a user, a query and a fragment');
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url;
  };

export const text =
  (maxLength: number): ReadMember<string> =>
  (path, value) =>
    typeof value === 'string' && value.length <= maxLength
      ? value
      : refuse(path, `a text of at most ${maxLength} characters`);

/** A text that matches the pattern. */
export const textLike =
  (pattern: RegExp, expected: string): ReadMember<string> =>
  (path, value) =>
    typeof value === 'string' && pattern.test(value) ? value : refuse(path, expected);

/** A text that is valid as a header field value. */
export const headerText = textLike(/^[\x21-\x7E]{1,4096}$/, 'visible ASCII characters without spaces');

export const trueOrFalse: ReadMember<boolean> = (path, value) =>
  typeof value === 'boolean' ? value : refuse(path, 'true or false');

export const number =
  ([least, most]: readonly [number, number], isWhole = false): ReadMember<number> =>
  (path, value) => {
    const isInRange = typeof value === 'number' && value >= least && value <= most;
    if (!isInRange || (isWhole && !Number.isInteger(value)))
      return refuse(path, `a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`);
    return value;
  };
