// Reads from a JSON file where the operator's other programs show their live logs.

import { headerText, optional, parseSettings, readObject, refuse, trueOrFalse } from '../settings-members.ts';

export const liveLogServers = ['equipment-api', 'portal-web'] as const;
export type LiveLogServer = (typeof liveLogServers)[number];

export type LiveLogSourceSettings = ReturnType<typeof readSource>;

export type LiveLogSettings = Readonly<Partial<Record<LiveLogServer, LiveLogSourceSettings>>>;

/** Throws an Error that names the member and what is expected. */
export function parseLiveLogSettings(text: string): LiveLogSettings {
  const root = parseSettings(text, liveLogServers);
  return Object.fromEntries(Object.entries(root).map(([server, value]) => [server, readSource(server, value)]));
}

function readSource(path: string, value: unknown) {
  const { url, token, privateNetwork = false } = readObject(path, value, ['url', 'token', 'privateNetwork']);
  const isPrivate = trueOrFalse(`${path}.privateNetwork`, privateNetwork);
  return {
    /** Contains `{tenant}`, which stands for the name of a tenant. */
    url: readUrl(`${path}.url`, url, isPrivate),
    /** Sent as a bearer token; undefined if none is needed. */
    token: optional(headerText)(`${path}.token`, token),
    /** Its host may have an address of a private network. */
    privateNetwork: isPrivate,
  };
}

/** The path names the tenant, so that no tenant is shown the events of another. */
function readUrl(path: string, value: unknown, isPrivate: boolean): string {
  const expected = 'a URL such as https://equipment.example/live-logs/{tenant}';
  if (typeof value !== 'string' || !value.includes('{tenant}')) return refuse(path, expected);
  const sample = value.replaceAll('{tenant}', 'tenant');
  const url = URL.canParse(sample) ? new URL(sample) : undefined;
  if (url === undefined || /[{}]/.test(sample) || `${url.username}${url.password}${url.hash}` !== '')
    return refuse(path, `${expected}, without a user and a fragment`);
  if (new URL(value).host.includes('tenant')) return refuse(path, `${expected}, with the tenant after the host`);
  if (url.protocol !== 'https:' && !(isPrivate && url.protocol === 'http:'))
    return refuse(path, `${expected}; http only with privateNetwork`);
  return value;
}
