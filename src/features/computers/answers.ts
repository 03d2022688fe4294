// Formats rows of computers.

import { formatBankKid, formatComputerKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import { covers, type GrantedBank } from '../../permissions/coverage.ts';
import type { IssuedCode } from './change-computer.ts';
import type { ComputerRow } from './queries/computers.ts';
import type { FoundComputer } from './require-computer.ts';
import { computerStateOf } from './rules/computer-fields.ts';
import { streamNames } from './rules/streams.ts';
import type { Computer, ComputerEnrolment } from './schemas.ts';

export const toComputer = ({ bank, row }: FoundComputer): Computer => ({
  kid: formatComputerKid(formatBankKid(bank.tenant, bank.bankId), row.computer_id),
  name: row.name,
  units: formatUnits(bank, row),
  state: computerStateOf(row),
  software: row.software ?? '',
  lastContactUtc: row.last_contact_at === null ? null : formatUtc(row.last_contact_at),
  clockOffsetMs: row.clock_offset_ms,
  buffered: row.buffered ?? 0,
  streams: formatStreams(row),
  desired: { version: row.queued ?? 0, sent: row.sent_version ?? 0, acknowledged: row.acknowledged_version ?? 0 },
  digestsEqual: row.digests_equal === null ? null : row.digests_equal === 1,
  lastError: row.last_error,
  revision: String(row.revision),
});

type UnitIds = readonly [locationId: number, unitId: number];

/** Those that the grants cover, in the order of their ids. */
function formatUnits(bank: GrantedBank, { units }: ComputerRow): string[] {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  return (JSON.parse(units ?? '[]') as UnitIds[])
    .filter(([locationId]) => covers(bank, locationId))
    .toSorted(([locationA, unitA], [locationB, unitB]) => locationA - locationB || unitA - unitB)
    .map(([locationId, unitId]) => formatUnitKid(formatLocationKid(bankKid, locationId), unitId));
}

type StreamValues = readonly [stream: string, epoch: string, through: number];

function formatStreams({ streams, held_money, held_samples }: ComputerRow): Computer['streams'] {
  const stored = JSON.parse(streams ?? '[]') as StreamValues[];
  const held = { money: held_money, samples: held_samples };
  return streamNames.map((stream) => {
    const [, epoch, through] = stored.find(([name]) => name === stream) ?? [stream, '', 0];
    return { stream, epoch, through, held: held[stream] ?? 0 };
  });
}

export const toComputerEnrolment = (found: FoundComputer, { code, expiresAt }: IssuedCode): ComputerEnrolment => ({
  computer: toComputer(found),
  enrolmentCode: code,
  expiresUtc: formatUtc(expiresAt),
});
