// The shape of the public status.

import { Type, type Static } from 'typebox';
import { namedObject } from '../../http/named-schemas.ts';
import { environmentSchema, instant, kidOutput, stringEnum } from '../../http/schema-types.ts';

export const PublicStatus = namedObject('PublicStatus', {
  tenantKid: kidOutput('tenant'),
  environment: environmentSchema,
  version: Type.String({ description: 'Version of the service.' }),
  status: stringEnum(['ok', 'degraded'], '`degraded`: the tenant’s database cannot be written to at the moment.'),
  measuredAtUtc: instant('Time of this response. The status may be up to 30 seconds old.'),
});

export type PublicStatusResponse = Static<typeof PublicStatus>;
