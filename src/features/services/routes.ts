// Declares GetServices, GetService, SetServiceProfileField, GenerateServiceApiKey and SetServiceReadAccess.

import { defineManagerOperation, type Operation } from '../../http/operation.ts';
import { ExpectedRevision } from '../../http/schema-types.ts';
import type { PasswordHasher } from '../credentials/password-hasher.ts';
import { serviceGrantAccess, serviceReadAccess, serviceWriteAccess } from './access.ts';
import { generateServiceApiKey } from './operations/generate-service-api-key.ts';
import { getService } from './operations/get-service.ts';
import { getServices } from './operations/get-services.ts';
import { setServiceProfileField } from './operations/set-service-profile-field.ts';
import { setServiceReadAccess, type ReadAccessDependencies } from './operations/set-service-read-access.ts';
import {
  ApiKeyAnswer,
  ReadAccessBody,
  ServiceDetail,
  ServiceFieldBody,
  ServiceFieldParams,
  ServiceParams,
  ServicesAnswer,
  ServicesQuery,
} from './schemas.ts';

const common = {
  documents: ['portal'],
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

const getServicesOperation = defineManagerOperation({
  ...common,
  id: 'GetServices',
  method: 'GET',
  path: '/api/v1/services',
  summary: 'List the service identities',
  description: 'The whole catalogue: services are neither created nor deleted.',
  access: serviceReadAccess,
  query: ServicesQuery,
  response: ServicesAnswer,
  validationProblem: {
    'query.filter': 'invalid-filter',
    'query.sort': 'invalid-sort',
    'query.direction': 'invalid-sort',
  },
  run: ({ query }, context) => getServices(context, query),
});

const getServiceOperation = defineManagerOperation({
  ...common,
  id: 'GetService',
  method: 'GET',
  path: '/api/v1/services/{serviceKid}',
  summary: 'Read a service identity',
  description: 'Editors see the hash of the API key; nobody sees the key.',
  access: serviceReadAccess,
  params: ServiceParams,
  response: ServiceDetail,
  holdsSecret: true,
  validationProblem: { path: 'invalid-service-kid' },
  run: ({ params }, context) => getService(context, params.serviceKid),
});

const setServiceProfileFieldOperation = defineManagerOperation({
  ...commonOfWrites,
  id: 'SetServiceProfileField',
  method: 'POST',
  path: '/api/v1/services/{serviceKid}/profile/{field}',
  summary: 'Write the name or the icon of a service',
  description:
    'Writes the value if expectedRevision is the current profileRevision (409 otherwise). Writing the current value changes nothing. The hash of the API key cannot be written. Takes no `Idempotency-Key`.',
  params: ServiceFieldParams,
  body: ServiceFieldBody,
  response: ServiceDetail,
  holdsSecret: true,
  validationProblem: {
    path: 'invalid-service-kid',
    'path.field': 'invalid-service-profile',
    body: 'invalid-service-profile',
  },
  run: ({ params, body }, context) => setServiceProfileField(context, { ...params, ...body }),
});

const createApiKeyOperation = (dependencies: { readonly passwordHasher: PasswordHasher }): Operation =>
  defineManagerOperation({
    ...commonOfWrites,
    id: 'GenerateServiceApiKey',
    method: 'POST',
    path: '/api/v1/services/{serviceKid}/api-key',
    summary: 'Make a new API key for a service',
    description:
      'Replaces the key that the service has. The new one is in this response alone: only its hash is stored. It is no token of a manager, and cannot log in. What the key before might read ends, unless the caller may use SetServiceReadAccess: then it goes on with the rights of the caller. Takes no `Idempotency-Key`.',
    params: ServiceParams,
    body: ExpectedRevision,
    response: ApiKeyAnswer,
    holdsSecret: true,
    validationProblem: { path: 'invalid-service-kid', body: 'invalid-service-profile' },
    run: ({ params, body }, context) => generateServiceApiKey(context, { ...params, ...body }, dependencies),
  });

const createReadAccessOperation = (dependencies: ReadAccessDependencies): Operation =>
  defineManagerOperation({
    ...commonOfWrites,
    id: 'SetServiceReadAccess',
    method: 'PUT',
    path: '/api/v1/services/{serviceKid}/read-access',
    summary: 'Let the key of a service read',
    description:
      'Grants the key of the service these operations in place of those before; without any it is no token. It can never do more than the manager who granted them may do at the time, and ends when that manager is deactivated, gets a new password from an operator, or somebody who may not grant it makes a new key. Takes no `Idempotency-Key`.',
    access: serviceGrantAccess,
    params: ServiceParams,
    body: ReadAccessBody,
    response: ServiceDetail,
    holdsSecret: true,
    validationProblem: { path: 'invalid-service-kid', body: 'invalid-service-profile' },
    run: ({ params, body }, context) => setServiceReadAccess(context, { ...params, ...body }, dependencies),
  });

export type ServicesDependencies = ReadAccessDependencies & { readonly passwordHasher: PasswordHasher };

export const servicesRoutes = (dependencies: ServicesDependencies): Operation[] => [
  getServicesOperation,
  getServiceOperation,
  setServiceProfileFieldOperation,
  createApiKeyOperation(dependencies),
  createReadAccessOperation(dependencies),
];
