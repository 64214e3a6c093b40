import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { cycleUnit, timeUnit } from '@farlink/contract/package/choices.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { inScope } from '../../kit/list/scope.ts';

export type PackageKind = 'online' | 'extra';

/** Unit of an amount; singular or plural in English. */
const unitName = (amount: string, column: string, units: readonly { readonly id: string; readonly label: Text }[], lang: Lang) => {
  const several = lang === 'en' ? sql` || case when ${sql.ref(amount)} = 1 then '' else 's' end` : sql``;
  const name = (label: Text) => (lang === 'en' ? say(label, lang).toLowerCase() : say(label, lang));
  const cases = units.map((u) => sql`when ${u.id} then ${name(u.label)}::text`);
  return sql`(case ${sql.ref(column)} ${sql.join(cases, sql` `)} end${several})`;
};

/** Capacity of a package as text, used by lists, exports and options. */
export const timeText = (lang: Lang) =>
  sql<string | null>`package.time_capacity || ' ' || ${unitName('package.time_capacity', 'package.time_unit', timeUnit, lang)}`;
export const flowText = sql<string | null>`package.flow_capacity || ' ' || package.flow_unit`;
export const capacityText = (lang: Lang) => sql<string>`concat_ws(' + ', ${timeText(lang)}, ${flowText})`;
export const cycleText = (lang: Lang) =>
  sql<
    string | null
  >`case when package.cycle_length is not null then package.cycle_length || ' ' || ${unitName('package.cycle_length', 'package.cycle_unit', cycleUnit, lang)} || ' / ' || package.cycle_quota || ' ' ||
    coalesce(package.cycle_quota_unit, ${unitName('package.cycle_quota', 'package.time_unit', timeUnit, lang)}) end`;

/** spec §6: a hidden package exists only for accounts that may view hidden packages. */
export const maySeePackage = (me: SessionInfo, kind: PackageKind): RawBuilder<SqlBool> => {
  const shown = me.view_hide_pkg ? sql`true` : sql`not package.is_hide`;
  const { device_ids } = me.rights;
  const bound = device_ids
    ? sql`(package.device_ids && ${device_ids}::bigint[] or package.device_ids is null and (package.device_group_ids is null
        or exists (select from device d where d.id = any(${device_ids}::bigint[]) and d.device_group_id = any(package.device_group_ids))))`
    : sql`true`;
  return sql<SqlBool>`package.kind = ${kind} and ${shown} and ${bound} and ${inScope(me, 'package.agent_id')}`;
};

/** Name of an extra package; null for other packages. */
export const extraName = (me: SessionInfo, column: string): RawBuilder<string | null> =>
  sql`case when package.kind = 'extra' then ${unlessHidden<string>(me, column)} end`;

/** A package column that is null if the package is hidden from the reader. */
export const unlessHidden = <T>(me: SessionInfo, column: string): RawBuilder<T | null> =>
  me.view_hide_pkg ? sql`${sql.ref(column)}` : sql`case when package.is_hide is not true then ${sql.ref(column)} end`;
