// One of everything that an account can show, so that no rule of it stays hidden behind what is usual. Each file of the
// folder holds a few related cases.

import type { Random } from '../random.ts';
import type { Scene } from './scene.ts';
import { clockCases, midnightCases } from './showcase/clock.ts';
import { documentCases } from './showcase/documents.ts';
import { lastHour } from './showcase/last-hour.ts';
import { hugeAmounts, moneyCases } from './showcase/money.ts';
import { orderCases } from './showcase/order.ts';
import { peopleCases } from './showcase/people.ts';
import { reversalCases } from './showcase/reversals.ts';
import type { Case } from './showcase/stage.ts';
import { stageOf } from './showcase/stage.ts';

export function showcase(scene: Scene, random: Random): Case[] {
  const stage = stageOf(scene, random);
  if (!scene.bank.enabled) return [...hugeAmounts(stage), ...reversalCases(stage)];
  const all = [clockCases, midnightCases, orderCases, documentCases, moneyCases, peopleCases, reversalCases, lastHour];
  return all.flatMap((cases) => cases(stage));
}
