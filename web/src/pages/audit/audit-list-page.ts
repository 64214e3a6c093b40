import type { AuditPage } from '@farlink/contract/audit/choices.ts';
import type { ListPage } from '../../kit/list/use-list.ts';

/** The declaration of a page of audit data. */
export type AuditListPage = ListPage & { readonly key: AuditPage };
