// GetComputer: reads a computer, as far as the grants cover its units.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { toComputer } from '../answers.ts';
import { requireComputer, type ComputerKid } from '../require-computer.ts';
import type { Computer } from '../schemas.ts';

export async function getComputer(context: ManagerContext, computerKid: ComputerKid): Promise<Computer> {
  const bank = requireCoveredBank(context.scope, computerKid);
  return toComputer(await context.read((db) => requireComputer(db, bank, computerKid.computerId)));
}
