import type { FastifyReply } from 'fastify';
import { switchRenewal } from '../domain/sale/renew-account.ts';
import { fail } from '../kit/fail.ts';
import { writeLog } from '../kit/log/record.ts';
import { fieldOf, formOf } from './form.ts';
import { sendHome } from './home.ts';
import { actorOf, loggedInSubscriber } from './subscriber.ts';
import { texts } from './texts.ts';
import { contextOf, messageData, type Visit } from './visit.ts';

/** Switches the automatic renewal from the balance. A second click on the same button changes nothing. */
export const setRenewal = async (visit: Visit): Promise<FastifyReply> => {
  const { deps, lang } = visit;
  const { id } = await loggedInSubscriber(visit);
  const isOn = fieldOf(formOf(visit.request), 'on') === '1';
  await deps.db.transaction().execute(async (db) => {
    const subscriber = await db.selectFrom('subscriber').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
    if (subscriber.account_type === 'job') throw fail('recharge_job');
    if (subscriber.auto_renew === isOn) return;
    await switchRenewal(db, subscriber, isOn, deps.clock.now());
    const [zh, en] = isOn ? ['开启', 'on'] : ['关闭', 'off'];
    await writeLog(db, actorOf(subscriber), contextOf(visit), {
      module: 'user',
      action: 'update',
      content: [
        `用户 ${subscriber.account} 在门户${zh}自动续订`,
        `Subscriber ${subscriber.account} switched the automatic renewal ${en} in the portal`,
      ],
      before: { auto_renew: Number(!isOn) },
      after: { auto_renew: Number(isOn) },
      subject: `subscriber:${id}`,
    });
  });
  return sendHome(visit, messageData(isOn ? texts.renewalOn : texts.renewalOff, lang));
};
