import { useState } from 'react';
import { isNames, useLocalPreference } from '../chrome/local-preference.ts';
import type { Column } from './columns.ts';

export interface TableView {
  readonly columns: readonly Column[];
  readonly compact: boolean;
  readonly choose: (names: string[]) => void;
  readonly restore: () => void;
  readonly resize: (name: string, width: number) => void;
  readonly toggleDensity: () => void;
}

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

/** Table preferences of the operator: columns per page, density for all. Widths last while the page is open. */
export const useTableView = (route: string, all: readonly Column[]): TableView => {
  const [names, setNames] = useLocalPreference(`columns-${route}`, isNames);
  const [compact = false, setCompact] = useLocalPreference('farlink-compact', isFlag);
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const shown = all.filter((c) => (names ? names.includes(c.name) : !c.field.hiddenByDefault));
  return {
    columns: shown.map((c) => ({ ...c, width: widths[c.name] ?? c.width, minWidth: widths[c.name] ?? c.minWidth })),
    compact,
    choose: (next) => next.length > 0 && setNames(next),
    restore: () => setNames(undefined),
    resize: (name, width) => setWidths((old) => ({ ...old, [name]: width })),
    toggleDensity: () => setCompact(!compact),
  };
};
