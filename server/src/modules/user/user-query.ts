import type { Values } from '@farlink/contract/kit/values.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { type AccountPlace, accountBinding } from '@farlink/contract/user/choices.ts';
import type { IdType } from '@farlink/contract/user/id-document.ts';
import { maskIdNumber, maskPhone } from '@farlink/contract/user/mask.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { isWholeVno, placeIs } from '../../domain/access/unbound.ts';
import { unlessHidden } from '../../domain/package/package-sql.ts';
import { idNumberMark } from '../../domain/subscriber/insert-subscribers.ts';
import type { Db } from '../../kit/deps.ts';
import { inScope } from '../../kit/list/scope.ts';
import { open } from '../../kit/session/secret.ts';

/** A session with only the temporary card page sees no other accounts. */
const mayNameAll = ({ permissions }: SessionInfo) =>
  permissions === null || ['user_list', 'user_detail', 'user_mod'].some((page) => permissions.includes(page));

/** Accounts in the scope of the session. */
export const userScope = (me: SessionInfo): RawBuilder<SqlBool> => {
  const scope = inScope(me, 'subscriber.agent_id', 'subscriber.device_id');
  return mayNameAll(me) ? scope : sql<SqlBool>`${scope} and subscriber.account_type = 'temp_card'`;
};

interface Reader {
  readonly me: SessionInfo;
}

export const userRows = (db: Db, { me }: Reader) => db.selectFrom('subscriber').where(userScope(me));

type UserRows = ReturnType<typeof userRows>;

/**
 * Selects each column and filter of the list under its name. Outer joins on unique ids run only for the rows of the page. Values are not
 * masked here; `shown` masks them.
 */
export const userQuery = (rows: UserRows, { me }: Reader) =>
  rows
    .leftJoin('agent', 'agent.id', 'subscriber.agent_id')
    .leftJoin('package', 'package.id', 'subscriber.package_id')
    .leftJoin('device', 'device.id', 'subscriber.device_id')
    .leftJoin('device_group', 'device_group.id', 'subscriber.device_group_id')
    .select([
      'subscriber.id',
      'subscriber.version',
      'subscriber.account',
      'subscriber.name',
      'subscriber.phone',
      'subscriber.id_number',
      'subscriber.email',
      'subscriber.account_type',
      'subscriber.account_source',
      'subscriber.status',
      'subscriber.package_status',
      'subscriber.expire_at',
      'subscriber.shutdown_at',
      'subscriber.bind_ip',
      'subscriber.bind_mac',
      'subscriber.vlan_id',
      'subscriber.balance',
      'subscriber.cert_start_at',
      'subscriber.cert_end_at',
      'subscriber.issuing_authority',
      'subscriber.remark',
      'subscriber.create_at',
      'subscriber.device_id',
      'subscriber.device_group_id',
      'subscriber.application_id',
      'subscriber.policy_id',
      'subscriber.agent_id as vno_id',
      'agent.name as agent_name',
      sql<IdType | null>`case when subscriber.id_number is not null then subscriber.id_type end`.as('id_type'),
      sql<number>`subscriber.allow_logins::bigint`.as('allow_logins'),
      sql<0 | 1>`case when subscriber.online_count > 0 then 1 else 0 end`.as('online_state'),
      sql<0 | 1>`subscriber.custom_policy::int`.as('custom_policy'),
      sql<0 | 1>`subscriber.auto_renew::int`.as('auto_renew'),
      sql<AccountPlace>`case when subscriber.device_group_id is not null then 'group' when ${isWholeVno} then 'vno' else 'device' end`.as(
        'bind_type',
      ),
      sql<string | null>`coalesce(device.name, device_group.name, case when ${isWholeVno} then agent.name end)`.as('bind_name'),
      sql<boolean>`package.cycle_length is not null`.as('package_periodic'),
      sql<string | null>`case when subscriber.photo_key is not null then 'user/' || subscriber.id || '/photo' end`.as('photo'),
      unlessHidden<string>(me, 'package.name').as('package_name'),
      unlessHidden<number>(me, 'subscriber.package_id').as('package_id'),
    ]);

/** ID numbers are sealed, so the filter uses their hash. */
export const markFilters = (key: Buffer, filters: Values): Values =>
  filters.id_number === undefined ? filters : { ...filters, id_number: idNumberMark(key, String(filters.id_number)) };

/** All 5-grams of the search text; none if it is shorter or not plain ASCII, where lower-casing may differ. */
const gramsOf = (text: string): string[] =>
  /^[ -~]{5,}$/.test(text) ? Array.from({ length: text.length - 4 }, (_, i) => text.slice(i, i + 5).toLowerCase()) : [];

/** Names of the filters that `narrow` applies. */
export const narrowing: readonly string[] = ['id_number', 'online_state', 'custom_policy', 'binding'];

/** Applies the filters that are not plain columns; the list applies the others. */
export const narrow = (rows: UserRows, marked: Values, { me }: Reader): { readonly rows: UserRows; readonly filters: Values } => {
  let narrowed = rows;
  const { id_number, online_state, custom_policy, binding, ...filters } = marked;
  if (id_number !== undefined) narrowed = narrowed.where('subscriber.id_number_hash', '=', String(id_number));
  // In a form that an index supports.
  if (online_state !== undefined)
    narrowed = narrowed.where(
      Number(online_state) === 1 ? sql<SqlBool>`subscriber.online_count > 0` : sql<SqlBool>`subscriber.online_count = 0`,
    );
  if (custom_policy !== undefined)
    narrowed = narrowed.where(
      Number(custom_policy) === 1 ? sql<SqlBool>`subscriber.custom_policy` : sql<SqlBool>`not subscriber.custom_policy`,
    );
  if (binding !== undefined) narrowed = narrowed.where(placeIs[accountBinding.find(({ id }) => id === binding)?.id ?? 'none']);
  // Partial searches would reveal the masked phone, so only an exact match is allowed.
  if (filters.phone !== undefined && !mayCall(userCalls.reveal, me))
    narrowed = narrowed.where('subscriber.phone', '=', String(filters.phone));
  // The list still filters by the text; this condition only lets it use the index.
  for (const key of ['account', 'phone'] as const) {
    const grams = gramsOf(String(filters[key] ?? ''));
    if (grams.length > 0) narrowed = narrowed.where(sql<SqlBool>`grams(${sql.ref(`subscriber.${key}`)}) @> ${grams}::text[]`);
  }
  return { rows: narrowed, filters };
};

interface Personal {
  readonly phone: string;
  readonly id_number: string | null;
}

/** Masked values by column. */
export const shownValues = (key: Buffer) => ({
  phone: (value: unknown) => maskPhone(String(value)),
  id_number: (value: unknown) => (typeof value === 'string' ? maskIdNumber(open(key, value)) : null),
});

/** Row as the API returns it. */
export const shown = <R extends Personal>(key: Buffer, row: R): R => {
  const { phone, id_number } = shownValues(key);
  return { ...row, phone: phone(row.phone), id_number: id_number(row.id_number) };
};
