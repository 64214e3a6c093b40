import { requiredText } from '@farlink/contract/kit/check.ts';
import type { AccountType } from '@farlink/contract/user/choices.ts';
import { identityFields, isAnonymous } from '@farlink/contract/user/user-fields.ts';
import type { Db } from '../../kit/deps.ts';
import { failAt } from '../../kit/fail.ts';

/** Job and temporary-card accounts need no ID number; of the others, those whose opening configuration says so. */
export const refuseNameless = async (db: Db, agentId: number, accountType: AccountType, idNumber: string | null | undefined) => {
  if (idNumber || isAnonymous(accountType)) return;
  const config = await db
    .selectFrom('open_config')
    .select('realname')
    .where('agent_id', '=', agentId)
    .where('account_type', '=', accountType)
    .executeTakeFirst();
  if (config?.realname !== false) throw failAt('id_number', requiredText(identityFields.id_number));
};
