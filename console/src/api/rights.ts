// What the manager may do, as GetCurrentManager says: screens show nothing that the service would refuse anyway.

import type { OperationId } from './client.ts';
import type { BankAccess, CurrentManager } from './operations.ts';

export const may = ({ operations }: CurrentManager, id: OperationId): boolean => operations[id] === true;

export const findBank = ({ access }: CurrentManager, bankKid: string): BankAccess | undefined =>
  access.banks.find(({ kid }) => kid === bankKid);

/** Some operations need a grant of the whole bank. */
export const mayInBank = (manager: CurrentManager, bankKid: string, id: OperationId): boolean =>
  may(manager, id) && (manager.access.tenantWide || findBank(manager, bankKid)?.bankWide === true);

/** The name of a place that the manager's grants cover; its KID where they do not name it. */
export function nameOfPlace(manager: CurrentManager, kid: string): string {
  for (const bank of manager.access.banks) {
    if (bank.kid === kid) return bank.name;
    const location = bank.locations.find((each) => each.kid === kid);
    if (location !== undefined) return location.name;
  }
  return kid;
}

/** The bank in which a location is. */
export const bankOfLocation = ({ access }: CurrentManager, locationKid: string): BankAccess | undefined =>
  access.banks.find(({ locations }) => locations.some(({ kid }) => kid === locationKid));
