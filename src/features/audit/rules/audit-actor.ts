// Describes who does what an entry of the audit log records: a manager by a request, or an operator by a command.

import type { ManagerContext, OperationContext } from '../../../http/context/operation-context.ts';
import { isService } from '../../../http/context/principal.ts';
import type { Environment } from '../../../permissions/scope.ts';

export type AuditActor = {
  readonly kind: 'manager' | 'service' | 'operator';
  /** The id of the manager or service; null for an operator, who is not known. */
  readonly id: number | null;
  /** The id of the operation, or the name of the command. */
  readonly operation: string;
  /** The client's address as rate limits count it: of IPv6 the network, which is as much as one client owns. */
  readonly address: string | null;
  readonly requestId: string | null;
  readonly environment: Environment | null;
  /** MS2000. */
  readonly now: number;
};

type RequestOrigin = Pick<OperationContext, 'operationId' | 'clientAddress' | 'requestId' | 'environment' | 'now'>;

/** The manager of a request, or the service whose key it has. */
export const createManagerActor = (context: ManagerContext): AuditActor =>
  createRequestActor(isService(context.principal) ? 'service' : 'manager', context.principal.managerId, context);

/** A manager or service that a request has just made known, such as by a login. */
export const createRequestActor = (
  kind: 'manager' | 'service',
  id: number,
  { operationId, clientAddress, requestId, environment, now }: RequestOrigin,
): AuditActor => ({ kind, id, operation: operationId, address: clientAddress, requestId, environment, now });

/** Whoever runs a command, such as `manager create`. */
export const createOperatorActor = (command: string, now: number): AuditActor => ({
  kind: 'operator',
  id: null,
  operation: command,
  address: null,
  requestId: null,
  environment: null,
  now,
});
