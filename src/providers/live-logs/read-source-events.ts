// Reads the events in another program's JSON answer, and removes what a page could not show safely. An answer of
// another shape is refused as a whole.

import {
  isRecent,
  liveLogLevels,
  maxLiveLogEvents,
  type LogEvent,
  type LiveLogLevel,
} from '../../lib/live-log/live-log.ts';
import { escapeMarkup } from '../../lib/text/escape-html.ts';

const maxQuestionLength = 2000;
const maxTemplateLength = 1000;
const maxNameLength = 100;
const maxValueLength = 500;
const maxFields = 30;
const maxUserIds = 100;

type Members = Readonly<Record<string, unknown>>;

/** The newest first; undefined if the body is not such an answer. `now` is in epoch milliseconds. */
export function readSourceEvents(body: unknown, now: number): LogEvent[] | undefined {
  if (!isObject(body) || !Array.isArray(body['events'])) return undefined;
  const events = body['events'].map(readEvent);
  if (!events.every((event) => event !== undefined)) return undefined;
  return events
    .filter(({ at }) => isRecent(at, now))
    .toSorted((one, other) => other.at - one.at)
    .slice(0, maxLiveLogEvents);
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readEvent(value: unknown): LogEvent | undefined {
  if (!isObject(value)) return undefined;
  const at = readInstant(value['timestamp']);
  const level = liveLogLevels.find((each): each is LiveLogLevel => each === value['level']);
  const { messageTemplate, category } = value;
  if (at === undefined || level === undefined) return undefined;
  if (typeof messageTemplate !== 'string' || typeof category !== 'string') return undefined;
  const details = readDetails(value);
  if (details === undefined) return undefined;
  return {
    at,
    level,
    messageTemplate: cleanText(messageTemplate, maxTemplateLength),
    category: cleanText(category, maxNameLength),
    ...details,
  };
}

/** RFC 3339 in UTC. */
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

function readInstant(value: unknown): number | undefined {
  const at = typeof value === 'string' && instantPattern.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

type Details = Omit<LogEvent, 'at' | 'level' | 'messageTemplate' | 'category'>;
type DetailReader = (value: unknown) => unknown;

const readId: DetailReader = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined);

/** Each returns undefined for a value of another shape. */
const detailReaders: Readonly<Record<keyof Details, DetailReader>> = {
  statusCode: (value) => (Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599 ? value : undefined),
  elapsedMilliseconds: (value) => (Number.isFinite(value) && Number(value) >= 0 ? value : undefined),
  bankId: readId,
  userIds: (value) =>
    Array.isArray(value) && value.length <= maxUserIds && value.every((id) => readId(id) !== undefined)
      ? value
      : undefined,
  traceId: (value) => (typeof value === 'string' && /^[\da-f]{32}$/.test(value) ? value : undefined),
  question: (value) => (typeof value === 'string' ? cleanText(value, maxQuestionLength) : undefined),
  fields: readFields,
};

/** A member that is null counts as missing. */
function readDetails(event: Members): Details | undefined {
  const details: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(detailReaders)) {
    const value = event[name] ?? undefined;
    if (value === undefined) continue;
    const known = read(value);
    if (known === undefined) return undefined;
    details[name] = known;
  }
  return details;
}

function readFields(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length > maxFields) return undefined;
  const fields: [name: string, text: string][] = [];
  for (const [name, text] of entries) {
    if (typeof text !== 'string') return undefined;
    // A name that no placeholder can have is not in any template.
    if (/^[A-Za-z_]\w{0,63}$/.test(name)) fields.push([name, escapeMarkup(cleanText(text, maxValueLength))]);
  }
  return Object.fromEntries(fields);
}

/** Removes control characters except line breaks, and bounds the length in Unicode code points. */
function cleanText(text: string, maxLength: number): string {
  const cleaned = text.toWellFormed().replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, keepLineFeed);
  return cleaned.length <= maxLength ? cleaned : Array.from(cleaned).slice(0, maxLength).join('');
}

const keepLineFeed = (character: string): string => (character === '\n' ? '\n' : '');
