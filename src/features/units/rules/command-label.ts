// The labels of commands in the ten languages.

import unitCommands from '../../../../locales/unit-commands.json' with { type: 'json' };
import { localisedTexts, type Language } from '../../../lib/text/language.ts';
import type { CommandName } from './command-catalogue.ts';

const commandTexts = localisedTexts(unitCommands);

export const formatCommandLabel = (name: CommandName, language: Language): string =>
  commandTexts[language].get(name) ?? name;
