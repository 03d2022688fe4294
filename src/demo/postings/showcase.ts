// One of everything that an account can show, so that no rule of it stays hidden behind what is usual. Each file of the
// folder holds a few related cases.

import type { Random } from '../random.ts';
import type { LedgerScenario } from './ledger-scenario.ts';
import { clockCases, midnightCases } from './showcase/clock-changes.ts';
import { documentCases } from './showcase/documents.ts';
import { lastHourCases } from './showcase/last-hour.ts';
import { hugeAmountCases, moneyCases } from './showcase/money.ts';
import { orderCases } from './showcase/order.ts';
import { peopleCases } from './showcase/people.ts';
import { reversalCases } from './showcase/reversals.ts';
import type { ShowcaseCase } from './showcase/showcase-context.ts';
import { createShowcaseContext } from './showcase/showcase-context.ts';

export function createShowcase(scene: LedgerScenario, random: Random): ShowcaseCase[] {
  const stage = createShowcaseContext(scene, random);
  if (!scene.bank.enabled) return [...hugeAmountCases(stage), ...reversalCases(stage)];
  const all = [
    clockCases,
    midnightCases,
    orderCases,
    documentCases,
    moneyCases,
    peopleCases,
    reversalCases,
    lastHourCases,
  ];
  return all.flatMap((cases) => cases(stage));
}
