interface SkeletonRowsProps {
  readonly columns: readonly string[];
  readonly rows: number;
  readonly withActions: boolean;
  readonly withCheckbox: boolean;
}

/** Placeholder rows during the first load. */
export const SkeletonRows = ({ columns, rows, withActions, withCheckbox }: SkeletonRowsProps) =>
  Array.from({ length: rows }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows are identical
    <tr key={i}>
      {withCheckbox && <td className="select" />}
      {columns.map((name, j) => (
        <td key={name}>
          <span className="skeleton" style={{ width: `${45 + ((i * 7 + j * 13) % 40)}%` }} />
        </td>
      ))}
      {withActions && (
        <td className="pinned">
          <span className="skeleton" />
        </td>
      )}
    </tr>
  ));
