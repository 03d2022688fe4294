// Profiles of files to import, from the command line: `profile list`, `get`, `set` and `try`.

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import {
  listProfilesByOperator,
  readProfileByOperator,
  setProfileByOperator,
} from '../../features/import-profiles/commands/profiles-by-operator.ts';
import { readSample } from '../../features/import-profiles/read-sample.ts';
import { parseProfile, type Profile, type ProfileError } from '../../features/import-profiles/rules/profile.ts';
import type { ImportSample } from '../../features/import-profiles/schemas.ts';
import { CommandError } from '../command-error.ts';
import { withImports } from './imports.ts';
import { formatTabbedRows } from '../format-table.ts';

type ProfileOptions = { readonly tenant: string };
type TryProfileOptions = { readonly tenant?: string; readonly json?: boolean };

export const listProfiles = (config: Config, { tenant }: ProfileOptions): Promise<void> =>
  withImports(config, { tenant, object: `tenant ${tenant}` }, async (operator) => {
    const profiles = await listProfilesByOperator(operator);
    const rows = profiles.map(({ name, kind, version }) => [name, kind, version === null ? 'built-in' : `${version}`]);
    process.stdout.write(formatTabbedRows(rows));
  });

export const printProfile = (config: Config, name: string, { tenant }: ProfileOptions): Promise<void> =>
  withImports(config, { tenant, object: `profile ${name}` }, async (operator) => {
    const found = await readProfileByOperator(operator, name);
    if (found === undefined) throw new CommandError(`there is no profile ${name}`, 1);
    process.stdout.write(`${JSON.stringify(found.document, null, 2)}\n`);
  });

export const setProfile = async (config: Config, path: string, { tenant }: ProfileOptions): Promise<void> => {
  const document = await readDocument(path);
  await withImports(config, { tenant, object: `tenant ${tenant}` }, async (operator) => {
    const stored = await setProfileByOperator(operator, document);
    if ('errors' in stored) throw createProfileError(path, stored.errors);
    process.stdout.write(`${stored.name} version ${stored.version}\n`);
  });
};

/** `profile`: the name of one, or the file of one that need not be stored. */
export async function tryProfile(
  config: Config,
  profile: string,
  path: string,
  { tenant, json = false }: TryProfileOptions,
): Promise<void> {
  const found = profile.endsWith('.json')
    ? parseDocument(profile, await readDocument(profile))
    : await readNamed(config, profile, tenant);
  const file = path === '-' ? process.stdin : createReadStream(path);
  const sample = await readSample(found, file).catch((error: unknown) => {
    throw toReadError(path, error);
  });
  process.stdout.write(json ? `${JSON.stringify(sample)}\n` : formatSample(sample));
  if (sample.failure !== null || sample.rows.some(({ errors }) => errors.length > 0))
    throw new CommandError('not every row can be read', 1);
}

async function readNamed(config: Config, name: string, tenant: string | undefined): Promise<Profile> {
  if (tenant === undefined) throw new CommandError('--tenant is missing: it has the profile; or name a file *.json');
  let found: Profile | undefined;
  await withImports(config, { tenant, object: `profile ${name}` }, async (operator) => {
    found = (await readProfileByOperator(operator, name))?.profile;
  });
  if (found === undefined) throw new CommandError(`there is no profile ${name}`, 1);
  return found;
}

async function readDocument(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw toReadError(path, error);
  });
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${(error as Error).message}`);
  }
}

function toReadError(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === 'open' || syscall === 'read' ? new CommandError(`cannot read ${path}: ${code}`) : error;
}

function parseDocument(path: string, document: unknown): Profile {
  const parsed = parseProfile(document);
  if ('errors' in parsed) throw createProfileError(path, parsed.errors);
  return parsed.profile;
}

const createProfileError = (path: string, errors: readonly ProfileError[]): CommandError =>
  new CommandError(errors.map((error) => `${path}: ${error.path} ${error.message}`).join('\n'));

function formatSample({ detected, rows, failure }: ImportSample): string {
  const lines: string[] = [];
  if (detected !== null) {
    const { format, encoding, separator } = detected;
    lines.push([format, encoding, ...(separator === null ? [] : [JSON.stringify(separator)])].join(', '));
  }
  for (const { line, fields, errors } of rows) {
    const texts = fields.map(({ field, value }) => `${field}=${JSON.stringify(value)}`);
    lines.push(
      `line ${line}: ${texts.join(' ')}`,
      ...errors.map(({ code, text }) => `line ${line}: ${text} (${code})`),
    );
  }
  if (failure !== null) lines.push(`line ${failure.line}: ${failure.text} (${failure.code})`);
  return lines.map((line) => `${line}\n`).join('');
}
