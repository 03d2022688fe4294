// Gives each thing that a computer has to know a topic of its own, whose retained message is the thing's newest value.

/** A change as the Equipment API answers it; its other members are passed on as they are. */
export type BridgedChange = Readonly<Record<string, unknown>> & { readonly kind: string };

export type RetainedMessage = {
  /** Below the topic of the computer. */
  readonly topic: string;
  /** Empty: the thing is gone, and the broker forgets the topic. */
  readonly payload: string;
  /** For how many seconds the broker keeps the message; undefined: for ever. */
  readonly expirySeconds: number | undefined;
};

/** The members that name the thing, by kind. */
const namingMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ['setting', ['unit', 'name']],
  ['key', ['key']],
  ['hours', ['unit']],
  ['booking', ['bookingKid']],
  ['posting', ['posting']],
  ['command', ['id']],
  ['address', ['kid']],
]);

/** `nowMs`: epoch milliseconds. Undefined for a kind that the bridge does not know: a later version of the service has it. */
export function toRetainedMessage(change: BridgedChange, nowMs: number): RetainedMessage | undefined {
  const names = namingMembers.get(change.kind)?.map((member) => change[member]);
  if (names === undefined || !names.every((name) => typeof name === 'string')) return undefined;
  const topic = ['desired', change.kind, ...names].map(encodeTopicPart).join('/');
  const expirySeconds = secondsUntil(change['expiresAt'], nowMs);
  const isGone = change['removed'] === true || expirySeconds === 0;
  return { topic, payload: isGone ? '' : JSON.stringify(change), expirySeconds: isGone ? undefined : expirySeconds };
}

function secondsUntil(instant: unknown, nowMs: number): number | undefined {
  const atMs = typeof instant === 'string' ? Date.parse(instant) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

/** `/`, `+` and `#` have a meaning in topics (MQTT 5, 4.7). */
const encodeTopicPart = (part: string): string => encodeURIComponent(part);
