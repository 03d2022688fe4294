// Describes the path parameters of the app's download for OpenAPI. Whatever is offered under no such path is 404.

import { Type } from 'typebox';
import { documentedAs, namedEnum } from '../../http/named-schemas.ts';
import { closedObject } from '../../http/schema-types.ts';
import { architectures } from '../../providers/releases/package/identity.ts';

const architecture = documentedAs(namedEnum('Architecture', architectures, 'Architecture of the processor.'));

export const InstallerParams = closedObject({ architecture });

export const PackageParams = closedObject({
  architecture,
  fileName: documentedAs(
    Type.String({
      description: 'The exact file name of the package, as the installer names it.',
      minLength: 20,
      maxLength: 85,
      pattern: '^[-.A-Za-z0-9]{3,50}_[0-9]{1,5}(?:\\.[0-9]{1,5}){3}_(?:x64|arm64)\\.msix$',
      examples: ['Demo.Portal_1.4.2.0_x64.msix'],
    }),
  ),
});
