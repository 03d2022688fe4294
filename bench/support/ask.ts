// One request to a service on loopback under a host name that no resolver has to know.

import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

type Question = {
  readonly port: number;
  readonly path: string;
  readonly host: string;
  readonly token?: string;
  readonly body?: unknown;
};

/** Answers the body as text. Throws where the status is not 200. */
export async function ask(question: Question): Promise<string> {
  return (await askWhole(question)).body;
}

export type Answer = { readonly headers: IncomingHttpHeaders; readonly body: string };

/** Answers head and body. Throws where the status is not 200. */
export function askWhole({ port, path, host, token, body }: Question): Promise<Answer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { host, 'content-type': 'application/json', ...authorization };
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers,
      agent: false,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      if (incoming.statusCode === 200)
        text(incoming).then((received) => resolve({ headers: incoming.headers, body: received }), reject);
      else reject(new Error(`${path} answered ${incoming.statusCode}`));
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
