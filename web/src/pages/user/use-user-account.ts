import type { Values } from '@farlink/contract/kit/values.ts';
import { dayEnd } from '@farlink/contract/kit/zone.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { accountPlace, accountType } from '@farlink/contract/user/choices.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { useQuery } from '@tanstack/react-query';
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

const numberOf = (value: unknown) => Number(value) || undefined;

/** Prefix and ID requirement of the opening with these values, as the server will apply them; with `account`, also its availability. */
export const useOpeningTerms = (values: Values, account?: string) => {
  const me = useMe();
  const input = {
    account_type: accountType.find(({ id }) => id === values.account_type)?.id ?? 'personal',
    account_prefix: numberOf(values.account_prefix),
    bind_type: accountPlace.find(({ id }) => id === values.bind_type)?.id,
    device_id: numberOf(values.device_id),
    device_group_id: numberOf(values.device_group_id),
    account: account || undefined,
  } as const;
  const { data } = useQuery({
    queryKey: ['tree', addCalls.terms.path, input],
    queryFn: () => call(addCalls.terms, input, background),
    enabled: mayCall(addCalls.terms, me),
    retry: false,
  });
  return data;
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
  const realname = useOpeningTerms(values)?.realname ?? undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled in once per choice, not on every form change
  useEffect(() => {
    if (id !== undefined) readConfig(id).then((config) => fill(defaultsOf(config)), ignoreRefusal);
  }, [id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled in once per answer
  useEffect(() => {
    fill({ realname });
  }, [realname]);
};
