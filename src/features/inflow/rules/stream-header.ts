// Parses the header of a request to a stream.

import { LineFields } from './line-fields.ts';

export const maxEpochLength = 64;
const maxSoftwareLength = 64;

/** The digests that a computer computed of the lists that it has, by their names. */
type SentDigests = Readonly<Record<string, string>>;

export type ReceivedHeader = {
  readonly epoch: string;
  /** The number of the first line. */
  readonly first: number;
  /** The time of the device's clock when it sent the request, MS2000; undefined for a device without a clock. */
  readonly sentAt: number | undefined;
  /** How long the device had run then. */
  readonly uptimeMs: number | undefined;
  readonly software: string | undefined;
  /** How many lines the computer still has. */
  readonly buffered: number | undefined;
  readonly digests: SentDigests | undefined;
};

/** Undefined where the value is no valid header. Members that it does not know are left for later versions. */
export function parseStreamHeader(value: unknown): ReceivedHeader | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = new LineFields(value as Readonly<Record<string, unknown>>);
  const epoch = fields.token('epoch', maxEpochLength);
  const first = fields.integer('first', 1);
  const header = {
    sentAt: fields.time('sentAt'),
    uptimeMs: fields.integer('uptimeMs', 0),
    software: fields.text('software', maxSoftwareLength),
    buffered: fields.integer('buffered', 0),
    digests: parseDigests(fields),
  };
  fields.require(header.sentAt !== undefined || header.uptimeMs !== undefined);
  if (epoch === undefined || first === undefined || !fields.isValid) return undefined;
  return { epoch, first, ...header };
}

const maxDigests = 16;

function parseDigests(fields: LineFields): SentDigests | undefined {
  const digests = fields.object('digests');
  if (digests === undefined) return undefined;
  const entries = Object.entries(digests);
  fields.require(
    entries.length <= maxDigests &&
      entries.every(([, digest]) => typeof digest === 'string' && /^[\da-f]{16}$/.test(digest)),
  );
  return digests as SentDigests;
}
