// The HTTP client of an adapter and the base URL of its provider.

import type { KeyPath } from '../../../lib/queues/turn-queue.ts';
import type { JsonAnswer } from '../../http-client/json-client.ts';

export type GeocodingClient = {
  /** Ends with a slash. */
  readonly baseUrl: URL;
  /** Sends one request when its turn in the queue comes; keys take turns. Never throws. */
  get(url: URL, turnKey: KeyPath): Promise<JsonAnswer>;
};

/** Builds the URL of a path below the base URL. It encodes the segments of the path. */
export function providerUrl(
  { baseUrl }: GeocodingClient,
  segments: readonly string[],
  parameters: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(segments.map((segment) => encodeURIComponent(segment)).join('/'), baseUrl);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}
