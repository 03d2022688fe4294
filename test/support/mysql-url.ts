// Formats an address of storage as `PORTAL_STORAGE` has it.

import type { MysqlAddress } from '../../src/database/storage-address.ts';

export function formatMysqlUrl({ nodes, user, password, prefix }: MysqlAddress): string {
  const hosts = nodes.map(({ host, port }) => `${host}:${port}`).join(',');
  return `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${hosts}/${prefix}`;
}
