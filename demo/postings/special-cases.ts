// Collects one example of everything that an account can show, so that rare rules are visible too. Each file of the
// folder has a few related cases.

import type { Random } from '../random.ts';
import type { LedgerScenario } from './ledger-scenario.ts';
import { clockCases, midnightCases } from './special-cases/clock-changes.ts';
import { accountDocumentCases } from './special-cases/account-documents.ts';
import { lastHourCases } from './special-cases/last-hour.ts';
import { hugeAmountCases, amountCases } from './special-cases/amounts.ts';
import { rowOrderCases } from './special-cases/row-order.ts';
import { identityCases } from './special-cases/identities.ts';
import { reversalCases } from './special-cases/reversals.ts';
import type { SpecialCase } from './special-cases/special-case-context.ts';
import { createSpecialCaseContext } from './special-cases/special-case-context.ts';

export function createSpecialCases(scenario: LedgerScenario, random: Random): SpecialCase[] {
  const context = createSpecialCaseContext(scenario, random);
  if (!scenario.bank.enabled) return [...hugeAmountCases(context), ...reversalCases(context)];
  const all = [
    clockCases,
    midnightCases,
    rowOrderCases,
    accountDocumentCases,
    amountCases,
    identityCases,
    reversalCases,
    lastHourCases,
  ];
  return all.flatMap((cases) => cases(context));
}
