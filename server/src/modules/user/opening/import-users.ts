import { setImmediate as breathe } from 'node:timers/promises';
import { requiredText } from '@farlink/contract/kit/check.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { AccountType } from '@farlink/contract/user/choices.ts';
import { type importCall, importFields, importForm } from '@farlink/contract/user/import-user.ts';
import { settingsOf } from '../../../domain/settings.ts';
import { prefixesOf } from '../../../domain/subscriber/account-prefix.ts';
import type { Config } from '../../../env/config.ts';
import type { Db } from '../../../kit/deps.ts';
import { failAt } from '../../../kit/fail.ts';
import { isUpload } from '../../../kit/files/upload.ts';
import { type ImportRow, readRows } from '../../../kit/formats/import-sheet.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { passwordRuleOf } from '../../../kit/session/password-rule.ts';
import { bindingOf } from '../binding.ts';
import { beginOpening } from './begin-opening.ts';
import { type Defaults, validateRow } from './sheet-rows.ts';
import type { Candidate } from './terms.ts';

type Mapped<T> = Record<AccountType, T>;

const byType = <T>(of: (type: AccountType) => T): Mapped<T> => ({
  personal: of('personal'),
  small_station: of('small_station'),
  job: of('job'),
  temp_card: of('temp_card'),
  maritime_crew: of('maritime_crew'),
  maritime_ship: of('maritime_ship'),
});

const defaultsOf = async (db: Db, config: Config, agentId: number, packageId: number | null): Promise<Defaults> => {
  const [{ allow_logins }, configs, sold, prefixes] = await Promise.all([
    settingsOf(db, config, agentId),
    db.selectFrom('open_config').select(['account_type', 'realname', 'valid_days']).where('agent_id', '=', agentId).execute(),
    db.selectFrom('package').select('cycle_length').where('id', '=', packageId).executeTakeFirst(),
    prefixesOf(db, agentId),
  ]);
  const of = (type: AccountType) => configs.find((c) => c.account_type === type);
  return {
    allow_logins,
    realname: byType((type) => of(type)?.realname ?? true),
    valid_days: byType((type) => of(type)?.valid_days ?? 365),
    prefixes,
    periodic: (sold?.cycle_length ?? null) !== null,
  };
};

interface ValidateOptions {
  readonly db: Db;
  readonly config: Config;
  readonly now: number;
  readonly agentId: number;
  readonly packageId: number | null;
  /** Called after each block, with the number of validated rows. */
  readonly onValidated?: (count: number) => Promise<void>;
}

const atOnce = 500;

/** Validates the rows in blocks, so other work can run between them. */
export const validateRows = async (
  rows: readonly ImportRow[],
  { db, config, now, agentId, packageId, onValidated }: ValidateOptions,
): Promise<Candidate[]> => {
  const defaults = await defaultsOf(db, config, agentId, packageId);
  const env = { passwordRule: await passwordRuleOf(db), now };
  const candidates: Candidate[] = [];
  for (let at = 0; at < rows.length; at += atOnce) {
    candidates.push(...rows.slice(at, at + atOnce).map((row) => validateRow(row, defaults, env)));
    await onValidated?.(candidates.length);
    await breathe();
  }
  return candidates;
};

/** Opens accounts from a file; each row is validated with the fields of the single form. */
export const importUsers: Handler<typeof importCall> = async (ctx, input) => {
  if (!isUpload(input.file)) throw failAt('file', requiredText(importForm.fields.file));
  const binding = await bindingOf(ctx, input);
  const rows = await readRows(input.file, importFields, limits.importRows);
  const { package_id } = input;
  const order = {
    terms: {
      way: 'open_import' as const,
      place: binding,
      prefix_id: null,
      package_id,
      sale: { discount: null, pay_method: input.pay_method ?? 'cash' },
      atomic: input.atomic === true,
      producer: null,
      remark: null,
    },
    spec: rows,
    total: rows.length,
  };
  const { agent_id: agentId } = binding;
  return beginOpening(ctx, order, (db) =>
    validateRows(rows, { db, config: ctx.deps.config, now: ctx.now(), agentId, packageId: package_id }),
  );
};
