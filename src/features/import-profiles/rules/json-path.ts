// Names a place in a JSON document as people write it.

/** `/columns/0/from` -> `columns[0].from`; empty for the document itself. */
export const formatJsonPath = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
