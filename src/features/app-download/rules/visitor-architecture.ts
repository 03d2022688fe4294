// Detects the architecture of a visitor's Windows computer from the client hints, or from the User-Agent if there are
// none. Browsers on ARM often claim x64, so only unambiguous values count.

import type { Architecture } from '../../../providers/releases/package/package-identity.ts';

/** Requested with Accept-CH; Chromium sends them over HTTPS. */
export const architectureHints = ['Sec-CH-UA-Arch', 'Sec-CH-UA-Bitness'] as const;

/** The request header fields that are read here. */
export const architectureFields = [...architectureHints, 'Sec-CH-UA-Platform', 'User-Agent'] as const;

export type VisitorHints = Readonly<Record<(typeof architectureFields)[number], string | undefined>>;

/** Whether the visitor has Windows, which phones do not; undefined if it is not known. */
export function findWhetherWindows(hints: VisitorHints): boolean | undefined {
  const platform = unquote(hints['Sec-CH-UA-Platform']);
  if (platform !== undefined) return platform === 'Windows';
  return hints['User-Agent']?.includes('Windows NT');
}

/** Undefined if it is not known, or the app does not run on the computer. */
export function findVisitorArchitecture(hints: VisitorHints): Architecture | undefined {
  if (findWhetherWindows(hints) !== true) return undefined;
  const userAgent = hints['User-Agent'] ?? '';
  const [arch, bitness] = [unquote(hints['Sec-CH-UA-Arch']), unquote(hints['Sec-CH-UA-Bitness'])];
  if (arch !== undefined && arch !== '') {
    if (bitness !== '64') return undefined;
    return arch === 'arm' ? 'arm64' : arch === 'x86' ? 'x64' : undefined;
  }
  return /\b(?:ARM64|aarch64)\b/i.test(userAgent) ? 'arm64' : undefined;
}

/** A string of a structured field (RFC 9651, 3.3.3). */
const unquote = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : /^"([^"\\]*)"$/.exec(value.trim())?.[1];
