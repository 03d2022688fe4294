// From an operation's path to the router's spelling of it.

/** Of two parameters with a letter between them, the first ends at that letter. */
export const toRouterPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}(?=([a-z])\{)/g, ':$1(^[^$2]*)').replaceAll(/\{(\w+)\}/g, ':$1');
