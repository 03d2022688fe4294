// What an adapter reaches its provider with.

import type { JsonAnswer } from '../../http-client/json-client.ts';

export type ProviderAccess = {
  /** Ends with a slash. */
  readonly baseUrl: URL;
  /** Sends one request when it is its turn; countries take turns. Never throws. */
  get(url: URL, country: string): Promise<JsonAnswer>;
};

/** The URL of a path below the base URL. The segments of the path are encoded here. */
export function providerUrl(
  { baseUrl }: ProviderAccess,
  segments: readonly string[],
  parameters: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(segments.map((segment) => encodeURIComponent(segment)).join('/'), baseUrl);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}
