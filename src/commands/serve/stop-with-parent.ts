// Stops a process that npm started as soon as npm is gone. npm sends SIGTERM only to its shell, which ends without passing
// it on.

const lookEveryMs = 250;

export function stopWithParent(): void {
  const parent = process.ppid;
  const look = (): void => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  };
  const timer = setInterval(look, lookEveryMs).unref();
}
