import type { AuditPage } from '@farlink/contract/audit/choices.ts';
import { maskIdentity } from '../../domain/audit/mask.ts';
import type { SealedRow } from '../../domain/audit/open-rows.ts';
import type { Row } from '../../kit/export/export-rows.ts';
import { type DisplayOptions, showAuth, showForum, showMail } from './displayed-row.ts';

const sealedOf = (row: Row): SealedRow => ({
  key_id: typeof row.key_id === 'number' ? row.key_id : null,
  sealed: Buffer.isBuffer(row.sealed) ? row.sealed : null,
  wrapped: typeof row.wrapped === 'string' ? row.wrapped : null,
});

const keyed = (row: Row) => ({ ...row, ...sealedOf(row), account_key: '', create_at: Number(row.create_at) });
const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** Rows of an export: as in the list, or in clear. */
export const readerOf = (page: AuditPage, display: DisplayOptions): ((row: Row) => Row) => {
  switch (page) {
    case 'authAccount':
      return (row) => showAuth(keyed(row), display);
    case 'networkForum':
      return (row) => showForum({ ...keyed(row), author: textOf(row.author) }, display);
    case 'electronicMail':
      return (row) => showMail(keyed(row), display);
    case 'virtualIdentity':
      return (row) => ({ ...row, identity: display.isClear ? row.identity : maskIdentity(String(row.identity)) });
    default:
      return (row) => row;
  }
};
