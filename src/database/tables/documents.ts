// The reports of units about their runs, from which documents are made.

import type { Int64 } from '../../lib/values/int64.ts';

export type DocumentsTables = {
  /** The lock row of the ids of series: how many have been given away. */
  state_series_heads: { id: number; allocated: number };
  /** Each state of a unit that was ever sampled. */
  state_series: { bank_id: number; location_id: number; unit_id: number; name: string; series_id: number };
  /** What a state was over time, as the equipment sent it. */
  state_samples: { series_id: number; at: number; value: string | null };
  /** The Cycles that the equipment tagged as part of a document. They are in the history of settings as well, without the tag. */
  document_cycles: {
    bank_id: number;
    location_id: number;
    unit_id: number;
    at: number;
    /** The document's tag. */
    document_id: Int64;
    value: string | null;
  };
  /** The lock row of a unit's samples. */
  unit_syncs: {
    bank_id: number;
    location_id: number;
    unit_id: number;
    /** The equipment has sent everything up to this time. */
    synced_at: number;
    /** Counts the later reports with something from before that time. */
    late_writes: number;
  };
};
