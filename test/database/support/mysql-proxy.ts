// A TCP proxy before a MariaDB server that can cut the connection at a statement of the test's choosing: before the
// server has seen it, or after the server has answered it and before the client gets the answer; or withhold the
// statement or the answer, delay the answer, send it byte by byte, or answer with an error of its own.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type ProxyAction =
  | 'pass'
  | 'cut-before'
  | 'cut-answer'
  | 'keep-answer'
  | 'keep-statement'
  | 'delay'
  | 'drip'
  | 'refuse';

export type MySqlProxy = {
  readonly port: number;
  /** Called for each statement on its way to the server, with the number of its connection. */
  decide: (statement: string, connection: number) => ProxyAction;
  close(): Promise<void>;
};

const queryCommand = 3;
const delayMs = 50;
/** Of an answer that comes byte by byte; the rest of it comes at once. */
const dripBytes = 20;
const dripDelayMs = 3;

/** Error 1030: the storage engine failed. */
const refusal = ((): Buffer => {
  const text = Buffer.from('\u00ff\u0006\u0004#HY000Got error 28 from storage engine', 'latin1');
  return Buffer.concat([Buffer.from([text.length, 0, 0, 1]), text]);
})();

function statementOf(packet: Buffer): string | undefined {
  return packet[4] === queryCommand ? packet.subarray(5).toString('utf8') : undefined;
}

async function writeSlowly(how: ProxyAction, data: Buffer, client: Socket): Promise<void> {
  const dripped = how === 'drip' ? Math.min(dripBytes, data.length) : 0;
  if (how === 'delay') await pause(delayMs);
  for (let at = 0; at < dripped; at += 1) {
    if (!client.destroyed) client.write(data.subarray(at, at + 1));
    await pause(dripDelayMs);
  }
  if (!client.destroyed) client.write(data.subarray(dripped));
}

export async function startProxy(target: { readonly host: string; readonly port: number }): Promise<MySqlProxy> {
  const sockets = new Set<Socket>();
  let lastConnection = 0;
  const proxy: MySqlProxy = {
    port: 0,
    decide: () => 'pass',
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    const connection = (lastConnection += 1);
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let last: ProxyAction = 'pass';
    let unsent = 0;
    let sending = Promise.resolve();
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on('data', (data: Buffer) => {
      const statement = statementOf(data);
      const verdict = statement === undefined ? 'pass' : proxy.decide(statement, connection);
      if (verdict === 'cut-before') {
        cut();
        return;
      }
      if (verdict === 'keep-statement') return;
      if (verdict === 'refuse') {
        client.write(refusal);
        return;
      }
      last = verdict;
      upstream.write(data);
    });
    upstream.on('data', (data: Buffer) => {
      const verdict = last;
      if (verdict === 'cut-answer') cut();
      else if (verdict !== 'keep-answer' && (verdict !== 'pass' || unsent > 0)) {
        // Parts of an answer stay in their order.
        unsent += 1;
        sending = sending.then(() => writeSlowly(verdict, data, client)).finally(() => (unsent -= 1));
      } else if (verdict === 'pass') client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(proxy, { port: (server.address() as AddressInfo).port });
}
