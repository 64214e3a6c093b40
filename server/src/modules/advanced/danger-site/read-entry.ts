import { domainToUnicode } from 'node:url';
import { readDangerDomain } from '@farlink/contract/advanced/danger-domain.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Config } from '../../../env/config.ts';
import type { Db } from '../../../kit/deps.ts';
import { fail } from '../../../kit/fail.ts';

export const texts = {
  own: ['平台或VNO正在使用“{0}”，不能拦截', '"{0}" is in use by the platform or a VNO and cannot be blocked'],
  full: ['最多启用{0}个网站', 'At most {0} sites can be enabled'],
  listed: ['已在名单中', 'Already in the list'],
  repeated: ['与第{0}行重复', 'Same as line {0}'],
} as const satisfies Record<string, Text>;

export interface Names {
  /** As shown. */
  readonly domain: string;
  readonly ascii: string;
}

/** International names are shown in Unicode. */
export const shownDomain = (ascii: string): string => domainToUnicode(ascii) || ascii;

/** A typed domain in both forms. The rule of the field has refused invalid ones before. */
export const namesOf = (typed: string): Names => {
  const read = readDangerDomain(typed);
  if ('refusal' in read) throw fail('bad_input', { fields: { domain: read.refusal } });
  return { ascii: read.domain, domain: shownDomain(read.domain) };
};

/** Hosts of the platform and of VNOs. Subscribers need them to log in. */
export const ownHosts = async (db: Db, { publicUrl, remote }: Pick<Config, 'publicUrl' | 'remote'>): Promise<readonly string[]> => {
  const rows = await db.selectFrom('domain').select('domain').where('domain', 'is not', null).execute();
  const urls = [publicUrl, remote.webUrl?.replace('*.', '')];
  return [...rows.flatMap(({ domain }) => domain ?? []), ...urls.flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]))];
};

/** Why an entry cannot be listed: it would block one of these hosts. */
export const refuseOwn = ({ ascii }: Names, hosts: readonly string[]): Text | undefined => {
  const blocked = hosts.find((host) => host === ascii || host.endsWith(`.${ascii}`));
  return blocked === undefined ? undefined : fill(texts.own, blocked);
};

/**
 * Locks the list, which has one row. Each change of entries takes this lock first, so concurrent changes cannot deadlock. Returns
 * how many more entries can be enabled.
 */
export const lockList = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count from danger_list for no key update`.execute(db);
  return limits.dangerSites - (rows[0]?.count ?? 0);
};

export const fullText: Text = fill(texts.full, limits.dangerSites);
