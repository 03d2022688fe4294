// The texts of the console, each in the ten languages of the portal. The console is built with one file for each language,
// and must not import this one but for its types.

import account from '../../locales/account.json' with { type: 'json' };
import addresses from '../../locales/addresses.json' with { type: 'json' };
import administration from '../../locales/administration.json' with { type: 'json' };
import banks from '../../locales/banks.json' with { type: 'json' };
import bookings from '../../locales/bookings.json' with { type: 'json' };
import commands from '../../locales/commands.json' with { type: 'json' };
import computers from '../../locales/computers.json' with { type: 'json' };
import deviceSync from '../../locales/device-sync.json' with { type: 'json' };
import fields from '../../locales/fields.json' with { type: 'json' };
import heldLines from '../../locales/held-lines.json' with { type: 'json' };
import importCommands from '../../locales/import-commands.json' with { type: 'json' };
import importProfiles from '../../locales/import-profiles.json' with { type: 'json' };
import imports from '../../locales/imports.json' with { type: 'json' };
import lists from '../../locales/lists.json' with { type: 'json' };
import navigation from '../../locales/navigation.json' with { type: 'json' };
import operation from '../../locales/operation.json' with { type: 'json' };
import problems from '../../locales/problems.json' with { type: 'json' };
import profile from '../../locales/profile.json' with { type: 'json' };
import refusals from '../../locales/refusals.json' with { type: 'json' };
import residentCommands from '../../locales/resident-commands.json' with { type: 'json' };
import residents from '../../locales/residents.json' with { type: 'json' };
import services from '../../locales/services.json' with { type: 'json' };
import units from '../../locales/units.json' with { type: 'json' };
import words from '../../locales/words.json' with { type: 'json' };
import type { Language } from './languages.ts';

/** A text, or one for each plural category of the language (CLDR). */
type Text = string | Readonly<Record<string, string>>;

/** The texts of one language. */
export type Catalogue = Readonly<Record<string, Text>>;

export const texts = {
  ...account,
  ...addresses,
  ...administration,
  ...banks,
  ...bookings,
  ...commands,
  ...computers,
  ...deviceSync,
  ...fields,
  ...heldLines,
  ...importCommands,
  ...importProfiles,
  ...imports,
  ...lists,
  ...navigation,
  ...operation,
  ...problems,
  ...profile,
  ...refusals,
  ...residentCommands,
  ...residents,
  ...services,
  ...units,
  ...words,
};

export const catalogueOf = (language: Language): Catalogue =>
  Object.fromEntries(
    Object.entries<Readonly<Record<Language, Text>>>(texts).map(([key, text]) => [key, text[language]]),
  );
