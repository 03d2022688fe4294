// Floors: bare node:http servers that do the least that could be called the same work. Run as a process of its own:
// `floor.ts sqlite FILE`, `floor.ts mysql URL`, `floor.ts bytes FILE`; prints {"port"}.

import { readFileSync } from 'node:fs';
import { createServer, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { createPool, type RowDataPacket } from 'mysql2';
import { thirtyDays } from './window.ts';

// The rows of the account's page as the service reads them, by the same index.
const columns =
  'bank_id, posting_id, recorded_at, location_id, unit_id, user_id, kind, payment_kind, currency, amount_minor, vat_minor, period, document_id, text, internal_tag, reversal_of';
const page = `select p.*, r.name as resident_name, r.expired_at as resident_expired_at, back.posting_id as reversed_by
  from (select ${columns} from postings where bank_id = ? and recorded_at >= ? and recorded_at < ?
        order by recorded_at desc, location_id, unit_id, posting_id desc limit 50) p
  left join residents r on r.bank_id = p.bank_id and r.resident_id = p.user_id
  left join postings back on back.bank_id = p.bank_id and back.reversal_of = p.posting_id
  order by p.recorded_at desc, p.location_id, p.unit_id, p.posting_id desc`;

type Answer = (done: (body: string) => void) => void;

function sqlitePage(file: string): Answer {
  const statement = new DatabaseSync(file).prepare(page);
  const { from, to } = thirtyDays();
  return (done) => done(JSON.stringify(statement.all(1001, from, to)));
}

function mysqlPage(url: string): Answer {
  const pool = createPool({ uri: url, supportBigNumbers: true, connectionLimit: 10 });
  const { from, to } = thirtyDays();
  return (done) => {
    pool.query<RowDataPacket[]>(page, [1001, from, to], (error, rows) => {
      if (error) throw error;
      done(JSON.stringify(rows));
    });
  };
}

/** An answer of the service over again: the same head, the same body. */
function sameBytes(file: string): RequestListener {
  const { headers, body } = JSON.parse(readFileSync(file, 'utf8')) as { headers: OutgoingHttpHeaders; body: string };
  return (_request, response) => response.writeHead(200, headers).end(body);
}

const asJson =
  (answer: Answer): RequestListener =>
  (_request, response) =>
    answer((body) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });

const [kind = '', argument = ''] = process.argv.slice(2);
const listener =
  kind === 'sqlite'
    ? asJson(sqlitePage(argument))
    : kind === 'mysql'
      ? asJson(mysqlPage(argument))
      : sameBytes(argument);

const server = createServer(listener);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
