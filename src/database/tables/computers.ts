// Computers, through which units are connected: their keys, what they have sent, and what they have to know.

export type ComputersTables = {
  /** The lock row of a bank's computers: the last id. */
  computer_heads: { bank_id: number; allocated: number };
  computers: {
    bank_id: number;
    computer_id: number;
    /** Units name their computer by it (`units.computer_name`). No two computers of a bank have the same one. */
    name: string;
    created_at: number;
    /** SHA-256 of the enrolment code, in hexadecimal digits; null where it was used, or the computer was revoked. */
    code_hash: string | null;
    code_expires_at: number | null;
    /** The environment of the host on which the code was made: the key is valid there. */
    code_environment: string | null;
    revoked_at: number | null;
    /** The version of the outbox when the units got this computer, or when it last enrolled: what is older, it gets by a snapshot. */
    desired_from: number;
    revision: number;
    /** Counts the writes: the row is their lock row. */
    writes: number;
  };
  /** One key of a computer, or two until the newer one is first used. A revoked computer has none. */
  computer_keys: {
    /** SHA-256, in hexadecimal digits. */
    key_hash: string;
    bank_id: number;
    computer_id: number;
    environment: string;
    created_at: number;
    first_used_at: number | null;
  };
  /** What a computer last said of itself. It has no row before it was enrolled. */
  computer_states: {
    bank_id: number;
    computer_id: number;
    serial: string;
    software: string;
    /** To within some seconds. */
    last_contact_at: number | null;
    /** How far its clock is ahead; null where it has none, or has sent nothing yet. */
    clock_offset_ms: number | null;
    /** How many lines it still has to send. */
    buffered: number;
    /** The last version of the outbox that stood in an answer, and the last one that it has applied. */
    sent_version: number;
    acknowledged_version: number;
    /** 1 where its last digests were those of the service, 0 where not; null before the first ones. */
    digests_equal: number | null;
    last_error: string | null;
  };
  /** The lock row of each stream, in its present epoch. `through` is the sum of the three counts. */
  computer_streams: {
    bank_id: number;
    computer_id: number;
    /** `money` or `samples`. */
    stream: string;
    /** Empty before the first line. */
    epoch: string;
    /** Counts the epochs of the stream. */
    epoch_number: number;
    /** The number of the last line that was received. */
    through: number;
    booked: number;
    /** Held when they arrived, whatever became of them. */
    held: number;
    /** Repeats of lines that another epoch has brought. */
    other: number;
    received_at: number | null;
    writes: number;
  };
  former_epochs: {
    bank_id: number;
    computer_id: number;
    stream: string;
    epoch_number: number;
    epoch: string;
    through: number;
    booked: number;
    held: number;
    other: number;
    ended_at: number;
    reason: string;
  };
  /** The lines of the stream `money` that were booked, at once or from the held lines. */
  money_lines: {
    bank_id: number;
    computer_id: number;
    epoch_number: number;
    n: number;
    /** 0 0 for a payment at no unit. */
    location_id: number;
    unit_id: number;
    posting_id: number;
    /** The device's own reference, unique for a unit. */
    ref: string | null;
    /** SHA-256 of the line without its number, where there is a reference. */
    content: string | null;
    /** How far the clock was ahead where that was two seconds or more: the time of the posting is corrected by it. */
    clock_offset_ms: number | null;
  };
  /** The lock row of a bank's held lines: the last id. */
  held_line_heads: { bank_id: number; allocated: number };
  held_lines: {
    bank_id: number;
    held_id: number;
    computer_id: number;
    stream: string;
    epoch_number: number;
    n: number;
    /** Why it is held. */
    code: string;
    received_at: number;
    clock_offset_ms: number | null;
    /** The whole line, as it was sent. */
    line: string;
    /** 0 0 where the line names no unit of the computer. */
    location_id: number;
    unit_id: number;
    /** `held`, `resolved` or `discarded`. */
    state: string;
    posting_id: number | null;
    resolved_at: number | null;
    /** The manager. */
    resolved_by: number | null;
    reason: string | null;
    revision: number;
  };
  unit_commands: {
    bank_id: number;
    command_id: number;
    location_id: number;
    unit_id: number;
    name: string;
    created_at: number;
    /** The manager. */
    created_by: number;
    expires_at: number;
    /** Its record in the outbox. */
    sync_id: number;
    /** When the result arrived, perhaps after the command had expired. */
    finished_at: number | null;
    succeeded: number | null;
    result_code: string | null;
  };
};
