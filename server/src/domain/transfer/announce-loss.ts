import type { Db } from '../../kit/deps.ts';
import { type AnnouncementValues, insertAnnouncement, publishAnnouncement } from '../announcement/publish.ts';

const daysShown = 30 * 86_400;

interface Lost {
  readonly id: number;
  readonly from_agent_id: number;
  readonly operator_agent_id: number | null;
}

/** Tells a VNO that an operator of another VNO has transferred its device. The announcement board has one text, so it is in both languages. */
export const announceLoss = async (db: Db, transfer: Lost, device: { readonly name: string; readonly sn: string }, now: number) => {
  if (transfer.operator_agent_id === transfer.from_agent_id) return;
  const [owner, platform] = await Promise.all([
    db.selectFrom('agent').select(['id', 'agent_level']).where('id', '=', transfer.from_agent_id).executeTakeFirstOrThrow(),
    db.selectFrom('agent').select(['id', 'name']).where('agent_level', '=', 0).executeTakeFirstOrThrow(),
  ]);
  if (owner.id === platform.id) return;
  const label = device.name === device.sn ? device.sn : `${device.name} (${device.sn})`;
  const values: AnnouncementValues = {
    title: `设备已转出 / Device transferred: ${device.sn}`,
    content: `设备 ${label} 已转移到其他VNO。未随设备转移的账号已解除绑定，请检查。\nDevice ${label} was transferred to another VNO. Accounts that stayed are unbound from it; check them.`,
    target: 'vno',
    vno_ids: [owner.id],
    expire_at: now + daysShown,
    status: 1,
  };
  const { id } = await insertAnnouncement(db, platform.id, values, now);
  const announcement = await db.selectFrom('notice').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await publishAnnouncement(db, announcement, platform.name, now);
};
