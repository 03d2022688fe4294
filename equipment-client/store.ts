// The memory of a computer on its disk. What a method of it has written survives a loss of power once it has returned.

import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import {
  consumptionOf,
  formatLine,
  streamNames,
  streamOf,
  type Line,
  type NumberedLine,
  type StreamName,
} from './lines.ts';

export type Store = ReturnType<typeof openStore>;

const schema = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists memory (name text primary key, value text not null) strict, without rowid;
  -- allocated: the last number; sent: the last one that was in a request.
  create table if not exists streams (
    stream text primary key, epoch text not null, allocated integer not null, sent integer not null
  ) strict, without rowid;
  create table if not exists lines (
    stream text not null, n integer not null, line text not null, unit text, key text, spent_minor integer not null,
    primary key (stream, n)
  ) strict, without rowid;
  create index if not exists lines_by_key on lines (key, unit) where spent_minor > 0;
  -- What the units have to know: one row for each thing, as the service sent it.
  create table if not exists entries (
    kind text not null, id text not null, entry text not null, primary key (kind, id)
  ) strict, without rowid;
  -- Commands that were begun. result is null until the device has answered.
  create table if not exists commands (id text primary key, result text) strict, without rowid;
`;

export type StreamState = { readonly epoch: string; readonly allocated: number; readonly sent: number };

export type StoredEntry = { readonly kind: string; readonly id: string; readonly entry: string };

/** `file` is a path, or `:memory:` for a computer that may forget. */
export function openStore(file: string) {
  const db = new DatabaseSync(file);
  db.exec(schema);
  const insertStream = db.prepare(`insert or ignore into streams values (?, ?, 0, 0)`);
  for (const stream of streamNames) insertStream.run(stream, createEpoch());
  return {
    ...transactionsOf(db),
    ...memoryOf(db),
    ...linesOf(db),
    ...entriesOf(db),
    ...commandsOf(db),
    close: () => db.close(),
  };
}

/** A name for one life of a stream's numbers, which nobody has used before. */
const createEpoch = (): string => randomBytes(8).toString('hex');

function transactionsOf(db: DatabaseSync) {
  return {
    /** All that `work` writes is kept, or nothing of it. Inside of another transaction it is a part of that. */
    transaction<T>(work: () => T): T {
      if (db.isTransaction) return work();
      db.exec('begin immediate');
      try {
        const result = work();
        db.exec('commit');
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('rollback');
        throw error;
      }
    },
  };
}

function memoryOf(db: DatabaseSync) {
  const select = db.prepare('select value from memory where name = ?');
  const replace = db.prepare('insert or replace into memory values (?, ?)');
  return {
    recall: (name: string): string | undefined => select.get(name)?.['value'] as string | undefined,
    remember: (name: string, value: string): void => {
      replace.run(name, value);
    },
  };
}

function linesOf(db: DatabaseSync) {
  const { transaction } = transactionsOf(db);
  const allocate = db.prepare('update streams set allocated = allocated + 1 where stream = ? returning allocated');
  const insert = db.prepare('insert into lines values (?, ?, ?, ?, ?, ?)');
  const select = db.prepare('select n, line as text from lines where stream = ? order by n limit ?');
  const remove = db.prepare('delete from lines where stream = ? and n <= ?');
  const state = db.prepare('select epoch, allocated, sent from streams where stream = ?');
  const markSent = db.prepare('update streams set sent = max(sent, ?) where stream = ?');
  const count = db.prepare('select count(*) as lines from lines');
  const spent = db.prepare(
    'select sum(spent_minor) as minor from lines where unit = ? and key = ? and spent_minor > 0',
  );
  const restart = db.prepare('update streams set epoch = ?, allocated = ?, sent = 0 where stream = ?');
  let buffered = Number(count.get()?.['lines']);
  return {
    /** Gives the line its number and keeps it, in one transaction. */
    append(line: Line): number {
      const stream = streamOf(line);
      const [unit, key] = [line['unit'], line['key']].map((text) => (typeof text === 'string' ? text : null));
      const n = transaction(() => {
        const number = allocate.get(stream)?.['allocated'] as number;
        insert.run(stream, number, formatLine(number, line), unit ?? null, key ?? null, consumptionOf(line));
        return number;
      });
      buffered += 1;
      return n;
    },
    firstLines: (stream: StreamName, limit: number) => select.all(stream, limit) as unknown as NumberedLine[],
    deleteThrough(stream: StreamName, n: number): void {
      buffered -= Number(remove.run(stream, n).changes);
    },
    streamState: (stream: StreamName) => state.get(stream) as unknown as StreamState,
    markSent: (stream: StreamName, n: number): void => {
      markSent.run(n, stream);
    },
    /** Numbers all lines that are still here from 1, under a new name. */
    beginEpoch(stream: StreamName): string {
      const epoch = createEpoch();
      transaction(() => {
        const lines = select.all(stream, -1) as unknown as NumberedLine[];
        const update = db.prepare('update lines set n = ?, line = ? where stream = ? and n = ?');
        // In ascending order each new number is free by then.
        for (const [index, { n, text }] of lines.entries())
          update.run(index + 1, JSON.stringify({ ...(JSON.parse(text) as object), n: index + 1 }), stream, n);
        restart.run(epoch, lines.length, stream);
      });
      return epoch;
    },
    /** How many lines of both streams the service does not have yet. */
    bufferedCount: () => buffered,
    /** What was used of a unit with a key in lines that the service does not have yet, in minor units. */
    unsentConsumption: (unit: string, key: string) => Number(spent.get(unit, key)?.['minor'] ?? 0),
  };
}

function entriesOf(db: DatabaseSync) {
  const all = db.prepare('select kind, id, entry from entries order by kind, id');
  const ofKind = db.prepare('select kind, id, entry from entries where kind = ? order by id');
  const one = db.prepare('select entry from entries where kind = ? and id = ?');
  const replace = db.prepare('insert or replace into entries values (?, ?, ?)');
  const remove = db.prepare('delete from entries where kind = ? and id = ?');
  return {
    listEntries: (kind?: string) => (kind === undefined ? all.all() : ofKind.all(kind)) as unknown as StoredEntry[],
    findEntry: (kind: string, id: string) => one.get(kind, id)?.['entry'] as string | undefined,
    putEntry: ({ kind, id, entry }: StoredEntry): void => {
      replace.run(kind, id, entry);
    },
    deleteEntry: (kind: string, id: string): void => {
      remove.run(kind, id);
    },
  };
}

function commandsOf(db: DatabaseSync) {
  const select = db.prepare('select result from commands where id = ?');
  const insert = db.prepare('insert or ignore into commands values (?, null)');
  const update = db.prepare('update commands set result = ? where id = ?');
  return {
    /** The result of a command; null while there is none, undefined if it was never begun. */
    commandResult: (id: string) => select.get(id)?.['result'] as string | null | undefined,
    beginCommand: (id: string): void => {
      insert.run(id);
    },
    endCommand: (id: string, result: string): void => {
      update.run(result, id);
    },
  };
}
