import { isLang, type Lang } from '@farlink/contract/kit/text.ts';
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

/** Names of the packages that the accounts of a gateway have, by holding. */
const namesOf = async ({ db, clock }: Deps, deviceId: number): Promise<Record<string, string>> => {
  const { rows } = await sql<{ id: number; name: string; vno: string }>`
    select h.id, p.name, a.name as vno from subscriber s join holding h on h.subscriber_id = s.id join package p on p.id = h.package_id join agent a on a.id = p.agent_id
      join device d on d.id = ${deviceId}
    where (s.device_id = d.id or s.device_group_id = d.device_group_id
        or (s.agent_id = d.agent_id and s.device_id is null and s.device_group_id is null and s.whole_vno))
      and (h.expire_at is null or h.expire_at > ${clock.now()})
    order by h.id desc limit ${maxNames}`.execute(db);
  return Object.fromEntries(rows.map(({ id, name, vno }) => [String(id), nameForSubscriber(name, vno)]));
};

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
  return secure(reply).send({ ...open, ...(logo !== null && { logo }), names: await namesOf(deps, client.device.id) });
};
