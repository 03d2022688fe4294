// Decides which user names are the same.

/** The key by which user names are compared: NFKC, lower case, without spaces around it. */
export function normalizeUserName(userName: string): string {
  return userName.normalize('NFKC').trim().toLowerCase();
}
