import { requiredText } from '@farlink/contract/kit/check.ts';
import { needsRealName } from '@farlink/contract/user/add.ts';
import type { AccountType } from '@farlink/contract/user/choices.ts';
import { identityFields, isAnonymous } from '@farlink/contract/user/user-fields.ts';
import type { Db } from '../../kit/deps.ts';
import { failAt } from '../../kit/fail.ts';

/** Job and temporary card accounts need no ID number; for others the opening configuration decides. */
export const needsName = async (db: Db, agentId: number, accountType: AccountType): Promise<boolean> => {
  if (isAnonymous(accountType)) return false;
  const config = await db
    .selectFrom('open_config')
    .select('realname')
    .where('agent_id', '=', agentId)
    .where('account_type', '=', accountType)
    .executeTakeFirst();
  return config?.realname !== false;
};

export const refuseNameless = async (db: Db, agentId: number, accountType: AccountType, idNumber: string | null | undefined) => {
  if (!idNumber && (await needsName(db, agentId, accountType))) throw failAt('id_number', requiredText(identityFields.id_number));
};

/** Batch openings have no names, so account types that require them are refused. */
export const refuseWithoutNames = async (db: Db, agentId: number, accountType: AccountType) => {
  if (await needsName(db, agentId, accountType)) throw failAt('account_type', needsRealName);
};
