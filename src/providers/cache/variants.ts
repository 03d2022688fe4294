// The variants in the file: read with their checksums, written in transactions after which the bounds hold.

import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { etagOf } from './etag.ts';
import { maxAheadMs } from './lifetime.ts';
import type { Entry, FileBounds, Outgoing, Stored, Use } from './protocol.ts';

type Row = { rendered_ms: number; type: string; etag: string; checksum: string; body: Uint8Array };

export type Variants = ReturnType<typeof variantsIn>;

export function variantsIn(database: DatabaseSync, bounds: FileBounds) {
  const select = database.prepare(
    'select rendered_ms, type, etag, checksum, body from variants join bodies using (id) where key = ?',
  );
  const selectSince = database.prepare(
    'select id, key, bytes, rendered_ms as renderedAtMs, used_ms as usedAtMs from variants where id > ? order by id',
  );
  const use = database.prepare('update variants set used_ms = max(used_ms, ?) where key = ?');
  const removeKey = database.prepare('delete from variants where key = ?');
  const removeOld = database.prepare(
    'delete from variants where rendered_ms <= ? or used_ms <= ? or max(rendered_ms, used_ms) > ? returning key',
  );
  const insert = database.prepare(
    'insert or replace into variants (key, bytes, rendered_ms, used_ms) values (?, ?, ?, ?)',
  );
  const insertBody = database.prepare('insert into bodies (id, type, etag, checksum, body) values (?, ?, ?, ?, ?)');
  const total = database.prepare('select count(*) as count, coalesce(sum(bytes), 0) as bytes from variants');
  const leastUsed = database.prepare('select key, bytes from variants order by used_ms, id');

  function removeExcess(): string[] {
    let { count, bytes } = total.get() as { count: number; bytes: number };
    const keys: string[] = [];
    if (count <= bounds.maxVariants && bytes <= bounds.maxBytes) return keys;
    for (const row of leastUsed.iterate() as Iterable<{ key: string; bytes: number }>) {
      if (count <= bounds.maxVariants && bytes <= bounds.maxBytes) break;
      keys.push(row.key);
      count -= 1;
      bytes -= row.bytes;
    }
    for (const key of keys) removeKey.run(key);
    return keys;
  }

  return {
    /** What came after that number, and the number of the last of them. */
    since: (last: number): { entries: Entry[]; last: number } => {
      const rows = selectSince.all(last) as unknown as (Entry & { id: number })[];
      const entries = rows.map(({ key, bytes, renderedAtMs, usedAtMs }) => ({ key, bytes, renderedAtMs, usedAtMs }));
      return { entries, last: rows.at(-1)?.id ?? last };
    },

    /** Whether its bytes are those that were once written is looked at here, and nowhere else. */
    read: (key: string): Stored | 'absent' | 'changed' => {
      const row = select.get(key) as Row | undefined;
      if (row === undefined) return 'absent';
      const { rendered_ms: renderedAtMs, type, etag, checksum, body } = row;
      // An unsound file may hold anything.
      if (!(body instanceof Uint8Array)) return 'changed';
      const stored = { key, type, etag, renderedAtMs, body };
      return etagOf(body) === etag && checksumOf(stored) === checksum ? stored : 'changed';
    },

    remove: (key: string): void => void removeKey.run(key),

    /** Inside a transaction. Answers the keys of what had to go. */
    write: (variants: readonly Outgoing[], uses: readonly Use[], nowMs: number): string[] => {
      for (const { key, usedAtMs } of uses) use.run(usedAtMs, key);
      for (const variant of variants) {
        const { key, type, etag, renderedAtMs, usedAtMs, body } = variant;
        const { lastInsertRowid } = insert.run(key, body.length, renderedAtMs, usedAtMs);
        insertBody.run(lastInsertRowid, type, etag, checksumOf(variant), body);
      }
      const old = removeOld.all(nowMs - bounds.maxAgeMs, nowMs - bounds.maxIdleMs, nowMs + maxAheadMs);
      return [...old.map(({ key }) => String(key)), ...removeExcess()];
    },
  };
}

/** Binds all that is answered to the key; the body by its entity tag. */
function checksumOf({ key, type, etag, renderedAtMs }: Omit<Stored, 'body'>): string {
  return hash('sha256', JSON.stringify([key, type, etag, renderedAtMs]), 'base64url');
}
