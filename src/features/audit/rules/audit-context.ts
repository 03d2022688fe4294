// Describes who makes a change that the audit log records, and from where: a manager or service by a request, or an
// operator by a command.

import type { ManagerContext, OperationContext } from '../../../http/context/operation-context.ts';
import { isService } from '../../../http/context/principal.ts';
import type { Environment } from '../../../permissions/scope.ts';

export type AuditContext = {
  readonly kind: 'manager' | 'service' | 'computer' | 'operator';
  /** The id of the manager, the service or the computer; null for an operator, who is not known. */
  readonly id: number | null;
  /** The id of the operation, or the name of the command. */
  readonly operation: string;
  /** The client's address as rate limits count it; for IPv6 the network, because one client owns all of it. */
  readonly address: string | null;
  readonly requestId: string | null;
  readonly environment: Environment | null;
  /** MS2000. */
  readonly now: number;
  /** MS2000, when it is called: later than `now` if the write had to wait. */
  readonly readClock: () => number;
};

type RequestOrigin = Pick<
  OperationContext,
  'operationId' | 'clientAddress' | 'requestId' | 'environment' | 'now' | 'currentTime'
>;

/** The context of a request's manager, or of the service whose key it has. */
export const createManagerAuditContext = (context: ManagerContext): AuditContext =>
  createRequestAuditContext(isService(context.principal) ? 'service' : 'manager', context.principal.id, context);

/** The context of who a request has just authenticated, such as by a login, or of a computer. */
export const createRequestAuditContext = (
  kind: 'manager' | 'service' | 'computer',
  id: number,
  origin: RequestOrigin,
): AuditContext => {
  const { operationId: operation, clientAddress: address, requestId, environment, now } = origin;
  return { kind, id, operation, address, requestId, environment, now, readClock: () => origin.currentTime };
};

/** The context of a command, such as `manager create`. The clock is in MS2000. */
export const createOperatorAuditContext = (command: string, clock: () => number): AuditContext => ({
  kind: 'operator',
  id: null,
  operation: command,
  address: null,
  requestId: null,
  environment: null,
  now: clock(),
  readClock: clock,
});
