// Reads the secret behind a tenant's cursors. A migration creates one for each tenant.

import type { Db } from '../../../database/db.ts';

/** The name dates from when only the tenant status had cursors. */
const secretName = 'status-cursor';

export async function getCursorSecret(db: Db): Promise<Buffer> {
  const { secret } = await db
    .selectFrom('signing_keys')
    .select('secret')
    .where('name', '=', secretName)
    .executeTakeFirstOrThrow();
  return Buffer.from(secret, 'base64url');
}
