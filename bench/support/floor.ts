// Floors: bare node:http servers that do the least that could be called the same work. Run as a process of its own:
// `floor.ts sqlite FILE`, `floor.ts mysql URL`, `floor.ts bytes N`; prints {"port"}.

import { createServer } from 'node:http';
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

function sameBytes(length: string): Answer {
  const value = { text: 'x'.repeat(Math.max(0, Number(length) - '{"text":""}'.length)) };
  return (done) => done(JSON.stringify(value));
}

const [kind = '', argument = ''] = process.argv.slice(2);
const answer = kind === 'sqlite' ? sqlitePage(argument) : kind === 'mysql' ? mysqlPage(argument) : sameBytes(argument);

const server = createServer((_request, response) => {
  answer((body) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
