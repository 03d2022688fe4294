// Describes the parameters of the app download. A path with others is 404.

import { Type } from 'typebox';
import { LanguageCode } from '../../http/schemas/language-code.ts';
import { documentedAs, namedEnum, useOf } from '../../http/schemas/named-schemas.ts';
import { closedObject } from '../../http/schemas/schema-types.ts';
import { architectures } from '../../providers/releases/package/package-identity.ts';

const Architecture = namedEnum('Architecture', architectures, 'Architecture of the processor.');
const architecture = documentedAs(Architecture);

export const DownloadPageQuery = closedObject({
  Language: Type.Optional(
    useOf(LanguageCode, { description: 'Language of the page; without it Accept-Language chooses.' }),
  ),
});

export const InstallationFileParams = closedObject({ architecture });

export const AppPackageParams = closedObject({
  architecture,
  fileName: documentedAs(
    Type.String({
      description: 'The exact file name of the package, as the installation file names it.',
      minLength: 20,
      maxLength: 85,
      pattern: '^[-.A-Za-z0-9]{3,50}_[0-9]{1,5}(?:\\.[0-9]{1,5}){3}_(?:x64|arm64)\\.msix$',
      examples: ['Demo.Portal_1.4.2.0_x64.msix'],
    }),
  ),
});
