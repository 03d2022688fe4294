// Parses the values of command line options.

import { InvalidArgumentError, Option } from 'commander';
import { parseUtc } from '../lib/time/ms2000.ts';

export const tenantOption = ['--tenant <name>', 'the tenant'] as const;
export const bankOption = ['--bank <bank>', 'the bank’s number or KID'] as const;

const collectValues = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value];

export const repeatableOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser(collectValues);

export const createTenantOption = (): Option => repeatableOption('--tenant <name>', 'only this tenant; repeatable');

/** The instant as MS2000. */
export const parseInstant = (value: string): number => {
  const ms2000 = parseUtc(value);
  if (ms2000 === undefined) throw new InvalidArgumentError('Expected an instant such as 2026-05-31T22:00:00Z.');
  return ms2000;
};

export const parseWholeNumber =
  (minimum: number, maximum: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d{1,9}$/.test(value) || number < minimum || number > maximum)
      throw new InvalidArgumentError(`Expected a whole number from ${minimum} to ${maximum}.`);
    return number;
  };
