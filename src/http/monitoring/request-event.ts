// Defines the live log's event for a request.

import { bankIdInPath, formatBankKid, formatComputerKid, residentIdInPath } from '../../lib/kid.ts';
import type { OwnLiveLogEvent } from '../../lib/live-log/live-log.ts';
import type { TenantHost } from '../context/tenancy.ts';
import type { AccessLogEntry } from './access-log-entry.ts';

/** A request for an operation of a tenant. */
export type OperationRequest = AccessLogEntry & { readonly tenantHost: TenantHost; readonly operationId: string };

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The event has neither the path nor the client, only what the service knows. Every request creates an event, and few
 * events are read, so the texts are formatted only when an event is read.
 */
export class RequestEvent implements OwnLiveLogEvent {
  readonly at: number;
  readonly tenant: string;
  readonly statusCode: number;
  readonly elapsedMilliseconds: number;
  readonly bankId: number | undefined;
  readonly traceId: string;
  readonly #method: string;
  readonly #operationId: string;
  readonly #residentId: number | undefined;
  readonly #computerId: number | undefined;

  /** `at` is when the request ended, in epoch milliseconds. */
  constructor(request: OperationRequest, at: number, elapsedMilliseconds: number) {
    const { method, status, traceId, tenantHost, operationId, computer } = request;
    this.at = at;
    this.tenant = tenantHost.tenant.name;
    this.statusCode = status;
    this.elapsedMilliseconds = elapsedMilliseconds;
    this.traceId = traceId;
    this.#method = method;
    this.#operationId = operationId;
    const path = findKidPath(request);
    this.bankId = computer?.bankId ?? (path === undefined ? undefined : findNumber(path, bankIdInPath));
    this.#residentId = path === undefined || this.bankId === undefined ? undefined : findNumber(path, residentIdInPath);
    this.#computerId = computer?.computerId;
  }

  get level() {
    return 'Information' as const;
  }

  get messageTemplate(): string {
    const sender = this.#computerId === undefined ? '' : ' of {computer}';
    return `{method} {operation}${sender} ended with {statusCode} after {elapsedMilliseconds} ms`;
  }

  get category(): string {
    return 'request';
  }

  get userIds(): readonly number[] | undefined {
    return this.#residentId === undefined ? undefined : [this.#residentId];
  }

  get fields(): Readonly<Record<string, string>> {
    const computer = this.#computer;
    return {
      statusCode: String(this.statusCode),
      elapsedMilliseconds: String(this.elapsedMilliseconds),
      ...(knownMethods.has(this.#method) ? { method: this.#method } : {}),
      operation: this.#operationId,
      ...(computer === undefined ? {} : { computer }),
    };
  }

  /** Its KID. */
  get #computer(): string | undefined {
    return this.bankId === undefined || this.#computerId === undefined
      ? undefined
      : formatComputerKid(formatBankKid(this.tenant, this.bankId), this.#computerId);
  }
}

/** The path, without the query, of a manager's request that did not fail: what its KIDs name exists. */
const findKidPath = ({ requestTarget, managerId, status }: AccessLogEntry): string | undefined =>
  managerId === undefined || status >= 400 ? undefined : requestTarget.split(/[?#]/, 1)[0];

function findNumber(path: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(path)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
