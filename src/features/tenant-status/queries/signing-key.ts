// Reads the key that authenticates cursors. A migration creates one key for each tenant.

import type { Db } from '../../../database/db.ts';

const keyName = 'status-cursor';

export async function getCursorKey(db: Db): Promise<Buffer> {
  const { secret } = await db
    .selectFrom('signing_keys')
    .select('secret')
    .where('name', '=', keyName)
    .executeTakeFirstOrThrow();
  return Buffer.from(secret, 'base64url');
}
