// Keeps the desired state of a computer as retained messages of the broker: the snapshot first, then each change. It tells
// the service nothing: only the computer itself acknowledges, by a line of its stream.

import { setTimeout as pause } from 'node:timers/promises';
import type { EquipmentRequests } from './equipment-requests.ts';
import { toRetainedMessage, type BridgedChange, type RetainedMessage } from './desired-topics.ts';

export type DesiredBridge = ReturnType<typeof createDesiredBridge>;

type DesiredBridgeOptions = {
  readonly requests: EquipmentRequests;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  publish(message: RetainedMessage): Promise<void>;
  /** Told once for each failure that follows a success. */
  onFailed(reason: string): void;
  /** Told of a message that the broker did not take, and that is published again when the broker is connected anew. */
  onRefused(error: unknown): void;
};

const waitSeconds = 55;
const firstRetryMs = 1000;
const maxRetryMs = 60_000;
/** The topic of the version and of the digests of all other messages. */
const versionTopic = 'desired/version';

type Snapshot = { readonly version: number; readonly messages: readonly RetainedMessage[] };

export function createDesiredBridge(options: DesiredBridgeOptions) {
  const { requests, signal, clock, publish, onFailed, onRefused } = options;
  const published = new Map<string, RetainedMessage>();
  let hasSnapshot = false;

  const publishMessage = async (message: RetainedMessage): Promise<void> => {
    if (message.payload === '') published.delete(message.topic);
    else published.set(message.topic, message);
    await publish(message);
  };
  const publishSnapshot = async ({ messages }: Snapshot): Promise<void> => {
    const topics = new Set(messages.map(({ topic }) => topic));
    for (const topic of published.keys())
      if (!topics.has(topic)) await publishMessage({ topic, payload: '', expirySeconds: undefined });
    for (const message of messages) await publishMessage(message);
    hasSnapshot = true;
  };
  /** Follows the changes until the version is too old. */
  const followFrom = async (from: number): Promise<void> => {
    for (let version = from; !signal.aborted;) {
      const answer = await requests.get(`equipment/v1/desired?after=${version}&wait=${waitSeconds}`, signal);
      if (answer.status === 410) return;
      if (answer.status !== 200) throw new Error(`the service answered with the status ${answer.status}`);
      const { version: next, changes } = JSON.parse(answer.body) as { version: number; changes: BridgedChange[] };
      for (const change of changes) {
        const message = toRetainedMessage(change, clock());
        if (message !== undefined) await publishMessage(message);
      }
      if (next !== version) await publishMessage(toVersionMessage({ version: next }));
      version = next;
    }
  };
  return {
    /** Publishes everything again, to a broker that may have lost it. */
    publishAll: async () => {
      for (const message of published.values()) await publish(message).catch(onRefused);
    },
    /** The broker has a message of this topic: clears it if the thing is gone. */
    noticeRetained: (topic: string) => {
      if (hasSnapshot && !published.has(topic))
        publish({ topic, payload: '', expirySeconds: undefined }).catch(onRefused);
    },
    /** Ends when the signal aborts. */
    follow: async () => {
      let retryMs = firstRetryMs;
      while (!signal.aborted) {
        try {
          const snapshot = await readSnapshot(requests, signal, clock());
          await publishSnapshot(snapshot);
          retryMs = firstRetryMs;
          await followFrom(snapshot.version);
        } catch (error) {
          if (signal.aborted) return;
          if (retryMs === firstRetryMs) onFailed(error instanceof Error ? error.message : String(error));
          // Full jitter: computers that failed together do not come back together.
          await pause(retryMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
          retryMs = Math.min(retryMs * 2, maxRetryMs);
        }
      }
    },
  };
}

async function readSnapshot(requests: EquipmentRequests, signal: AbortSignal, nowMs: number): Promise<Snapshot> {
  const answer = await requests.get('equipment/v1/snapshot', signal);
  if (answer.status !== 200) throw new Error(`the service answered with the status ${answer.status}`);
  const lines = answer.body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BridgedChange & { readonly end?: boolean; readonly version: number });
  const end = lines.pop();
  if (end?.end !== true) throw new Error('the snapshot has no end');
  const messages = lines.flatMap((change) => toRetainedMessage(change, nowMs) ?? []);
  return { version: end.version, messages: [...messages, toVersionMessage(end)] };
}

const toVersionMessage = ({ version, digests }: { readonly version: number; readonly digests?: unknown }) => ({
  topic: versionTopic,
  payload: JSON.stringify({ version, ...(digests === undefined ? {} : { digests }) }),
  expirySeconds: undefined,
});
