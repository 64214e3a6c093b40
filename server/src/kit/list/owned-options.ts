import type { SessionInfo } from '../../db/column-types.ts';

interface Owned {
  readonly id: number;
  readonly name: string;
  readonly agent_id: number;
  readonly agent_name: string | null;
}

/** Options by id. The VNO is added if it is not the session's own, or if a name is not unique. */
export const ownedOptions = (me: SessionInfo, rows: readonly Owned[]): Record<string, string> => {
  const byName = Map.groupBy(rows, ({ name }) => name);
  const isPlain = ({ name, agent_id }: Owned) => agent_id === me.agent_id && byName.get(name)?.length === 1;
  return Object.fromEntries(rows.map((row) => [row.id, isPlain(row) ? row.name : `${row.name} · ${row.agent_name ?? ''}`]));
};
