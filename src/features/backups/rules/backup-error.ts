// Why a backup cannot be written, read or restored.

/** The message is the end of a sentence that begins with the name of the file, and says where. */
export class BackupError extends Error {
  override name = 'BackupError';
}
