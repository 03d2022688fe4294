// What users build without the service: a subscriber that stores lines of computers in SQLite, each once, and answers after
// the commit. Prints a line of JSON when it listens. Arguments: the broker's address and the file.

import { DatabaseSync } from 'node:sqlite';
import { connectAsync } from 'mqtt';

const [broker = '', file = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec('pragma journal_mode = wal; pragma synchronous = full');
database.exec(
  'create table lines (computer text, n integer, at text, unit text, key text, amount integer, line text, primary key (computer, n)) strict',
);
const insert = database.prepare('insert or ignore into lines values (?, ?, ?, ?, ?, ?, ?)');
const client = await connectAsync(broker);

type Line = { n: number; at: string; unit: string; key: string; amountMinor: string };

client.on('message', (topic, payload) => {
  const [, computer = ''] = topic.split('/');
  database.exec('begin immediate');
  let through = 0;
  for (const text of payload.toString().split('\n')) {
    const { n, at, unit, key, amountMinor } = JSON.parse(text) as Line;
    insert.run(computer, n, at, unit, key, BigInt(amountMinor), text);
    through = n;
  }
  database.exec('commit');
  client.publish(`lines/${computer}/answer`, String(through), { qos: 1 });
});
await client.subscribeAsync('lines/+/money', { qos: 1 });
process.stdout.write(`${JSON.stringify({ listens: true })}\n`);
process.once('SIGTERM', () => process.exit(0));
