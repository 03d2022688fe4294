// The tokens of sessions. The database stores a token only as its hash.

import { hash } from 'node:crypto';

export const hashToken = (token: string): string => hash('sha256', token, 'hex');
