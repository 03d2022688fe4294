// Declares GetComputers, GetComputer, CreateComputer, RenewComputerCode and RevokeComputer for managers, and EnrolComputer
// and RenewComputerKey for computers.

import { BankParams } from '../places/schemas.ts';
import type { Databases } from '../../database/databases.ts';
import {
  defineComputerOperation,
  defineManagerOperation,
  definePublicOperation,
  type Operation,
} from '../../http/operations/operation.ts';
import { jsonOf } from '../../http/operations/response.ts';
import { ExpectedRevision } from '../../http/schemas/schema-types.ts';
import { computerCreateAccess, computersReadAccess, computerWriteAccess } from './access.ts';
import { createComputer } from './operations/create-computer.ts';
import { enrolComputer } from './operations/enrol-computer.ts';
import { getComputer } from './operations/get-computer.ts';
import { getComputers } from './operations/get-computers.ts';
import { renewComputerCode } from './operations/renew-computer-code.ts';
import { renewComputerKey } from './operations/renew-computer-key.ts';
import { revokeComputer } from './operations/revoke-computer.ts';
import { createEnrolmentThrottle } from './process/enrolment-throttle.ts';
import {
  Computer,
  ComputerEnrolment,
  ComputerPage,
  ComputerParams,
  ComputersQuery,
  EnrolledComputer,
  EnrolmentRequest,
  NewComputer,
  NextComputerKey,
} from './schemas.ts';

const common = { openApiDocuments: ['portal'], group: 'Computers', deadlineMs: 10_000 } as const;

const commonOfComputers = { openApiDocuments: ['equipment'], group: 'Equipment', deadlineMs: 10_000 } as const;

const createEnrolOperation = (databases: Databases): Operation => {
  const throttle = createEnrolmentThrottle(databases);
  return definePublicOperation({
    ...commonOfComputers,
    id: 'EnrolComputer',
    method: 'POST',
    path: '/equipment/v1/enrol',
    summary: 'Enrol with a code',
    description:
      'Answers the key of the computer, once for each code; the keys that it had before end. If the response is lost, a manager makes another code. Every code that cannot be used has the same response: an unknown, expired, replaced or used one, one of a revoked computer, and one of another environment. After 30 of them from one address within five minutes, the response is 429 `too-many-attempts`.',
    body: EnrolmentRequest,
    response: jsonOf(EnrolledComputer),
    holdsSecret: true,
    maxBodyBytes: 4096,
    problemCodes: ['invalid-enrolment-code', 'too-many-attempts'],
    run: ({ body }, context) => enrolComputer(context, body, { throttle }),
  });
};

type ComputersDependencies = { readonly databases: Databases };

const operationsOfManagers: readonly Operation[] = [
  defineManagerOperation({
    ...common,
    id: 'GetComputers',
    method: 'GET',
    path: '/api/v1/banks/{bankKid}/computers',
    summary: 'List the computers of a bank',
    description:
      'The computers through which units are connected: what they last said, where their streams stand, and what they know. Where the grants cover only some locations: those with units there.',
    access: computersReadAccess,
    params: BankParams,
    query: ComputersQuery,
    response: jsonOf(ComputerPage),
    problemCodes: ['not-found'],
    localised: true,
    run: ({ params: { bankKid }, query: listing }, context) => getComputers(context, { bankKid, listing }),
  }),
  defineManagerOperation({
    ...common,
    id: 'CreateComputer',
    method: 'POST',
    path: '/api/v1/banks/{bankKid}/computers',
    summary: 'Create a computer and its enrolment code',
    description:
      'The computer gets the units. With the code it enrols (EnrolComputer) within 24 hours, once, in the environment of this host. Only this response contains the code, because only its hash is stored. After a lost response, RenewComputerCode makes another code. Takes no `Idempotency-Key`.',
    access: computerCreateAccess,
    params: BankParams,
    body: NewComputer,
    response: jsonOf(ComputerEnrolment, {
      status: 201,
      locationOf: ({ computer: { kid } }) => `/api/v1/computers/${kid}`,
    }),
    holdsSecret: true,
    problemCodes: ['not-found', 'computer-name-taken', 'unit-has-computer'],
    run: ({ params: { bankKid }, body }, context) => createComputer(context, { bankKid, ...body }),
  }),
  defineManagerOperation({
    ...common,
    id: 'GetComputer',
    method: 'GET',
    path: '/api/v1/computers/{computerKid}',
    summary: 'Read a computer',
    description: 'As GetComputers lists it.',
    access: computersReadAccess,
    params: ComputerParams,
    response: jsonOf(Computer),
    problemCodes: ['not-found'],
    run: ({ params }, context) => getComputer(context, params.computerKid),
  }),
  defineManagerOperation({
    ...common,
    id: 'RenewComputerCode',
    method: 'POST',
    path: '/api/v1/computers/{computerKid}/code',
    summary: 'Create a new enrolment code for a computer',
    description:
      'Replaces a code that was not used. With it the computer, or one that replaces it, enrols within 24 hours, once: then the keys that the computer had end. Only this response contains the code. Takes no `Idempotency-Key`.',
    access: computerWriteAccess,
    params: ComputerParams,
    body: ExpectedRevision,
    response: jsonOf(ComputerEnrolment),
    holdsSecret: true,
    problemCodes: ['not-found', 'computer-conflict', 'computer-revoked'],
    run: ({ params, body }, context) => renewComputerCode(context, { ...params, ...body }),
  }),
  defineManagerOperation({
    ...common,
    id: 'RevokeComputer',
    method: 'POST',
    path: '/api/v1/computers/{computerKid}/revocation',
    summary: 'Revoke a computer',
    description:
      'Ends its keys and its code, for good: its next request is refused. Its units keep its name until another computer gets them. What it has sent stays. Revoking it again changes nothing.',
    access: computerWriteAccess,
    params: ComputerParams,
    body: ExpectedRevision,
    response: jsonOf(Computer),
    problemCodes: ['not-found', 'computer-conflict'],
    acceptsIdempotencyKey: true,
    run: ({ params, body }, context) => revokeComputer(context, { ...params, ...body }),
  }),
];

export const computersRoutes = ({ databases }: ComputersDependencies): Operation[] => [
  ...operationsOfManagers,
  createEnrolOperation(databases),
  defineComputerOperation({
    ...commonOfComputers,
    id: 'RenewComputerKey',
    method: 'POST',
    path: '/equipment/v1/key',
    summary: 'Get the next key',
    description:
      'Both keys are valid until the next one is first used; then the present one ends. Called again before that, it replaces the next key: so a lost response locks nobody out.',
    response: jsonOf(NextComputerKey),
    holdsSecret: true,
    run: (_input, context) => renewComputerKey(context),
  }),
];
