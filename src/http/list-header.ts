// Writes header fields whose value is a list.

import type { FastifyReply } from 'fastify';

export function appendToListHeader(reply: FastifyReply, field: string, item: string): void {
  const items = reply.getHeader(field);
  reply.header(field, items === undefined ? item : `${String(items)}, ${item}`);
}
