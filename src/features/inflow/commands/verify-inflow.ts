// Verifies what a bank's computers have sent: each line was booked or held once, and each booked line has its posting. A
// unique key lets no posting be that of two lines.

import type { LedgerDifference } from '../../account/verification/ledger-check.ts';
import type { Db } from '../../../database/db.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import {
  listCountedEpochs,
  listLinesWithoutEpoch,
  listLinesWithoutPosting,
  listWrongResolutions,
  type CountedEpoch,
} from '../queries/inflow-verification.ts';

export type VerifiedInflow = {
  readonly epochs: number;
  readonly lines: number;
  readonly held: number;
  readonly differences: readonly LedgerDifference[];
};

export async function verifyInflow(db: Db, bank: WholeGrantedBank): Promise<VerifiedInflow> {
  const epochs = await listCountedEpochs(db, bank);
  const found = [
    ['line without its posting', 'a posting of its unit', await listLinesWithoutPosting(db, bank)],
    ['line without its epoch', 'an epoch of the stream', await listLinesWithoutEpoch(db, bank)],
    ['resolution', 'the posting of its line, if it was resolved', await listWrongResolutions(db, bank)],
  ] as const;
  return {
    epochs: epochs.length,
    lines: epochs.reduce((sum, { through }) => sum + through, 0),
    held: epochs.reduce((sum, { held }) => sum + held, 0),
    differences: [
      ...epochs.flatMap(compareCounts),
      ...found.flatMap(([kind, computed, rows]) => rows.map((row) => ({ kind, ...row, computed }))),
    ],
  };
}

function compareCounts(epoch: CountedEpoch): LedgerDifference[] {
  const { computer_id, stream, epoch_number, through, booked, held, other } = epoch;
  const lastLine = Math.max(epoch.last_money_line ?? 0, epoch.last_held_line ?? 0);
  const key = `computer ${computer_id} ${stream} epoch ${epoch_number}`;
  const bookedAtOnce = epoch.money_lines - epoch.resolved_lines;
  const pairs = [
    ['sum of the counts', booked + held + other, through],
    ['held lines', held, epoch.held_lines],
    ...(stream === 'money' ? ([['booked lines', booked, bookedAtOnce]] as const) : []),
  ] as const;
  return [
    ...pairs
      .filter(([, stored, computed]) => stored !== computed)
      .map(([kind, stored, computed]) => ({ kind, key, stored: String(stored), computed: String(computed) })),
    ...(lastLine > through
      ? [{ kind: 'line after the last one', key, stored: `line ${lastLine}`, computed: `at most ${through}` }]
      : []),
  ];
}
