// Reads the runtime logs of a DigitalOcean application.

import { ByteTail } from '../../../lib/bytes/byte-tail.ts';
import { readLogText } from '../../http-client/read-log-text.ts';
import { readWebSocket } from '../../http-client/read-websocket.ts';
import type { DigitalOceanApp } from '../hosting-settings.ts';
import { HostingSourceError, type LogLines, type LogsQuery } from '../hosting.ts';
import { requireObject } from '../prometheus-matrix.ts';
import { requestTimeoutMs, userAgent, type HostingClient } from '../hosting-client.ts';

export type SignedUrlGuard = {
  readonly logHosts: readonly string[];
  /** Also allows `http:` and `ws:`. */
  readonly allowsPlainText: boolean;
  readonly allowsPrivateAddresses: boolean;
};

const maxBytes = 256 * 1024;
/** Reading stops here, even if the text continues. */
const maxReadBytes = 4 * 1024 * 1024;
/** Existing lines arrive without pauses; a line that is written later is for the next read. */
const silenceMs = 1000;
const listenMs = 3000;

const noLines: LogLines = { lines: [], truncated: false };

/**
 * Throws HostingSourceError. Reading takes 8 seconds at most, and returns the lines that have arrived by then. The API
 * returns only signed URLs: of a WebSocket that sends lines, or of older texts. Requests to these URLs contain no
 * token, and go only to the hosts that the operator allows.
 */
export async function readRuntimeLogs(
  { appId, component, maxLines }: Pick<DigitalOceanApp, 'appId' | 'component'> & Pick<LogsQuery, 'maxLines'>,
  client: HostingClient,
  guard: SignedUrlGuard,
): Promise<LogLines> {
  const startedMs = performance.now();
  const app = `v2/apps/${encodeURIComponent(appId)}`;
  const path = component === undefined ? `${app}/logs` : `${app}/components/${encodeURIComponent(component)}/logs`;
  const query = { type: 'RUN', follow: 'false', tail_lines: String(maxLines), pod_connection_timeout: '5s' };
  const body = requireObject(await client.get(path, query));
  const options = {
    userAgent,
    allowsPrivateAddresses: guard.allowsPrivateAddresses,
    timeoutMs: Math.max(1, requestTimeoutMs - Math.round(performance.now() - startedMs)),
  };
  const { live_url: liveUrl, historic_urls: historicUrls } = body;
  if (isUrlText(liveUrl)) return readLive(requireSignedUrl(liveUrl, guard), options);
  const [historicUrl] = Array.isArray(historicUrls) ? (historicUrls as unknown[]) : [];
  if (!isUrlText(historicUrl)) return noLines;
  const text = await readLogText(requireSignedUrl(historicUrl, guard), { ...options, maxBytes, maxReadBytes });
  if (!text.ok) throw new HostingSourceError(`the text of the log: ${text.reason}`);
  return text;
}

const isUrlText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const secureProtocols = ['https:', 'wss:'];
const plainProtocols = ['http:', 'ws:'];

/** The provider may be mistaken or impersonated: its URLs are no more trusted than those of a stranger. */
function requireSignedUrl(text: string, { logHosts, allowsPlainText }: SignedUrlGuard): URL {
  if (!URL.canParse(text)) throw new HostingSourceError('the signed URL is not a URL');
  const url = new URL(text);
  const protocols = allowsPlainText ? [...secureProtocols, ...plainProtocols] : secureProtocols;
  if (!protocols.includes(url.protocol)) throw new HostingSourceError(`a signed URL with ${url.protocol}`);
  if (`${url.username}${url.password}` !== '') throw new HostingSourceError('a signed URL with a user');
  const { hostname } = url;
  if (!logHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)))
    throw new HostingSourceError(`a signed URL to ${hostname}, which is not among logHosts`);
  return url;
}

type ReadLiveOptions = {
  readonly userAgent: string;
  readonly allowsPrivateAddresses: boolean;
  readonly timeoutMs: number;
};

async function readLive(url: URL, options: ReadLiveOptions): Promise<LogLines> {
  // The official client also changes the protocol.
  url.protocol = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:';
  const tail = new ByteTail(maxBytes);
  const answer = await readWebSocket(url, {
    ...options,
    silenceMs,
    listenMs,
    maxMessageBytes: maxReadBytes,
    maxReadBytes,
    onMessage: (message) => tail.push(readMessage(message)),
  });
  if (!answer.ok && tail.readBytes === 0) throw new HostingSourceError(`the WebSocket of the log: ${answer.reason}`);
  const { lines, isCut } = tail.readLines();
  return { lines, truncated: isCut || (answer.ok && answer.isCut) };
}

/** Parses `{"data":"..."}`, whose data may be a part of a line; any other message has no lines. */
function readMessage(message: Buffer): Buffer {
  try {
    const { data } = requireObject(JSON.parse(message.toString('utf8')));
    return Buffer.from(typeof data === 'string' ? data : '');
  } catch {
    return Buffer.alloc(0);
  }
}
