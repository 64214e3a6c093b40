import { keptSecret } from '@farlink/contract/config/config.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { initialValues, mapSecrets, rowsOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { useState } from 'react';

export interface OpenedRow {
  /** Undefined: a new row. */
  readonly row?: JsonObject;
  /** The field to focus. */
  readonly field?: string | undefined;
  readonly start?: Values;
  /** Changes for each opened row, to reset the form. */
  readonly formKey: number;
}

/** The row at a path of the document: `rows[2]`, or a field of it. */
const rowAt = (rows: readonly JsonObject[], path: string): OpenedRow | undefined => {
  const [, index = '', field] = /^rows\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const row = rows[Number(index || -1)];
  return row && { row, field, formKey: 0 };
};

/** The row that is open as a form. */
export const useOpenedRow = (page: GatewayPage, rows: readonly JsonObject[], openAt: string | null | undefined) => {
  const [opened, setOpened] = useState<OpenedRow | undefined>(() => rowAt(rows, openAt ?? ''));
  const show = (next: Omit<OpenedRow, 'formKey'>) => setOpened({ ...next, formKey: (opened?.formKey ?? 0) + 1 });
  return {
    opened,
    open: (row: JsonObject) => show({ row }),
    add: () => show({}),
    addNext: () => show({ start: initialValues(page.fields) }),
    copy: (row: JsonObject) => {
      // A secret belongs to its row, so a copy does not get it.
      const [copied = row] = rowsOf(mapSecrets(page, { rows: [row] }, (value) => (value === keptSecret ? undefined : value)));
      show({ start: { ...copied, [page.keyField ?? '']: undefined } });
    },
    close: () => setOpened(undefined),
  };
};
