import type { Field } from '@farlink/contract/kit/field.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Ctx } from '../ctx.ts';
import { longestGram, textSql } from './conditions.ts';
import { inBranch } from './scope.ts';

type Reader = Pick<Ctx, 'me' | 'lang'>;

/** A column, or an expression. */
type Vno = string | RawBuilder<number | null>;

const above: Text = ['上级运营商', 'An operator above'];

/** Current VNO of an account. */
export const vnoOfAccount = (uid: string) => sql<number | null>`(select o.agent_id from customer o where o.id = ${sql.ref(uid)})`;

/** VNO of the operator of a row; rows of an older release have only the account. */
export const operatorVno = (agent: string, uid: string) => sql<number | null>`coalesce(${sql.ref(agent)}, ${vnoOfAccount(uid)})`;

/** The name belongs to a VNO of the branch of the reader, or to no operator: an account, a job. */
const isNamedInBranch = (me: Ctx['me'], name: RawBuilder<unknown>) =>
  sql<boolean>`(select coalesce(bool_or(${inBranch(me, 'known.agent_id')}), true) from operator_name known where known.name = ${name})`;

/**
 * The name or login name of an operator, unless it belongs to a VNO above the reader. Rows of most tables have only the name; with `vno`,
 * the VNO of the operator decides. Rows without an operator have no name.
 */
export const operatorName = <T extends string | null = string>({ me, lang }: Reader, name: string, vno?: Vno) => {
  const column = sql.ref(name);
  if (me.agent_level === 0) return sql<T>`${column}`;
  const isNamed = isNamedInBranch(me, column);
  const owner = typeof vno === 'string' ? sql.ref(vno) : vno;
  const isShown = owner ? sql`case when ${owner} is null then ${isNamed} else ${inBranch(me, owner)} end` : isNamed;
  return sql<T>`case when ${column} is null or ${isShown} then ${column} else ${say(above, lang)}::text end`;
};

/** The login name of the operator who acted as the account of a row, by the same rule. Login names are unique and never change. */
export const actedBy = (reader: Reader, column: string) =>
  operatorName<string | null>(
    reader,
    column,
    sql<number | null>`(select o.agent_id from customer o where lower(o.username) = lower(${sql.ref(column)}))`,
  );

/** Another value of an operator, such as its IP address: null where its name is hidden. */
export const operatorValue = ({ me }: Pick<Reader, 'me'>, column: string, vno: Vno) =>
  sql<string | null>`case when ${inBranch(me, vno)} then ${sql.ref(column)} end`;

interface SearchReader {
  readonly me: Pick<Ctx['me'], 'agent_level' | 'agent_path' | 'branch'>;
  readonly lang: Ctx['lang'];
}

interface OperatorSearch {
  /** Stored name of the operator. */
  readonly column: string;
  readonly resource: Resource;
  /** Filter of the resource. */
  readonly filter: string;
  readonly filters: Values;
}

/** Whether a text filter finds the words for an operator above, by the rules of `textSql`. */
const findsAbove = (lang: Ctx['lang'], match: Field['match'], text: string) => {
  const words = say(above, lang).toLowerCase();
  const isPrefix = match === 'code' && [...text].length < longestGram;
  return isPrefix ? words.startsWith(text.toLowerCase()) : words.includes(text.toLowerCase());
};

/** Names that the reader does not see. */
const hiddenNames = (me: SearchReader['me']) =>
  sql`array(select known.name from operator_name known group by known.name having not bool_or(${inBranch(me, 'known.agent_id')}))`;

/**
 * What the stored name must be like for the shown one to match a filter, so that the search uses the index of the stored name. Without it,
 * the shown name of each row of a branch is worked out. A search for the words for an operator above has no such condition: mostly it finds
 * many rows at the start of the list.
 */
export const operatorSearch = ({ me, lang }: SearchReader, { column, resource, filter, filters }: OperatorSearch): RawBuilder<SqlBool> => {
  const text = filters[filter];
  const match = resource.fields[filter]?.match;
  if (me.agent_level === 0 || typeof text !== 'string' || findsAbove(lang, match, text)) return sql<SqlBool>`true`;
  const name = sql.ref(column);
  const isFound = textSql(name, match, text);
  // The substrings of each shown name cost more than a look at the hidden names.
  return match === 'name' ? sql<SqlBool>`(${name} <> all(${hiddenNames(me)}) and ${isFound})` : isFound;
};
