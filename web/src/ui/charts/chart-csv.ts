type Cell = string | number;

/** Text that a spreadsheet would run as a formula gets an apostrophe. */
const cellText = (cell: Cell): string => {
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180. */
export const csvText = (rows: readonly (readonly Cell[])[]): string => rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');

interface Series {
  readonly name: string;
  readonly values: readonly number[];
  readonly before?: readonly number[];
}

interface SeriesCsv {
  readonly start: number;
  readonly step: number;
  readonly series: readonly Series[];
  readonly timeText: (at: number) => string;
  readonly texts: { readonly time: string; readonly before: string };
}

/** One line for each interval of a chart, in bytes. Series of the period before are further columns. */
export const seriesCsv = ({ start, step, series, timeText, texts }: SeriesCsv): string => {
  const columns = series.flatMap(({ name, values, before }) => [
    { name: `${name} (B)`, values },
    ...(before ? [{ name: `${texts.before} ${name} (B)`, values: before }] : []),
  ]);
  const count = series[0]?.values.length ?? 0;
  const lines = Array.from({ length: count }, (_, i) => [timeText(start + i * step), ...columns.map(({ values }) => values[i] ?? 0)]);
  return csvText([[texts.time, ...columns.map(({ name }) => name)], ...lines]);
};
