// The MQTT bridge: computers that speak MQTT 5 to a broker send the same lines, and get the same answers and the same
// desired state, as those that speak HTTP to the service.

import { connectAsync, type IPublishPacket, type MqttClient } from 'mqtt';
import type { Logger } from 'pino';
import type { BridgedComputer, BridgeSettings } from './bridge-settings.ts';
import { createDesiredBridge, type DesiredBridge } from './desired-bridge.ts';
import type { RetainedMessage } from './desired-topics.ts';
import { createEquipmentAgents, createEquipmentRequests } from './equipment-requests.ts';
import { createStreamBridge, type StreamBridge } from './stream-bridge.ts';

type MqttBridgeDependencies = {
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

const streams = ['money', 'samples'] as const;

type ComputerTopics = {
  /** By topic. */
  readonly streams: ReadonlyMap<string, StreamBridge>;
  readonly base: string;
  readonly desired: DesiredBridge;
};

/** Rejects where the broker cannot be reached at the start; later it connects again by itself. */
export async function startMqttBridge(settings: BridgeSettings, dependencies: MqttBridgeDependencies) {
  const { broker, username, password, prefix, computers } = settings;
  const client = await connectAsync(broker.href, {
    protocolVersion: 5,
    clean: true,
    reconnectPeriod: 1000,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  });
  const stopping = new AbortController();
  const agents = createEquipmentAgents();
  const topics = computers.map((computer) =>
    createComputerTopics({ client, computer, prefix, agents, signal: stopping.signal, ...dependencies }),
  );
  const byTopic = new Map(topics.flatMap(({ streams: ofComputer }) => [...ofComputer]));
  client.on('message', (topic, payload, packet) => {
    const stream = byTopic.get(topic);
    if (stream !== undefined) stream.receive({ lines: payload, correlationData: packet.properties?.correlationData });
    else if (isRetained(packet)) noticeRetained(topics, topic);
  });
  client.on('error', (error) => dependencies.log.error({ err: error }, 'the connection to the broker failed'));
  // The broker may have been started anew, and have nothing of what it had.
  client.on('connect', () => void Promise.all(topics.map(({ desired }) => desired.publishAll())));
  await client.subscribeAsync([...byTopic.keys()], { qos: 1 });
  await client.subscribeAsync(
    topics.map(({ base }) => `${base}/desired/#`),
    // The bridge does not get what it publishes itself.
    { qos: 1, nl: true },
  );
  const following = topics.map(({ desired }) => desired.follow());
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(following);
      await client.endAsync();
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** An empty message is the broker's way of forgetting one. */
const isRetained = ({ retain, payload }: IPublishPacket): boolean => retain && payload.length > 0;

function noticeRetained(computers: readonly ComputerTopics[], topic: string): void {
  const computer = computers.find(({ base }) => topic.startsWith(`${base}/desired/`));
  computer?.desired.noticeRetained(topic.slice(computer.base.length + 1));
}

type ComputerTopicsInput = MqttBridgeDependencies & {
  readonly client: MqttClient;
  readonly computer: BridgedComputer;
  readonly prefix: string;
  readonly agents: ReturnType<typeof createEquipmentAgents>;
  readonly signal: AbortSignal;
};

function createComputerTopics({
  client,
  computer,
  prefix,
  agents,
  signal,
  log,
  clock,
}: ComputerTopicsInput): ComputerTopics {
  const base = `${prefix}/${computer.computerKid}`;
  const requests = createEquipmentRequests(computer, agents);
  const { computerKid } = computer;
  /** The broker may have no right for a topic, or no space. */
  const onRefused = (error: unknown): void => {
    if (!signal.aborted) log.error({ err: error, computerKid }, 'the broker did not take a message for the computer');
  };
  const ofStreams = streams.map((stream): [string, StreamBridge] => {
    const topic = `${base}/${stream}`;
    const publishAnswer = async (answer: string, correlationData: Buffer | undefined): Promise<void> => {
      const properties = correlationData === undefined ? {} : { properties: { correlationData } };
      // The computer, which waits for the answer, sends the lines again.
      await client.publishAsync(`${topic}/answer`, answer, { qos: 1, ...properties }).catch(onRefused);
    };
    return [topic, createStreamBridge({ stream, requests, signal, publishAnswer })];
  });
  const publish = async ({ topic, payload, expirySeconds }: RetainedMessage): Promise<void> => {
    const properties = expirySeconds === undefined ? {} : { properties: { messageExpiryInterval: expirySeconds } };
    await client.publishAsync(`${base}/${topic}`, payload, { qos: 1, retain: true, ...properties });
  };
  const onFailed = (reason: string): void =>
    log.error({ computerKid, reason }, 'the desired state of the computer could not be read or published');
  return {
    base,
    streams: new Map(ofStreams),
    desired: createDesiredBridge({ requests, signal, clock, publish, onFailed, onRefused }),
  };
}
