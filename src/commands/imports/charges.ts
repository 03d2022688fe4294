// `charges`: prints by which profile the charges of a bank's settlements are written, and sets it if asked.

import type { Config } from '../../config.ts';
import { ownKeys, setChargeProfile } from '../../features/settlements/commands/charges-by-operator.ts';
import { formatBankKid } from '../../lib/kid.ts';
import { CommandError } from '../command-error.ts';
import { withImports } from './imports.ts';
import { selectBankId } from '../select-banks.ts';

type ChargesOptions = {
  readonly tenant: string;
  readonly bank: string;
  readonly profile?: string;
  readonly keys?: string;
  readonly none?: boolean;
};

export async function printCharges(config: Config, options: ChargesOptions): Promise<void> {
  const { tenant, bank, profile, keys, none = false } = options;
  const bankId = selectBankId(tenant, bank);
  const bankKid = formatBankKid(tenant, bankId);
  await withImports(config, { tenant, object: `bank ${bankKid}` }, async (operator) => {
    const set = await setChargeProfile(operator, bankId, (current) => {
      if (none) return null;
      if (profile !== undefined) return { profile, keySource: keys ?? current?.keySource ?? ownKeys };
      if (keys === undefined) return current;
      if (current === null) throw new CommandError('--keys needs --profile: none is set yet');
      return { ...current, keySource: keys };
    });
    if ('unknown' in set)
      throw new CommandError(
        set.unknown === 'profile'
          ? `--profile ${profile}: expected the name of a profile of charges`
          : `--keys ${keys}: expected ${ownKeys}, or the name of a profile of residents`,
      );
    const text =
      set.profile === null
        ? 'charges are not written'
        : `charges are written by the profile ${set.profile.profile}, with the keys of ${set.profile.keySource}`;
    process.stdout.write(`${bankKid}: ${text}\n`);
  });
}
