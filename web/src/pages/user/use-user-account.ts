import type { Values } from '@farlink/contract/kit/values.ts';
import { dayEnd } from '@farlink/contract/kit/zone.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { useEffect } from 'react';
import type { FormState } from '../../kit/form/use-form.ts';
import { CallError, call } from '../../kit/net/call.ts';
import { useMe } from '../../kit/net/session.ts';

const day = 86_400;
const background = { silent: true, overlay: false };

/** The last second of the day after this number of days. */
const endAfter = (days: number) => dayEnd(Math.floor(Date.now() / 1000)) + days * day;

type Config = Awaited<ReturnType<typeof readConfig>>;
const readConfig = (id: number) => call(openConfigCalls.read, { id }, background);

const defaultsOf = (config: Config): Values => ({
  account_type: config.account_type,
  account_prefix: config.account_prefix ?? undefined,
  package_id: config.package_id ?? undefined,
  allow_logins: config.allow_logins,
  expire_at: endAfter(config.valid_days),
});

/** ID requirement and prefix of an account type, from the opening configuration of the operator's VNO. */
const fetchDefaults = async (account_type: unknown, vno_id: number) => {
  const { list } = await call(openConfigCalls.list, { page: 1, limit: 1, filters: { account_type, vno_id } }, background);
  return { realname: list[0]?.realname ?? undefined, default_prefix: list[0]?.account_prefix ?? '' };
};

/** Without a configuration the form uses its own defaults; the server checks again. */
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof CallError)) throw error;
};

/** A chosen opening configuration fills in its defaults; later changes by the operator stay. */
export const useOpenConfig = ({ values, fill }: Pick<FormState, 'values' | 'fill'>) => {
  const me = useMe();
  const may = mayCall(openConfigCalls.read, me);
  const id = may ? Number(values.config_id) || undefined : undefined;
  const { account_type } = values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled in once per choice, not on every form change
  useEffect(() => {
    if (id !== undefined) readConfig(id).then((config) => fill(defaultsOf(config)), ignoreRefusal);
  }, [id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested once per type
  useEffect(() => {
    if (may) fetchDefaults(account_type, me.agent_id).then(fill, ignoreRefusal);
  }, [may, account_type]);
};
