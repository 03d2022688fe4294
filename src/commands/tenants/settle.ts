// `settle`: closes a bank's open settlement period.

import type { Config } from '../../config.ts';
import {
  closeSettlementPeriod,
  PeriodRefusedError,
  type CloseSettlementPeriodResult,
  type PeriodRefusal,
} from '../../features/account/commands/close-settlement-period.ts';
import { formatBankKid } from '../../lib/kid.ts';
import { formatUtc, toMs2000 } from '../../lib/time/ms2000.ts';
import { Problem } from '../../lib/problem.ts';
import { requireWholeBank } from '../../permissions/coverage.ts';
import { createOperatorScope } from '../../permissions/scope.ts';
import { CommandError } from '../command-error.ts';
import { selectBankId } from '../select-banks.ts';
import { selectTenant } from '../select-tenants.ts';
import { changeTenant } from '../storage-failures.ts';

type SettleOptions = {
  readonly tenant: string;
  readonly bank: string;
  /** The period that is expected to be open. */
  readonly period?: number;
  /** MS2000; by default now. */
  readonly through?: number;
};

const deadlineMs = 30_000;

export async function settle(config: Config, options: SettleOptions): Promise<void> {
  const { name } = selectTenant(config.tenants, options.tenant);
  const bankId = selectBankId(name, options.bank);
  const bank = requireWholeBank(createOperatorScope(name), { bankId });
  const bankKid = formatBankKid(name, bankId);
  const clock = (): number => toMs2000(Date.now());
  const { period, through } = options;
  if (through !== undefined && through > clock())
    throw new CommandError(`--through ${formatUtc(through)} lies in the future`);
  const request = { bank, period, through, clock, deadlineMs };
  const result = await changeTenant(config, { tenant: name, done: 'the period was closed' }, (database) =>
    closeSettlementPeriod(database, request).catch((error: unknown) => {
      if (error instanceof PeriodRefusedError) throw createRefusal(error.refusal, bankKid);
      throw error instanceof Problem ? new CommandError(`${error.message} Set the clock right.`, 1) : error;
    }),
  );
  process.stdout.write(`${bankKid}: ${formatResult(result)}\n`);
}

const formatResult = (result: CloseSettlementPeriodResult): string =>
  result.wasClosedBefore
    ? `period ${result.period} was closed already; nothing was changed`
    : `period ${result.period} closed through ${formatUtc(result.through)}; period ${result.period + 1} is open`;

function createRefusal(refusal: PeriodRefusal, bankKid: string): CommandError {
  switch (refusal.reason) {
    case 'no-ledger':
      return new CommandError(`--bank: there is no bank ${bankKid}`);
    case 'not-open-yet':
      return new CommandError(`period ${refusal.period} is not open yet: period ${refusal.openPeriod} is`, 1);
    case 'closed-meanwhile':
      return new CommandError(`another settle closed period ${refusal.period} meanwhile`, 1);
    case 'no-postings':
      return new CommandError(
        `period ${refusal.period} has no postings: --period ${refusal.period} closes it all the same`,
        1,
      );
    case 'ends-before-start':
      return new CommandError(
        `period ${refusal.period} began at ${formatUtc(refusal.openedAt)}: it cannot end at ${formatUtc(refusal.through)}`,
        1,
      );
  }
}
