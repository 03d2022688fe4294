// Reads from a JSON file to which broker the MQTT bridge connects, and for which computers it speaks.

import {
  baseUrl,
  headerText,
  optional,
  parseSettings,
  readMembers,
  refuse,
  text,
  textLike,
} from '../settings-members.ts';

const maxComputers = 10_000;
const brokerProtocols = ['mqtt:', 'mqtts:', 'ws:', 'wss:'];

const topicPart = textLike(/^[A-Za-z0-9_.-]{1,64}$/, '1 to 64 letters, digits and _.-');

const computerMembers = {
  /** The computer's part of each topic. */
  computerKid: topicPart,
  key: headerText,
  /** The address of the service; its path ends with a slash. */
  service: baseUrl('https://api.sund.example/'),
  /** The host of the tenant, if the address of the service has another one. */
  host: optional(headerText),
};

export type BridgeSettings = ReturnType<typeof parseBridgeSettings>;
export type BridgedComputer = BridgeSettings['computers'][number];

/** Throws an Error that names the member and what is expected. */
export function parseBridgeSettings(file: string) {
  const known = ['broker', 'username', 'password', 'prefix', 'computers'];
  const { broker, username, password, prefix = 'portal', computers } = parseSettings(file, known);
  return {
    computers: readComputers('computers', computers),
    broker: readBroker('broker', broker),
    username: optional(text(1024))('username', username),
    password: optional(text(1024))('password', password),
    /** The first part of each topic. */
    prefix: topicPart('prefix', prefix),
  };
}

function readBroker(path: string, value: unknown): URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !brokerProtocols.includes(url.protocol) || `${url.username}${url.password}` !== '')
    return refuse(path, 'a URL such as mqtts://broker.example:8883, without a user');
  return url;
}

function readComputers(path: string, value: unknown) {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxComputers)
    return refuse(path, `a list of 1 to ${maxComputers} computers`);
  const computers = value.map((each, index) => readMembers(`${path}.${index}`, each, computerMembers));
  if (new Set(computers.map(({ computerKid }) => computerKid)).size < computers.length)
    refuse(path, 'each computer once');
  return computers;
}
