// Provides the principals of the Equipment API. Every request reads the stored key, so that a key that was replaced or
// revoked on any replica is refused with the next request.

import type { Databases } from '../../../database/databases.ts';
import { takeLocks } from '../../../database/locks.ts';
import type { ComputerProvider, FindComputerInput } from '../../../http/context/computer-principal.ts';
import { computerLock, findKeyedComputer, useComputerKey, type KeyedComputer } from '../queries/computer-keys.ts';
import { hashComputerSecret, isComputerKey } from '../rules/computer-key.ts';

const deadlineMs = 5000;

export const createComputerProvider = (databases: Databases): ComputerProvider => ({
  findComputer: async (input) => {
    const { tenant, key, environment } = input;
    if (!isComputerKey(key)) return undefined;
    const keyHash = hashComputerSecret(key);
    const read = { deadlineMs, isSingleStatement: true };
    const computer = await databases.forTenant(tenant).read(read, (db) => findKeyedComputer(db, keyHash));
    if (computer?.environment !== environment) return undefined;
    if (computer.firstUsedAt === null) await noteFirstUse(databases, computer, { ...input, keyHash });
    const { bankId, computerId, name, desiredFrom } = computer;
    return { bankId, computerId, name, keyHash, environment, desiredFrom };
  },
});

/** Before the request is answered: a computer that got an answer to its new key has no use for the old one. */
const noteFirstUse = (
  databases: Databases,
  computer: KeyedComputer,
  { tenant, keyHash, now }: FindComputerInput & { readonly keyHash: string },
): Promise<void> =>
  databases.forTenant(tenant).write({ deadlineMs }, async (db) => {
    await takeLocks(db, [computerLock(computer)]);
    await useComputerKey(db, computer, { keyHash, now });
  });
