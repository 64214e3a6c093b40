import type { Values } from '@farlink/contract/kit/values.ts';
import { dayEnd } from '@farlink/contract/kit/zone.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { useEffect } from 'react';
import type { FormState } from '../../kit/form/use-form.ts';
import { CallError, call } from '../../kit/net/call.ts';
import { useMe } from '../../kit/net/session.ts';

const day = 86_400;
const quietly = { silent: true, overlay: false };

/** The last second of the day in so many days. */
const endAfter = (days: number) => dayEnd(Math.floor(Date.now() / 1000)) + days * day;

type Config = Awaited<ReturnType<typeof readConfig>>;
const readConfig = (id: number) => call(openConfigCalls.read, { id }, quietly);

const defaultsOf = (config: Config): Values => ({
  account_type: config.account_type,
  account_prefix: config.account_prefix ?? undefined,
  package_id: config.package_id ?? undefined,
  allow_logins: config.allow_logins,
  expire_at: endAfter(config.valid_days),
});

/** Whether accounts of a type need an ID number and which prefix they carry, by the configuration of the operator's own VNO. */
const usualOf = async (account_type: unknown, vno_id: number) => {
  const { list } = await call(openConfigCalls.list, { page: 1, limit: 1, filters: { account_type, vno_id } }, quietly);
  return { realname: list[0]?.realname ?? undefined, usual_prefix: list[0]?.account_prefix ?? '' };
};

/** Without a configuration the form starts from its own defaults, and the server has the last word. */
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof CallError)) throw error;
};

/** A chosen opening configuration fills in its defaults; what the operator changes afterwards stays. */
export const useOpenConfig = ({ values, put }: Pick<FormState, 'values' | 'put'>) => {
  const me = useMe();
  const may = mayCall(openConfigCalls.read, me);
  const id = may ? Number(values.config_id) || undefined : undefined;
  const { account_type } = values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled in once for each choice, not whenever the form changes
  useEffect(() => {
    if (id !== undefined) readConfig(id).then((config) => put(defaultsOf(config)), ignoreRefusal);
  }, [id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each type
  useEffect(() => {
    if (may) usualOf(account_type, me.agent_id).then(put, ignoreRefusal);
  }, [may, account_type]);
};
