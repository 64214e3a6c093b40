interface GhostRowsProps {
  readonly columns: readonly string[];
  readonly rows: number;
  readonly withActions: boolean;
  readonly withChoice: boolean;
}

/** Placeholder rows during the first load. */
export const GhostRows = ({ columns, rows, withActions, withChoice }: GhostRowsProps) =>
  Array.from({ length: rows }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows are identical
    <tr key={i}>
      {withChoice && <td className="select" />}
      {columns.map((name, j) => (
        <td key={name}>
          <span className="ghost" style={{ width: `${45 + ((i * 7 + j * 13) % 40)}%` }} />
        </td>
      ))}
      {withActions && (
        <td className="pinned">
          <span className="ghost" />
        </td>
      )}
    </tr>
  ));
