// Copies what is logged into the live log, whatever the level of the log itself. It leaves out errors and all arguments, except
// for a few of known name and shape.

import type { Logger } from 'pino';
import { problems, type ProblemCode } from '../problem.ts';
import type { LiveLog, LiveLogLevel, OwnLiveLogEvent } from './live-log.ts';

type CapturedEvent = Omit<OwnLiveLogEvent, 'at' | 'level'>;

type SelectLiveLog = (route: string) => LiveLog;

const levels = { info: 'Information', warn: 'Warning', error: 'Error', fatal: 'Critical' } as const;

const uncaptured = Symbol('uncaptured');
type CapturedLogger = Logger & { readonly [uncaptured]?: Logger };

/** The log of the application: its messages are constants, and all but debug is captured. */
export const captureLog = (log: Logger, liveLog: LiveLog): Logger =>
  withCapture(log, () => liveLog, ['info', 'warn', 'error', 'fatal'], describeOwnLine);

/**
 * Returns the log for a library, whose messages can contain anything: only its warnings and errors are captured. The
 * application reports failed requests through it, too. `selectLiveLog` has the live log of a route; what belongs to no
 * route has an empty one.
 */
export const captureLibraryLog = (log: CapturedLogger, selectLiveLog: SelectLiveLog): Logger =>
  withCapture(log[uncaptured] ?? log, selectLiveLog, ['warn', 'error', 'fatal'], describeLibraryLine);

function withCapture(
  log: Logger,
  selectLiveLog: SelectLiveLog,
  captured: readonly (keyof typeof levels)[],
  describe: (facts: LogFacts, message: string) => CapturedEvent,
): Logger {
  const capturing = Object.create(log, { [uncaptured]: { value: log } }) as Logger;
  for (const name of captured) {
    const level: LiveLogLevel = levels[name];
    capturing[name] = (...line: unknown[]): void => {
      const [facts, message] = readLine(line);
      const { route } = facts;
      const liveLog = selectLiveLog(typeof route === 'string' ? route : '');
      liveLog.add({ level, ...describe(facts, message) });
      Reflect.apply(log[name], log, line);
    };
  }
  return capturing;
}

type LogFacts = Readonly<Record<string, unknown>>;

/** A line is logged with its facts and a message, or with only a message. */
function readLine([first, second]: readonly unknown[]): [facts: LogFacts, message: string] {
  if (typeof first === 'string') return [{}, first];
  const facts = typeof first === 'object' && first !== null ? (first as LogFacts) : {};
  return [facts, typeof second === 'string' ? second : 'an event without a message'];
}

const describeOwnLine = (facts: LogFacts, message: string): CapturedEvent => {
  const fields = readFields(facts);
  const names = Object.keys(fields);
  const placeholders = names.map((name) => `{${name}}`).join(', ');
  return {
    ...describeFacts(facts),
    category: 'service',
    messageTemplate: names.length === 0 ? message : `${message} (${placeholders})`,
    fields: names.length === 0 ? undefined : fields,
  };
};

const describeLibraryLine = (facts: LogFacts, message: string): CapturedEvent =>
  isProblemCode(message)
    ? {
        ...describeFacts(facts),
        category: 'request',
        messageTemplate: 'the request failed: {code}',
        statusCode: problems[message].status,
        fields: { code: message },
      }
    : { ...describeFacts(facts), category: 'library', messageTemplate: 'a library logged a message that is left out' };

const describeFacts = ({ tenant, traceId }: LogFacts): Pick<CapturedEvent, 'tenant' | 'traceId'> => ({
  tenant: typeof tenant === 'string' ? tenant : undefined,
  traceId: typeof traceId === 'string' && /^[\da-f]{32}$/.test(traceId) ? traceId : undefined,
});

const isProblemCode = (message: string): message is ProblemCode => Object.hasOwn(problems, message);

const word = /^[\w.-]{1,64}$/;
const whole = /^\d{1,15}$/;

/** The facts that may be shown, none of which comes from a client. */
const shownFields: Readonly<Record<string, RegExp>> = {
  bytes: whole,
  check: word,
  kind: word,
  lostLines: whole,
  outcome: word,
  port: whole,
  provider: word,
  search: word,
  server: word,
  signal: /^SIG[A-Z\d]{1,12}$/,
  total: whole,
  written: whole,
};

function readFields(facts: LogFacts): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, shape] of Object.entries(shownFields)) {
    const value = facts[name];
    if ((typeof value === 'string' || typeof value === 'number') && shape.test(String(value)))
      fields[name] = String(value);
  }
  return fields;
}
