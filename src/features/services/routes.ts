// Declares GetServices, GetService, SetServiceProfileField, GenerateServiceApiKey and SetServiceReadAccess.

import { defineManagerOperation, type Operation } from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { ExpectedRevision } from '../../http/schemas/schema-types.ts';
import type { PasswordHasher } from '../passwords/process/password-hasher.ts';
import { serviceGrantAccess, serviceReadAccess, serviceWriteAccess } from './access.ts';
import { generateServiceApiKey } from './operations/generate-service-api-key.ts';
import { getService } from './operations/get-service.ts';
import { getServices } from './operations/get-services.ts';
import { setServiceProfileField } from './operations/set-service-profile-field.ts';
import { setServiceReadAccess, type ReadAccessDependencies } from './operations/set-service-read-access.ts';
import {
  ServiceApiKey,
  ServiceReadAccessChange,
  ServiceDetail,
  ServiceProfileChange,
  ServiceFieldParams,
  ServiceParams,
  ServiceList,
  ServicesQuery,
} from './schemas.ts';

const common = {
  openApiDocuments: ['portal'],
  group: 'Services',
  deadlineMs: 12_000,
  replacedProblems: {
    'storage-timeout': 'services-unavailable',
    'storage-text-comparison': 'services-unavailable',
    'storage-unavailable': 'services-unavailable',
    'storage-outcome-unknown': 'services-unavailable',
    'login-busy': 'services-unavailable',
  },
} as const;

const commonOfWrites = {
  ...common,
  access: serviceWriteAccess,
  maxBodyBytes: 4096,
  problemCodes: ['service-profile-conflict'],
  replacedProblems: { ...common.replacedProblems, 'payload-too-large': 'invalid-service-profile' },
} as const;

type ServicesDependencies = ReadAccessDependencies & { readonly passwordHasher: PasswordHasher };

const operationsOnProfiles: readonly Operation[] = [
  defineManagerOperation({
    ...common,
    id: 'GetServices',
    method: 'GET',
    path: '/api/v1/services',
    summary: 'List the service identities',
    description: 'The whole catalogue: services are neither created nor deleted.',
    access: serviceReadAccess,
    query: ServicesQuery,
    response: jsonOf(ServiceList),
    validationProblem: {
      'query.filter': 'invalid-filter',
      'query.sort': 'invalid-sort',
      'query.direction': 'invalid-sort',
    },
    run: ({ query }, context) => getServices(context, query),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetService',
    method: 'GET',
    path: '/api/v1/services/{serviceKid}',
    summary: 'Read a service identity',
    description: 'Editors see the hash of the API key; nobody sees the key.',
    access: serviceReadAccess,
    params: ServiceParams,
    response: jsonOf(ServiceDetail),
    holdsSecret: true,
    validationProblem: { path: 'invalid-service-kid' },
    run: ({ params }, context) => getService(context, params.serviceKid),
  }),
  defineManagerOperation({
    ...commonOfWrites,
    id: 'SetServiceProfileField',
    method: 'POST',
    path: '/api/v1/services/{serviceKid}/profile/{field}',
    summary: 'Write the name or the icon of a service',
    description:
      'Writes the value if expectedRevision is the current profileRevision (409 otherwise). Writing the current value changes nothing. The hash of the API key cannot be written. Takes no `Idempotency-Key`.',
    params: ServiceFieldParams,
    body: ServiceProfileChange,
    response: jsonOf(ServiceDetail),
    holdsSecret: true,
    validationProblem: {
      path: 'invalid-service-kid',
      'path.field': 'invalid-service-profile',
      body: 'invalid-service-profile',
    },
    run: ({ params, body }, context) => setServiceProfileField(context, { ...params, ...body }),
  }),
];

export const servicesRoutes = (dependencies: ServicesDependencies): Operation[] => [
  ...operationsOnProfiles,
  defineManagerOperation({
    ...commonOfWrites,
    id: 'GenerateServiceApiKey',
    method: 'POST',
    path: '/api/v1/services/{serviceKid}/api-key',
    summary: 'Create a new API key for a service',
    description:
      'Replaces the present key of the service. Only this response contains the new key, because only its hash is stored. The key can never do more than the caller. The key is not a manager’s token, and cannot log in. The read access of the previous key ends, unless the caller may use SetServiceReadAccess: then it continues with the rights of the caller. Takes no `Idempotency-Key`.',
    params: ServiceParams,
    body: ExpectedRevision,
    response: jsonOf(ServiceApiKey),
    holdsSecret: true,
    validationProblem: { path: 'invalid-service-kid', body: 'invalid-service-profile' },
    run: ({ params, body }, context) => generateServiceApiKey(context, { ...params, ...body }, dependencies),
  }),
  defineManagerOperation({
    ...commonOfWrites,
    id: 'SetServiceReadAccess',
    method: 'PUT',
    path: '/api/v1/services/{serviceKid}/read-access',
    summary: 'Grant read access to the key of a service',
    description:
      'Grants these operations to the key of the service, instead of those granted before. A key without operations is not accepted as a token. At each call the key can do no more than the manager who granted them and the manager who made the key. The access ends when one of them is deactivated, gets a new password from an operator or loses the right to do so, or when a manager who may not grant it creates a new key. Takes no `Idempotency-Key`.',
    access: serviceGrantAccess,
    params: ServiceParams,
    body: ServiceReadAccessChange,
    response: jsonOf(ServiceDetail),
    holdsSecret: true,
    validationProblem: { path: 'invalid-service-kid', body: 'invalid-service-profile' },
    run: ({ params, body }, context) => setServiceReadAccess(context, { ...params, ...body }, dependencies),
  }),
];
