// Why a backup cannot be written, read or restored. It is the error of copies, whose files are containers as backups are.

export { CopyError as BackupError } from '../../../../sqlite-follower/copy-error.ts';
