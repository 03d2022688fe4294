// Reads from a JSON file to which broker the MQTT bridge connects, and for which computers it speaks.

import {
  readBaseUrl,
  readHeaderText,
  readObject,
  readTextMember,
  parseSettingsText,
  refuse,
} from '../settings-members.ts';

export type BridgedComputer = {
  /** The computer's part of each topic. */
  readonly computerKid: string;
  readonly key: string;
  /** The address of the service; its path ends with a slash. */
  readonly service: URL;
  /** The host of the tenant, if the address of the service has another one. */
  readonly host: string | undefined;
};

export type BridgeSettings = {
  readonly broker: URL;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The first part of each topic. */
  readonly prefix: string;
  readonly computers: readonly BridgedComputer[];
};

const maxComputers = 10_000;
const brokerProtocols = ['mqtt:', 'mqtts:', 'ws:', 'wss:'];

/** Throws an Error that names the member and what is expected. */
export function parseBridgeSettings(text: string): BridgeSettings {
  const known = ['broker', 'username', 'password', 'prefix', 'computers'];
  const {
    broker,
    username,
    password,
    prefix = 'portal',
    computers,
  } = readObject('the file', parseSettingsText(text), known);
  if (!Array.isArray(computers) || computers.length === 0 || computers.length > maxComputers)
    return refuse('computers', `a list of 1 to ${maxComputers} computers`);
  const read = computers.map((each, index) => readComputer(`computers.${index}`, each));
  if (new Set(read.map(({ computerKid }) => computerKid)).size < read.length) refuse('computers', 'each computer once');
  return {
    broker: readBroker(broker),
    username: username === undefined ? undefined : readTextMember('username', username, 1024),
    password: password === undefined ? undefined : readTextMember('password', password, 1024),
    prefix: readTopicPart('prefix', prefix),
    computers: read,
  };
}

function readComputer(path: string, value: unknown): BridgedComputer {
  const { computerKid, key, service, host } = readObject(path, value, ['computerKid', 'key', 'service', 'host']);
  return {
    computerKid: readTopicPart(`${path}.computerKid`, computerKid),
    key: readHeaderText(`${path}.key`, key),
    service: readBaseUrl(`${path}.service`, service, 'https://api.sund.example/'),
    host: host === undefined ? undefined : readHeaderText(`${path}.host`, host),
  };
}

function readBroker(value: unknown): URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !brokerProtocols.includes(url.protocol) || `${url.username}${url.password}` !== '')
    return refuse('broker', 'a URL such as mqtts://broker.example:8883, without a user');
  return url;
}

function readTopicPart(path: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(value))
    return refuse(path, '1 to 64 letters, digits and _.-');
  return value;
}
