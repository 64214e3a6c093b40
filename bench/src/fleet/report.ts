export const printLine = (line: string) => process.stdout.write(`${line}\n`);

export const thousands = (n: number) => Math.round(n).toLocaleString('en');
export const seconds = (ms: number) => (Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'not reached');
export const latency = (ms: number) => (Number.isFinite(ms) ? ms.toFixed(ms < 10 ? 1 : 0) : 'none');
export const share = (value: number) => `${(100 * value).toFixed(0)} %`;

/** A row of a table with columns of this width; printed at once. */
export const row = (first: string, cells: readonly string[], width = 12) =>
  printLine(`  ${first.padEnd(10)}${cells.map((cell) => cell.padStart(width)).join('')}`);

export const lines = (title: string, rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([name]) => name.length));
  printLine(`\n${title}`);
  for (const [name, value] of rows) printLine(`  ${name.padEnd(width)}  ${value}`);
};

/** The most frequent errors in one line. */
export const errorsOf = (errors: Readonly<Record<string, number>>) =>
  Object.entries(errors)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([reason, n]) => `${reason} x ${thousands(n)}`)
    .join(', ') || 'none';
