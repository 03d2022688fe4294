// Appends to header fields whose value is a list.

/** A reply, or the header fields of an answer that the framework does not send. */
export type HeaderTarget = {
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
};

export function appendToListHeader(reply: HeaderTarget, field: string, item: string): void {
  const items = reply.getHeader(field);
  reply.header(field, items === undefined ? item : `${String(items)}, ${item}`);
}
