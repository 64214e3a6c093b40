import { fill, isLang, type Lang, say } from '@farlink/contract/kit/text.ts';
import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { nameForSubscriber } from '../domain/package/name-for-subscriber.ts';
import { subscriberQuota } from '../domain/portal/subscriber-quota.ts';
import type { Deps } from '../kit/deps.ts';
import { fail } from '../kit/fail.ts';
import { openOnGateway } from './access.ts';
import { logoPath } from './agents.ts';
import type { ProvenClient } from './handover.ts';
import { packagesFor, publicData } from './public-data.ts';
import { subscriberOf } from './subscriber.ts';
import { texts } from './texts.ts';
import { pathOf, secure, type Visit } from './visit.ts';

/** RFC 8908: whether this client has access, until when, and where its portal is. */
export const showCaptive = async (visit: Visit): Promise<FastifyReply> => {
  const { deps, request, base, isProxied } = visit;
  const session = await openOnGateway(visit);
  const subscriber = await subscriberOf(
    session && visit.session ? { ...visit, session: { ...visit.session, subscriber_id: session.subscriber_id } } : visit,
  );
  const quota = subscriber && (await subscriberQuota(deps.db, subscriber.id, deps.clock.now()));
  const { channels } = await publicData(deps, visit.agent.id, visit.session?.device_id ?? null, visit.lang);
  const canExtend = subscriber !== undefined && channels.length > 0 && (await packagesFor(visit, subscriber)).length > 0;
  const state = {
    captive: session === undefined,
    'user-portal-url': `${request.protocol}://${request.host}${base}${isProxied ? '' : pathOf(visit)}`,
    ...(session &&
      quota && {
        ...(quota.seconds_left !== null && { 'seconds-remaining': quota.seconds_left }),
        ...(quota.bytes_left !== null && { 'bytes-remaining': quota.bytes_left }),
      }),
    'can-extend-session': canExtend,
  };
  return secure(visit.reply).type('application/captive+json').send(JSON.stringify(state));
};

const maxNames = 10_000;

interface Named {
  readonly id: number;
  readonly name: string;
  readonly vno: string;
  /** Credit control. */
  readonly policy: number | null;
  readonly ratio: number | null;
  readonly content: string | null;
}

/** Packages that the accounts of a gateway have. */
const holdingsOf = async ({ db, clock }: Deps, deviceId: number): Promise<Named[]> => {
  const { rows } = await sql<Named>`
    select h.id, p.name, a.name as vno, l.id as policy, l.ratio, nullif(trim(l.content), '') as content
    from subscriber s join holding h on h.subscriber_id = s.id join package p on p.id = h.package_id join agent a on a.id = p.agent_id
      join device d on d.id = ${deviceId} left join open_config c on c.id = s.config_id
      left join policy l on l.id = coalesce(c.policy_id, case when s.custom_policy then s.policy_id end, p.policy_id)
    where (s.device_id = d.id or s.device_group_id = d.device_group_id
        or (s.agent_id = d.agent_id and s.device_id is null and s.device_group_id is null and s.whole_vno))
      and (h.expire_at is null or h.expire_at > ${clock.now()})
    order by h.id desc limit ${maxNames}`.execute(db);
  return rows;
};

const namesOf = (holdings: readonly Named[]): Record<string, string> =>
  Object.fromEntries(holdings.map(({ id, name, vno }) => [String(id), nameForSubscriber(name, vno)]));

/** Each credit control once, with the holdings (`h`) that it applies to. */
const remindersOf = (holdings: readonly Named[], lang: Lang) =>
  [...Map.groupBy(holdings, ({ policy }) => policy)].flatMap(([policy, all]) => {
    const { ratio, content } = all[0] ?? {};
    if (policy === null || ratio == null) return [];
    return [{ ratio, text: content ?? say(fill(texts.usageOf, ratio), lang), h: all.map(({ id }) => id) }];
  });

/** Data that a gateway shows on its own pages. The gateway must sign the request. */
export const gatewayData = async (
  deps: Deps,
  client: ProvenClient | undefined,
  lang: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  if (!client) throw fail('denied');
  const shownLang: Lang = isLang(lang) ? lang : 'zh';
  const open = await publicData(deps, client.device.agent_id, client.device.id, shownLang);
  const logo = await logoPath(deps, client.device.agent_id);
  const holdings = await holdingsOf(deps, client.device.id);
  const own = { names: namesOf(holdings), reminders: remindersOf(holdings, shownLang) };
  return secure(reply).send({ ...open, ...(logo !== null && { logo }), ...own });
};
