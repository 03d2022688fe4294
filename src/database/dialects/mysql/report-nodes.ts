// Tells when a node of a cluster cannot be used any more, why, and when it can be used again.

import type { Diagnosis } from '../../checks/diagnosis.ts';
import { diagnoseMysqlError, mysqlSilence } from './diagnose.ts';
import type { ProbeNode } from './node-choice.ts';

/** The node is `host:port`; without a diagnosis it can be used again. */
export type NodeListener = (node: string, failed?: Diagnosis) => void;

/**
 * Returns the probe with a listener, which is called for each node whose state or reason is another one than before.
 */
export function reportChanges(probe: ProbeNode, onChange: NodeListener): ProbeNode {
  const problems = new Map<string, string>();
  const report = (node: string, failed?: Diagnosis): void => {
    if (problems.get(node) === failed?.problem) return;
    if (failed === undefined) problems.delete(node);
    else problems.set(node, failed.problem);
    onChange(node, failed);
  };
  return async (node, isCurrent) => {
    const name = `${node.host}:${node.port}`;
    try {
      const use = await probe(node, isCurrent);
      report(name);
      return use;
    } catch (error) {
      // The probe gives up waiting with an error that has no cause of the server.
      report(name, diagnoseMysqlError(error) ?? mysqlSilence);
      throw error;
    }
  };
}
