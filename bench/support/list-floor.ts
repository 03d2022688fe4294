// Runs a floor of a long list: the ids of one page come from an index, then its rows are read.

import { DatabaseSync } from 'node:sqlite';
import { readerProcesses, serveFloor } from './serve-floor.ts';

type ListQuery = {
  /** The columns, and the tables behind `page`, whose `id` is that of a row. */
  readonly rows: string;
  /** The ids and sort keys of all rows, sorted; `{search}` is replaced by a condition. */
  readonly ids: string;
  /** The condition of a row that has a word between two parameters. */
  readonly hasWord: string;
};

/** `kind` is a page of 50 rows: the first one, the first one of a search, or the deepest one of `count` rows. */
export function serveListFloor(file: string, kind: string, count: number, { rows, ids, hasWord }: ListQuery): void {
  const words = kind === 'search' ? ['zachariassen', 'zachariassen\u{10FFFF}'] : [];
  const offset = { first: 0, search: 0, deepest: count - 60 }[kind];
  if (offset === undefined) throw new Error(`there is no floor ${kind}`);
  const matching = ids.replace('{search}', words.length === 0 ? 'true' : hasWord);
  const statement = new DatabaseSync(file).prepare(
    `select page.sort_key, ${rows.replace('{page}', `(${matching} limit 51 offset ${offset}) page`)}
     order by page.sort_key, page.id`,
  );
  serveFloor(() => statement.all(...words), readerProcesses);
}
