// Translates the path of an operation into the router's syntax.

/** The first of two parameters with only a letter between them ends at that letter. */
export const toRouterPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}(?=([a-z])\{)/g, ':$1(^[^$2]*)').replaceAll(/\{(\w+)\}/g, ':$1');
