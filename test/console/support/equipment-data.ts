// A computer of the demo with lines that could not be booked, and a plan of an import with errors.

import { enrolTestComputer } from '../../support/computers.ts';
import { planFile } from '../../support/imports.ts';
import type { TestService } from '../../support/service.ts';
import { formatBody } from '../../support/streams.ts';

type Caller = Pick<TestService, 'call'>;

const unit = 'sund-B1001-L1-U1';

/** Of the bank 1001; its units are the first two of the first location. Returns its KID. */
export async function addComputer(
  service: Caller,
  { token, name = 'Cellar gateway', units = ['1-1', '1-2'] }: { token: string; name?: string; units?: string[] },
): Promise<{ readonly kid: string; readonly key: string }> {
  return enrolTestComputer(service, { token, name, units, software: '2.4.1' });
}

/** A use of an unknown key, a payment of one, a refund of nothing, and what is no line at all: held in this order. */
export async function holdLines({ call }: Caller, key: string, { first = 1 } = {}): Promise<void> {
  const at = new Date(Date.now() - 60_000).toISOString();
  const line = { at, unit, currency: 'DKK' };
  const lines = [
    { ...line, t: 'use', key: 'FFFF0001', amountMinor: '-1500', document: String(9000 + first), text: '60°' },
    { ...line, t: 'pay', key: 'FFFF0002', amountMinor: '5000', text: 'Payment' },
    { ...line, t: 'refund', refund: 'nothing', amountMinor: '500', ref: `r${first}` },
    { t: 'nonsense', text: '<img src=x onerror=alert(1)>' },
  ];
  const { status, text } = await call('POST', '/equipment/v1/streams/money', {
    token: key,
    rawBody: formatBody(lines, { first, sentAt: new Date().toISOString(), software: '2.4.1', buffered: 3 }),
    headers: { 'content-type': 'application/jsonl' },
  });
  if (status !== 200) throw new Error(text);
}

/** One resident is created, one changed, one unchanged, and two are refused. */
export const residentsFile = [
  'key;kid;name;email',
  'new-1;;Made-up Resident;made.up@example.org',
  'old-1;sund-B1001-R1005;Renamed Resident;',
  'bad-1;;;no-name@example.org',
  'bad-2;;Resident with an address;not an address',
]
  .map((line) => `${line}\r\n`)
  .join('');

/** The KID of an import that is planned. */
export async function planResidents(service: Caller, token: string): Promise<string> {
  const { kid } = (await planFile(service, residentsFile, { token, kind: 'residents', bankId: 1001 })) as {
    kid: string;
  };
  return kid;
}
