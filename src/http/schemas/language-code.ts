// The schema of a portal language.

import { languages } from '../../lib/text/language.ts';
import { namedEnum } from './named-schemas.ts';

export const LanguageCode = namedEnum('LanguageCode', languages, 'A portal language (ISO 639-1).');
