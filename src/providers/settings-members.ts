// Reads the members of a settings file in JSON. Each reader throws an Error that names the member and what is expected, and
// never repeats the value: it may be a secret.

export type SettingsMembers = Readonly<Record<string, unknown>>;

export function refuse(path: string, expected: string): never {
  throw new Error(`${path}: expected ${expected}`);
}

export function parseSettingsText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the file, which may hold tokens.
    throw new Error('the file is not JSON');
  }
}

/** All names are allowed if no `known` members are given. */
export function readObject(path: string, value: unknown, known?: readonly string[]): SettingsMembers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(path, 'an object');
  const unknown = Object.keys(value).find((name) => !(known?.includes(name) ?? true));
  if (unknown !== undefined) refuse(`${path}.${unknown}`, `one of the members ${(known ?? []).join(', ')}`);
  return value as SettingsMembers;
}

/** Its path ends with a slash. */
export function readBaseUrl(path: string, value: unknown, example: string): URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return refuse(path, `a URL such as ${example}`);
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '')
    refuse(path, 'a URL without a user, a query and a fragment');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

export function readTextMember(path: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string' || value.length > maxLength)
    return refuse(path, `a text of at most ${maxLength} characters`);
  return value;
}

/** A text that is valid as a header field value. */
export function readHeaderText(path: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[\x21-\x7E]{1,4096}$/.test(value))
    return refuse(path, 'visible ASCII characters without spaces');
  return value;
}

export function readTexts(path: string, value: unknown, maxLength: number): readonly string[] {
  if (!Array.isArray(value) || value.length > maxLength || !value.every((each) => typeof each === 'string'))
    return refuse(path, `a list of at most ${maxLength} texts`);
  return value;
}

export function readBoolean(path: string, value: unknown): boolean {
  return typeof value === 'boolean' ? value : refuse(path, 'true or false');
}

export function readNumber(
  path: string,
  value: unknown,
  [least, most]: readonly [number, number],
  isWhole = false,
): number {
  const isInRange = typeof value === 'number' && value >= least && value <= most;
  if (!isInRange || (isWhole && !Number.isInteger(value)))
    return refuse(path, `a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`);
  return value;
}
