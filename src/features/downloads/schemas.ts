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
      maxLength: 100,
      examples: ['Demo.Portal_1.4.2.0_x64.msix'],
    }),
  ),
});
