// Compiles queries to SQL that SQLite can plan once and reuse.

import { SqliteQueryCompiler, type LimitNode, type OffsetNode } from 'kysely';

/**
 * SQLite looks at the value of a bare `limit ?` when it plans, and therefore plans the statement anew each time it is
 * bound. An expression's value is nothing that it looks at.
 */
export class ReusablePlanQueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }

  protected override visitOffset(node: OffsetNode): void {
    super.visitOffset(node);
    this.append(' + 0');
  }
}
