// Floors: bare node:http servers that do only the indispensable part of the same work, with only the driver. Run as a
// process of its own:
// `floor.ts sqlite FILE`, `floor.ts sqlite-resident FILE RESIDENT`, `floor.ts mysql URL`, `floor.ts bytes FILE`,
// `floor.ts csv FILE`; prints {"port"}.

import { readFileSync } from 'node:fs';
import { createServer, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { createPool, type RowDataPacket } from 'mysql2';
import { lastThirtyDays } from './time-window.ts';

// The rows of the account's page as the service reads them, by the same index.
const columns =
  'bank_id, posting_id, recorded_at, location_id, unit_id, user_id, kind, payment_kind, currency, amount_minor, vat_minor, period, document_id, text, internal_tag, reversal_of';
const page = `select p.*, r.name as resident_name, r.expired_at as resident_expired_at, back.posting_id as reversed_by
  from (select ${columns} from postings where bank_id = ? and recorded_at >= ? and recorded_at < ?
        order by recorded_at desc, location_id, unit_id, posting_id desc limit 50) p
  left join residents r on r.bank_id = p.bank_id and r.resident_id = p.user_id
  left join postings back on back.bank_id = p.bank_id and back.reversal_of = p.posting_id
  order by p.recorded_at desc, p.location_id, p.unit_id, p.posting_id desc`;

type FloorAnswer = (done: (body: string) => void) => void;

function sqlitePage(file: string): FloorAnswer {
  const statement = new DatabaseSync(file).prepare(page);
  const { from, to } = lastThirtyDays();
  return (done) => done(JSON.stringify(statement.all(1001, from, to)));
}

/** All postings of a resident, and their number. */
function sqliteResident(file: string, resident: number): FloorAnswer {
  const statement = new DatabaseSync(file).prepare(
    `select ${columns} from postings where bank_id = ? and user_id = ? order by recorded_at desc, location_id, unit_id, posting_id desc`,
  );
  return (done) => done(JSON.stringify(statement.all(1001, resident).length));
}

function mysqlPage(url: string): FloorAnswer {
  const pool = createPool({ uri: url, supportBigNumbers: true, connectionLimit: 10 });
  const { from, to } = lastThirtyDays();
  return (done) => {
    pool.query<RowDataPacket[]>(page, [1001, from, to], (error, rows) => {
      if (error) throw error;
      done(JSON.stringify(rows));
    });
  };
}

/** Repeats an answer of the service: the same head, the same body. */
function serveSameBytes(file: string): RequestListener {
  const { headers, body } = JSON.parse(readFileSync(file, 'utf8')) as { headers: OutgoingHttpHeaders; body: string };
  return (_request, response) => response.writeHead(200, headers).end(body);
}

const byteOrderMark = '\uFEFF';

/** Writes the file again from its rows, which are in memory: it only quotes the cells, and joins them. */
function serveSameRows(file: string): RequestListener {
  const rows = readFileSync(file, 'utf8')
    .slice(byteOrderMark.length)
    .split('\r\n')
    .slice(0, -1)
    .map((row) =>
      row
        .slice(1, -1)
        .split('","')
        .map((cell) => cell.replaceAll('""', '"')),
    );
  const formatCell = (cell: string): string => (cell.includes('"') ? cell.replaceAll('"', '""') : cell);
  function* written(): Generator<string> {
    yield byteOrderMark;
    for (let at = 0; at < rows.length; at += 1000) {
      let text = '';
      for (const row of rows.slice(at, at + 1000)) text += `"${row.map(formatCell).join('","')}"\r\n`;
      yield text;
    }
  }
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
    Readable.from(written(), { objectMode: false }).pipe(response);
  };
}

const toJsonListener =
  (answer: FloorAnswer): RequestListener =>
  (_request, response) =>
    answer((body) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });

const [kind = '', argument = '', resident = ''] = process.argv.slice(2);
const listeners: Readonly<Record<string, () => RequestListener>> = {
  sqlite: () => toJsonListener(sqlitePage(argument)),
  'sqlite-resident': () => toJsonListener(sqliteResident(argument, Number(resident))),
  mysql: () => toJsonListener(mysqlPage(argument)),
  bytes: () => serveSameBytes(argument),
  csv: () => serveSameRows(argument),
};
const listener = listeners[kind];
if (listener === undefined) throw new Error(`there is no floor ${kind}`);

const server = createServer(listener());
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
