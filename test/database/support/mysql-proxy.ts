// A TCP proxy before a MariaDB server that can cut the connection at a statement of the test's choosing: before the
// server has seen it, or after the server has answered it and before the client gets the answer; or withhold the
// answer.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type ProxyAction = 'pass' | 'cut-before' | 'cut-answer' | 'keep-answer';

export type MySqlProxy = {
  readonly port: number;
  /** Called for each statement on its way to the server. */
  decide: (statement: string) => ProxyAction;
  close(): Promise<void>;
};

const queryCommand = 3;

function statementOf(packet: Buffer): string | undefined {
  return packet[4] === queryCommand ? packet.subarray(5).toString('utf8') : undefined;
}

export async function startProxy(target: { readonly host: string; readonly port: number }): Promise<MySqlProxy> {
  const sockets = new Set<Socket>();
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
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let last: ProxyAction = 'pass';
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
      const verdict = statement === undefined ? 'pass' : proxy.decide(statement);
      if (verdict === 'cut-before') {
        cut();
        return;
      }
      last = verdict;
      upstream.write(data);
    });
    upstream.on('data', (data: Buffer) => {
      if (last === 'cut-answer') cut();
      else if (last === 'pass') client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(proxy, { port: (server.address() as AddressInfo).port });
}
