// Sends lines to the streams of a computer of a bank of its own, and reads what was stored of them.

import { sql } from 'kysely';
import type { Tables } from '../../src/database/tables.ts';
import { insertKey } from '../../src/features/resident-administration/queries/write-resident.ts';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import type { CallOptions, HttpReply } from './call.ts';
import { insertEnrolledComputer } from './enrolled-computers.ts';
import { insertTestBank, insertTestResident } from './factories.ts';
import { grantBank } from './granted-banks.ts';
import type { ServiceSuite } from './service-suite.ts';

export type StreamLineInput = Readonly<Record<string, unknown>>;
export type HeaderInput = Readonly<Record<string, unknown>>;

export type TestEquipment = {
  readonly bankId: number;
  readonly key: string;
  /** `1-2`: the KID of unit 2 of location 1. */
  unit(place: string): string;
  /** Sends lines, numbered from `first` (1 unless told otherwise). */
  send(stream: string, lines: readonly StreamLineInput[], header?: HeaderInput): Promise<HttpReply>;
  sendBody(stream: string, rawBody: string | Buffer, options?: CallOptions): Promise<HttpReply>;
  /** A valid use of unit 1 of location 1 by resident 1001. */
  use(change?: StreamLineInput): StreamLineInput;
  postings(): Promise<Tables['postings'][]>;
  heldLines(): Promise<Tables['held_lines'][]>;
  moneyLines(): Promise<Tables['money_lines'][]>;
  stream(stream?: string): Promise<Tables['computer_streams']>;
};

export type EquipmentOptions = { readonly bankId?: number; readonly computerId?: number; readonly isNewBank?: boolean };

/** The resident 1001 has the tag 04A21B33, 1002 the card 12345. */
export async function createEquipment(
  { service, clock, nextBankId }: Pick<ServiceSuite, 'service' | 'clock' | 'nextBankId'>,
  { bankId = nextBankId(), computerId = 1, isNewBank = true }: EquipmentOptions = {},
): Promise<TestEquipment> {
  const key = await service.write('sund', async (db) => {
    if (isNewBank) {
      await insertTestBank(db, { bankId });
      for (const residentId of [1001, 1002]) await insertTestResident(db, residentId, { bankId });
      await insertKey(db, grantBank(bankId), 1001, { kind: 'Tag', number: tagOf(bankId) }, 0);
      await insertKey(db, grantBank(bankId), 1002, { kind: 'Card', number: `${bankId}12345` }, 0);
    }
    const units =
      computerId === 1
        ? ([
            [1, 1],
            [1, 2],
          ] as const)
        : ([[2, 1]] as const);
    return insertEnrolledComputer(db, { bankId, computerId, units });
  });
  const at = new Date(fromMs2000(clock.now) - 60_000).toISOString();
  const rowsOf = async <T extends 'postings' | 'held_lines' | 'money_lines'>(table: T): Promise<Tables[T][]> => {
    const { rows } = await service.read('sund', (db) =>
      sql<Tables[T]>`select * from ${sql.table(table)} where bank_id = ${bankId}`.execute(db),
    );
    return rows;
  };
  const equipment: TestEquipment = {
    bankId,
    key,
    unit: (place) => {
      const [location, unit] = place.split('-');
      return `sund-B${bankId}-L${location}-U${unit}`;
    },
    sendBody: (stream, rawBody, options = {}) =>
      service.call('POST', `/equipment/v1/streams/${stream}`, {
        token: key,
        rawBody,
        ...options,
        headers: { 'content-type': 'application/jsonl', ...options.headers },
      }),
    send: (stream, lines, header = {}) =>
      equipment.sendBody(
        stream,
        formatBody(lines, { sentAt: new Date(fromMs2000(clock.now)).toISOString(), ...header }),
      ),
    use: (change = {}) => ({
      t: 'use',
      at,
      unit: equipment.unit('1-1'),
      key: tagOf(bankId),
      amountMinor: '-1500',
      currency: 'DKK',
      document: '5551',
      text: '60°',
      ...change,
    }),
    postings: () => rowsOf('postings'),
    heldLines: () => rowsOf('held_lines'),
    moneyLines: () => rowsOf('money_lines'),
    stream: (stream = 'money') =>
      service.read('sund', (db) =>
        db
          .selectFrom('computer_streams')
          .selectAll()
          .where('bank_id', '=', bankId)
          .where('computer_id', '=', computerId)
          .where('stream', '=', stream)
          .executeTakeFirstOrThrow(),
      ),
  };
  return equipment;
}

/** Keys are unique in a tenant. */
export const tagOf = (bankId: number): string => `04A2${bankId}`;

export function formatBody(lines: readonly StreamLineInput[], header: HeaderInput): string {
  const { first = 1, epoch = 'e1', ...rest } = header;
  const numbered = lines.map((line, index) => ({ n: Number(first) + index, ...line }));
  return [{ epoch, first, ...rest }, ...numbered].map((line) => `${JSON.stringify(line)}\n`).join('');
}
