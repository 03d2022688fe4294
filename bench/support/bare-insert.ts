// The floor of the inflow: inserts rows with only node:sqlite, in transactions of a hundred, each row with a SHA-256 over
// its text and the previous one, and with a synchronised log as the service has it.

import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export type BareInsert = { insert(count: number): void; close(): void };

export function openBareInsert(file: string): BareInsert {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec('create table lines (id integer primary key, at integer, text text, link text) strict');
  const statement = database.prepare('insert into lines values (?, ?, ?, ?)');
  let [id, link] = [0, ''];
  return {
    insert: (count) => {
      database.exec('begin immediate');
      for (let at = 0; at < count; at += 1) {
        id += 1;
        const text = `{"n":${id},"t":"use","unit":"sund-B1001-L1-U1","amountMinor":"-1500","currency":"DKK"}`;
        link = hash('sha256', `${link}|${text}`, 'base64url');
        statement.run(id, id * 1000, text, link);
      }
      database.exec('commit');
    },
    close: () => database.close(),
  };
}
